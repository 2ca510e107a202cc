/** Events as readers in the same process get them: objects, shared by all of them and never changed. */
import { formatCursor } from "../../protocol/cursor.ts";
import type { StoredEvent } from "../../protocol/events.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import type { DeliveredEvent } from "../api.ts";
import type { Batch, BatchForm } from "./subscriber.ts";

export type EventBatch = Batch & { readonly delivered: readonly DeliveredEvent[] };

/** Bytes an event is taken for beside its text. */
const eventBytes = 256;
const made = new WeakMap<readonly StoredEvent[], EventBatch>();

export function eventBatches(store: string, session: SessionNo): BatchForm<EventBatch> {
  const deliver = ({ seq, at, event }: StoredEvent): DeliveredEvent => ({
    cursor: formatCursor({ store, session, seq }),
    seq,
    at,
    event,
  });
  const batchOf = (events: readonly StoredEvent[], size: number): EventBatch => ({
    first: events[0]?.seq ?? 0,
    last: events.at(-1)?.seq ?? 0,
    size,
    delivered: events.map(deliver),
  });
  return {
    published: (events) => {
      const known = made.get(events);
      if (known) return known;
      const batch = batchOf(events, sizeOf(events));
      made.set(events, batch);
      return batch;
    },
    read: (events) => batchOf(events, 0),
    snapshot: (seq, snapshot) => ({
      first: seq,
      last: seq,
      size: 0,
      delivered: [{ cursor: snapshot.cursor, event: snapshot }],
    }),
  };
}
/** About what it takes. */
const sizeOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { event }) => sum + eventBytes + textOf(event), 0);
const textOf = (event: StoredEvent["event"]): number =>
  event.type === "chunk" && "delta" in event.chunk ? event.chunk.delta.length : JSON.stringify(event).length;
