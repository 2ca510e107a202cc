/** Every steer that was offered on one connection, and the one end it must have. */
import type { InputId } from "../../../protocol/ids.ts";
import type { Notes } from "./notes.ts";

export type SteerEnd = "boundary" | "undelivered" | "withdrawn" | "returned" | "adopted";

export class Steers {
  readonly #notes: Notes;
  readonly #offered = new Set<InputId>();
  readonly #ends = new Map<InputId, SteerEnd>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  offered(id: InputId): void {
    this.#offered.add(id);
  }

  /** It was no offer. */
  refused(id: InputId): void {
    this.#offered.delete(id);
  }

  ended(id: InputId, end: SteerEnd): void {
    const before = this.#ends.get(id);
    if (!this.#offered.has(id)) this.#notes.report("steer/one-end", `${end} names ${id}, which was never offered`);
    else if (before !== undefined) this.#notes.report("steer/one-end", `${id} has two ends: ${before} and ${end}`);
    this.#ends.set(id, before ?? end);
  }

  endOf(id: InputId): SteerEnd | null {
    return this.#ends.get(id) ?? null;
  }

  /** The connection is closed and had not died: nothing may be left. */
  closed(): void {
    for (const id of this.#offered) {
      if (!this.#ends.has(id)) this.#notes.report("steer/one-end", `${id} was offered and has no end`);
    }
  }
}
