/**
 * Records the agent said already: one that comes again, or long after its turn, is not taken twice. Invariants: memory
 * is bounded, the oldest is forgotten first; pieces of a stream are not remembered, for they are many and belong to a
 * block that is over when it is over.
 */
import { limits } from "../limits.ts";
import { type Frame, textIn } from "./frames.ts";

export class KnownRecords {
  readonly #known = new Set<string>();

  /** True: it was said before. */
  isRepeated(frame: Frame): boolean {
    const uuid = textIn(frame, "uuid");
    if (uuid === null || textIn(frame["event"], "type") === "content_block_delta") return false;
    const key = `${frame.type}:${uuid}`;
    if (this.#known.has(key)) return true;
    this.#known.add(key);
    const [oldest] = this.#known;
    if (this.#known.size > limits.knownRecords && oldest !== undefined) this.#known.delete(oldest);
    return false;
  }
}
