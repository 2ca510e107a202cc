/**
 * Events as server-sent events, in bytes. Invariant: what is published is encoded once, when the first reader hears of
 * it, and every reader of that session gets the same bytes; nobody may change or transfer them.
 */
import { formatCursor } from "../../protocol/cursor.ts";
import type { Snapshot, StoredEvent } from "../../protocol/events.ts";
import type { Seq, SessionNo } from "../../protocol/ids.ts";
import type { Batch, BatchForm } from "./subscriber.ts";

export type ByteBatch = Batch & { readonly bytes: Uint8Array };

/** Tells a client how long to wait, in milliseconds, before it connects again. */
export const retryFrame = (ms: number): Uint8Array => Buffer.from(`retry: ${ms}\n\n`);
/** A comment, which clients pass over: it shows both sides that the other is still there. */
export const heartbeatFrame: Uint8Array = Buffer.from(": \n\n");

export class Frames {
  readonly #store: string;
  readonly #made = new WeakMap<readonly StoredEvent[], ByteBatch>();
  #encoded = 0;

  /** `store`: the id that begins its cursors. */
  constructor(store: string) {
    this.#store = store;
  }

  /** Events encoded so far, those read from the journal included. */
  get encoded(): number {
    return this.#encoded;
  }
  of(session: SessionNo): BatchForm<ByteBatch> {
    return {
      published: (events) => {
        const known = this.#made.get(events);
        if (known) return known;
        const batch = this.#batch(session, events);
        this.#made.set(events, batch);
        return batch;
      },
      read: (events) => this.#batch(session, events),
      snapshot: (seq, snapshot) => batchOf(seq, seq, frame(snapshot.cursor, snapshot, JSON.stringify(snapshot))),
    };
  }
  #batch(session: SessionNo, events: readonly StoredEvent[]): ByteBatch {
    let text = "";
    for (const { seq, at, event } of events) {
      const cursor = formatCursor({ store: this.#store, session, seq });
      text += frame(cursor, event, `${JSON.stringify(event).slice(0, -1)},"at":${at}}`);
    }
    this.#encoded += events.length;
    return batchOf(events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0, text);
  }
}
/** JSON has no line breaks of its own, so the data is one line. */
const frame = (cursor: string, { type }: StoredEvent["event"] | Snapshot, json: string): string =>
  `id: ${cursor}\nevent: ${type}\ndata: ${json}\n\n`;
function batchOf(first: Seq, last: Seq, text: string): ByteBatch {
  const bytes = Buffer.from(text);
  return { first, last, size: bytes.length, bytes };
}
