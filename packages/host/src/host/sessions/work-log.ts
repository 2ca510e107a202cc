/**
 * What one session has in flight and since when, as its states follow each other. Invariant: while a turn runs or is about
 * to, the process does not end by itself: a program may wait for nothing but what the turn says.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Millis } from "../../protocol/ids.ts";
import type { Session } from "../../session/state.ts";
import { Awake } from "../keep-alive.ts";
import { type WorkItem, workOf } from "./work-of.ts";

type Seen = Pick<Session, "phase" | "link" | "flows" | "parked">;

export class WorkLog {
  /** Kinds of work in flight, with the time each began. */
  #since: ReadonlyMap<WorkItem["kind"], Millis> = new Map();
  #seen: Seen | null = null;
  readonly #awake = new Awake();

  /** A turn runs, or is about to; one that waits for a person does not. */
  get working(): boolean {
    return this.#since.has("turn") || this.#since.has("start");
  }
  /** Whether a turn runs now and none did. More text of a running turn changes no work: that path costs four comparisons. */
  note(s: Session, clock: Clock): boolean {
    const seen = this.#seen;
    if (seen && seen.phase === s.phase && seen.link === s.link && seen.flows === s.flows && seen.parked === s.parked)
      return false;
    this.#seen = s;
    const worked = this.working;
    const at = clock.now();
    this.#since = new Map(workOf(s).map(({ kind }) => [kind, this.#since.get(kind) ?? at]));
    this.#awake.set(this.working);
    return this.working && !worked;
  }
  items(s: Session, now: Millis): readonly (WorkItem & { readonly since: Millis })[] {
    return workOf(s).map((item) => ({ ...item, since: this.#since.get(item.kind) ?? now }));
  }
  /** The session leaves memory. */
  end(): void {
    this.#awake.set(false);
  }
}
