/** The event streams that are open now. Invariants: there are never more than the limit; closing ends every one of them. */
import { httpError } from "../problem.ts";

export type OpenStream = {
  /** Aborted when the stream is to end. */
  readonly signal: AbortSignal;
  /** Ends it; again: nothing. */
  close(): void;
};

export class OpenStreams {
  readonly #most: number;
  readonly #open = new Set<AbortController>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#open.size;
  }
  /** Throws `too-many-streams`. */
  open(): OpenStream {
    if (this.#open.size >= this.#most)
      throw httpError("too-many-streams", `At most ${this.#most} event streams are open at once. Close some, or wait.`);
    const controller = new AbortController();
    this.#open.add(controller);
    const close = (): void => {
      this.#open.delete(controller);
      controller.abort();
    };
    return { signal: controller.signal, close };
  }
  closeAll(): void {
    for (const controller of this.#open) controller.abort();
    this.#open.clear();
  }
}
