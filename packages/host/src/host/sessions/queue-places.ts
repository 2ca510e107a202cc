/** Positions of waiting inputs as the rows carry them: rising, with gaps, renumbered when the whole order is given. */
import type { InputId } from "../../protocol/ids.ts";

export class QueuePlaces {
  readonly #waiting: Set<InputId>;
  #last: number;

  /** `last`: the highest position in use; -1: none. */
  constructor(waiting: readonly InputId[], last: number) {
    this.#waiting = new Set(waiting);
    this.#last = last;
  }
  /** The position of an input that begins to wait. */
  add(id: InputId): number {
    this.#waiting.add(id);
    return ++this.#last;
  }
  /** What changes in its row: one that waited keeps its place, one that stops has none. */
  change(id: InputId, waits: boolean): { readonly position?: number | null } {
    if (!waits) {
      this.#waiting.delete(id);
      return { position: null };
    }
    return this.#waiting.has(id) ? {} : { position: this.add(id) };
  }
  /** The store numbers the whole list from 0. */
  order(ids: readonly InputId[]): void {
    this.#waiting.clear();
    for (const id of ids) this.#waiting.add(id);
    this.#last = ids.length - 1;
  }
}
