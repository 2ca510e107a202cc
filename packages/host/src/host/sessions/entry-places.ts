/**
 * Entries on their way to a place on the branch. A branch goes through closed messages, so they wait while one is being
 * written. Invariant: each is placed once, in the order they came.
 */
import type { MessageId } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";

export type Placed = Pick<MessageRow, "id" | "parentId" | "turnId" | "createdAt">;
export type PlacedEntry = {
  row(at: Placed): MessageRow;
  /** Called in the save that stores it. */
  placed?(id: MessageId): void;
};

export class EntryPlaces {
  #waiting: readonly PlacedEntry[] = [];

  add(entry: PlacedEntry): void {
    this.#waiting = [...this.#waiting, entry];
  }
  /** Rows of all that wait, each at the next place. */
  take(next: () => Placed): readonly MessageRow[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.map((entry) => {
      const row = entry.row(next());
      entry.placed?.(row.id);
      return row;
    });
  }
}
