/**
 * One reader of a session's events: what the journal holds after its cursor, then what is committed from then on.
 * Invariants: no event is skipped or repeated; the reader listens before it reads, so nothing falls between; while it
 * reads the journal it keeps at most its bound of live events and reads on instead of keeping more; once it follows
 * live, a reader that lags by more than its bound is cut with `slow-subscriber` and resumes by cursor.
 */
import type { Store } from "../ports/store.ts";
import { formatCursor } from "../protocol/cursor.ts";
import { MooringError } from "../protocol/errors.ts";
import type { Snapshot, StoredEvent } from "../protocol/events.ts";
import type { Seq, SessionId, SessionNo } from "../protocol/ids.ts";
import type { DeliveredEvent } from "./api.ts";
import type { Feeds } from "./feeds.ts";

/** Events read from the journal at once. */
const page = 256;
/** Bytes an event is taken for beside its text. */
const eventBytes = 256;

type SubscriberPorts = {
  readonly store: Store;
  readonly feeds: Feeds;
  readonly session: SessionNo;
  readonly sessionId: SessionId;
  /** Bytes of live events kept for the reader. */
  readonly bytes: number;
  readonly signal: AbortSignal | undefined;
};
/** Where the reader is: after this event; null: it needs a snapshot first. */
export type From = Seq | null;

export class Subscriber {
  readonly #ports: SubscriberPorts;
  #kept: StoredEvent[] = [];
  #bytes = 0;
  /** `missed`: more came than is kept, the journal has it. */
  #mode: "reading" | "missed" | "live" | "cut" = "reading";
  #wake: () => void = () => {};

  constructor(ports: SubscriberPorts) {
    this.#ports = ports;
  }

  /** Ends with the signal, or by `return`. Throws `slow-subscriber`. */
  async *events(from: From): AsyncGenerator<DeliveredEvent, void> {
    const { feeds, session, signal } = this.#ports;
    const leave = feeds.listen(session, (events) => this.#hear(events));
    const wake = (): void => this.#wake();
    signal?.addEventListener("abort", wake);
    try {
      const seq = yield* this.#catchUp(from);
      yield* this.#follow(seq);
    } finally {
      leave();
      signal?.removeEventListener("abort", wake);
    }
  }

  async *#catchUp(from: From): AsyncGenerator<DeliveredEvent, Seq> {
    let seq = from ?? (yield* this.#jump());
    while (!this.#aborted) {
      if (this.#mode === "missed") this.#mode = "reading";
      const events = await this.#ports.store.events(this.#ports.session, seq, page);
      const first = events[0];
      if (first !== undefined && first.seq !== seq + 1) {
        seq = yield* this.#jump(); // the horizon passed the reader
        continue;
      }
      for (const stored of events) {
        if (this.#aborted) return seq;
        yield this.#delivered(stored);
        seq = stored.seq;
      }
      if (events.length < page && this.#goLive(seq)) return seq;
    }
    return seq;
  }
  async *#jump(): AsyncGenerator<DeliveredEvent, Seq> {
    const event = await readSnapshot(this.#ports);
    yield { cursor: event.snapshot.cursor, event: event.snapshot };
    return event.seq;
  }
  /** In one tick with the last look at the journal: what is kept continues what was read. */
  #goLive(seq: Seq): boolean {
    if (this.#mode === "missed") return false;
    this.#kept = this.#kept.filter((stored) => stored.seq > seq);
    const next = this.#kept[0];
    if (next !== undefined && next.seq !== seq + 1) return false;
    this.#mode = "live";
    return true;
  }
  async *#follow(from: Seq): AsyncGenerator<DeliveredEvent, void> {
    for (let seq = from; !this.#aborted; ) {
      const events = this.#take();
      if (events.length === 0) await this.#more();
      for (const stored of events) {
        if (this.#aborted) return;
        if (stored.seq <= seq) continue;
        yield this.#delivered(stored);
        seq = stored.seq;
      }
    }
  }

  get #aborted(): boolean {
    return this.#ports.signal?.aborted ?? false;
  }
  #take(): readonly StoredEvent[] {
    if (this.#mode === "cut") throw slow(this.#ports.bytes);
    const events = this.#kept;
    this.#kept = [];
    this.#bytes = 0;
    return events;
  }
  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
  /** One commit more than the bound may be kept: a reader is slow when it left that much behind before. */
  #hear(events: readonly StoredEvent[]): void {
    if (this.#mode === "missed" || this.#mode === "cut") return;
    if (this.#bytes > this.#ports.bytes) {
      this.#kept = [];
      this.#bytes = 0;
      this.#mode = this.#mode === "live" ? "cut" : "missed";
    } else {
      this.#kept.push(...events);
      for (const stored of events) this.#bytes += sizeOf(stored);
    }
    this.#wake();
  }
  #delivered({ seq, at, event }: StoredEvent): DeliveredEvent {
    const { store, session } = this.#ports;
    return { cursor: formatCursor({ store: store.id, session, seq }), seq, at, event };
  }
}

const sizes = new WeakMap<StoredEvent, number>();
/** About what it takes; of what is not plain text it is worked out once for all subscribers. */
function sizeOf(stored: StoredEvent): number {
  const { event } = stored;
  if (event.type === "chunk" && "delta" in event.chunk) return eventBytes + event.chunk.delta.length;
  const known = sizes.get(stored);
  if (known !== undefined) return known;
  const size = eventBytes + JSON.stringify(event).length;
  sizes.set(stored, size);
  return size;
}
const slow = (bytes: number): MooringError =>
  new MooringError(
    "slow-subscriber",
    `The reader lagged by more than ${bytes} bytes. Connect again with its last cursor.`,
    {
      retry: "now",
    },
  );

export async function readSnapshot({
  store,
  session,
  sessionId,
}: Pick<SubscriberPorts, "store" | "session" | "sessionId">): Promise<{
  readonly seq: Seq;
  readonly snapshot: Snapshot;
}> {
  const { seq, ...rest } = await store.snapshot(session);
  const cursor = formatCursor({ store: store.id, session, seq });
  return { seq, snapshot: { type: "snapshot", sessionId, cursor, ...rest } };
}
