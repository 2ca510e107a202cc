/**
 * One reader of a session's events: what the journal holds after its cursor, then what is committed from then on.
 * Invariants: no event is skipped or repeated; the reader listens before it reads, so nothing falls between, and what it
 * hears and cannot join to what it has is read from the journal. One that asks for more keeps what it hears up to its
 * bound of lag; one that does not ask (it has no room) keeps only a little, reads the rest from the journal when it asks
 * again, and is cut with `slow-subscriber` when it followed live and lags by more than that bound: it resumes by cursor.
 * So many readers that never read cost next to nothing, and nothing one does holds up a session or another reader.
 */
import type { Store } from "../../ports/store.ts";
import { formatCursor } from "../../protocol/cursor.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { Snapshot, StoredEvent } from "../../protocol/events.ts";
import type { Seq, SessionId, SessionNo } from "../../protocol/ids.ts";
import type { Feeds } from "./feeds.ts";
import { OncePerTick } from "./once-per-tick.ts";

/** Events read from the journal at once. */
const page = 256;

/** Events that follow each other, as one kind of reader gets them. `size`: bytes they are taken for while they wait. */
export type Batch = { readonly first: Seq; readonly last: Seq; readonly size: number };
export type BatchForm<B extends Batch> = {
  /** What was published together, which is one list for all readers: made once for all of them. */
  published(events: readonly StoredEvent[]): B;
  /** What this reader read in the journal. */
  read(events: readonly StoredEvent[]): B;
  snapshot(seq: Seq, snapshot: Snapshot): B;
};
/** Where the reader is: after this event; null: it needs a snapshot first. */
export type From = Seq | null;
export type SubscriberPorts<B extends Batch> = {
  readonly store: Store;
  readonly feeds: Feeds;
  readonly session: SessionNo;
  readonly sessionId: SessionId;
  readonly form: BatchForm<B>;
  /** Bytes of live events a reader may lag behind. */
  readonly lagBytes: number;
  /** Bytes of them that are kept for it while it does not ask. */
  readonly keptBytes: number;
  /** It was cut: the next `next` or `ready` throws. */
  cut?(): void;
};

export class Subscriber<B extends Batch> {
  readonly #ports: SubscriberPorts<B>;
  readonly #leave: () => void;
  #at: From;
  #kept: B[] = [];
  #keptBytes = 0;
  /** Bytes that came since it last took some live, kept or not. */
  #lag = 0;
  /**
   * `missed`: more came than is kept, or it does not join; the journal has it. `behind`: the same, of a reader that
   * followed live and does not ask. `read`: the journal's end was given to the reader, who follows live from the moment
   * it asks for more.
   */
  #mode: "reading" | "missed" | "behind" | "read" | "live" | "cut" | "closed" = "reading";
  #wake: (why: "heard" | "woken") => void = () => {};
  /** The reader waits in `next`: what it has not is not its fault. */
  #asking = false;

  constructor(ports: SubscriberPorts<B>, from: From) {
    this.#ports = ports;
    this.#at = from;
    this.#leave = ports.feeds.listen(ports.session, (events) => this.#hear(events));
  }

  /** It hears no more; who waits in `next` gets nothing. */
  close(): void {
    this.#leave();
    this.#mode = "closed";
    this.#drop();
    this.wake();
  }
  /** Ends a wait for events. */
  wake(): void {
    this.#wake("woken");
  }
  /**
   * What follows all it gave before, as soon as there is something. Nothing: it was woken or closed. Throws
   * `slow-subscriber`, and what the store rejects with. One call at a time.
   */
  async next(): Promise<readonly B[]> {
    for (;;) {
      const batches = await this.ready();
      if (batches.length > 0 || this.#mode === "closed") return batches;
      this.#asking = true;
      const why = await this.#waited();
      this.#asking = false;
      if (why === "woken") return [];
    }
  }
  /** The same, but only what is there already. Nothing: it follows live, or is closed. */
  async ready(): Promise<readonly B[]> {
    this.#asking = true;
    try {
      while (this.#mode !== "closed") {
        if (this.#mode === "read") this.#goLive();
        const batches = this.#mode === "live" || this.#mode === "cut" ? this.#take() : await this.#read();
        if (batches.length > 0) return batches;
        if (this.#mode === "live" && this.#kept.length === 0) return [];
      }
      return [];
    } finally {
      this.#asking = false;
    }
  }
  /**
   * Gives what it hears, all of one tick together and without a promise for each, for as long as `take` says that there
   * is room for more. `over`: there is none, or what follows is not live. Rejects with what `take` throws. Not beside
   * `next` and `ready`.
   */
  follow(take: (batches: readonly B[]) => boolean): Promise<"woken" | "over"> {
    const ended = Promise.withResolvers<"woken" | "over">();
    const give = (): void => {
      try {
        const batches = this.#mode === "live" ? this.#take() : [];
        if (batches.length === 0 || !take(batches)) ended.resolve("over");
      } catch (cause) {
        ended.reject(cause);
      }
    };
    const tick = new OncePerTick(give);
    this.#asking = true;
    this.#wake = (why) => (why === "heard" ? tick.plan() : ended.resolve(why));
    if (this.#mode !== "live") ended.resolve("over");
    else if (this.#kept.length > 0) tick.plan();
    return ended.promise.finally(() => {
      tick.end();
      this.#asking = false;
    });
  }

  // --- the journal ------------------------------------------------------------------------------------------------

  async #read(): Promise<readonly B[]> {
    if (this.#mode === "missed" || this.#mode === "behind") {
      this.#mode = "reading";
      this.#lag = 0;
    }
    const at = this.#at;
    if (at === null) return [await this.#jump()];
    const { store, session, form } = this.#ports;
    const events = await store.events(session, at, page);
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) {
      if ((await store.bounds(session)).horizon > at) return [await this.#jump()];
      if (this.#mode === "reading") this.#goLive();
      return [];
    }
    if (first.seq !== at + 1) return [await this.#jump()];
    this.#at = last.seq;
    if (events.length < page && this.#mode === "reading") this.#mode = "read";
    return [form.read(events)];
  }
  /** The horizon passed the reader, or it comes from elsewhere. */
  async #jump(): Promise<B> {
    const { seq, snapshot } = await readSnapshot(this.#ports);
    this.#at = seq;
    return this.#ports.form.snapshot(seq, snapshot);
  }
  /** Unless something is missing between what was read and what is kept. */
  #goLive(): void {
    const at = this.#at ?? 0;
    this.#kept = this.#kept.filter((batch) => batch.last > at);
    this.#keptBytes = this.#kept.reduce((sum, { size }) => sum + size, 0);
    this.#lag = this.#keptBytes;
    const next = this.#kept[0];
    this.#mode = next === undefined || next.first === at + 1 ? "live" : "reading";
  }

  // --- live -------------------------------------------------------------------------------------------------------

  #take(): readonly B[] {
    if (this.#mode === "cut") throw slow(this.#ports.lagBytes);
    const batches: B[] = [];
    for (const batch of this.#kept) {
      const at = this.#at ?? 0;
      if (batch.first !== at + 1) {
        this.#mode = "missed";
        break;
      }
      batches.push(batch);
      this.#at = batch.last;
    }
    this.#drop();
    this.#lag = 0;
    return batches;
  }
  #drop(): void {
    this.#kept = [];
    this.#keptBytes = 0;
  }
  /** Also when it was heard since it was last looked at: nobody was told. */
  #waited(): Promise<"heard" | "woken"> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#mode !== "live" || this.#kept.length > 0) resolve("heard");
    });
  }
  /**
   * One commit more than a bound may be kept: a reader is slow when it left that much behind before. One that asks for
   * more and is told too much at once reads the journal.
   */
  #hear(events: readonly StoredEvent[]): void {
    if (this.#mode === "missed" || this.#mode === "cut" || this.#mode === "closed") return;
    const { lagBytes, keptBytes, form } = this.#ports;
    if (this.#lag > lagBytes) this.#outrun();
    else {
      const batch = form.published(events);
      this.#lag += batch.size;
      if (this.#mode !== "behind" && (this.#asking || this.#keptBytes <= keptBytes)) this.#keep(batch);
      else this.#fallBehind();
    }
    this.#wake("heard");
  }
  #keep(batch: B): void {
    this.#kept.push(batch);
    this.#keptBytes += batch.size;
  }
  #fallBehind(): void {
    this.#drop();
    this.#mode = this.#followsLive() ? "behind" : "missed";
  }
  #outrun(): void {
    this.#drop();
    this.#mode = this.#followsLive() && !this.#asking ? "cut" : "missed";
    if (this.#mode === "cut") this.#ports.cut?.();
  }
  #followsLive(): boolean {
    return this.#mode === "live" || this.#mode === "behind";
  }
}
const slow = (bytes: number): MooringError =>
  new MooringError(
    "slow-subscriber",
    `The reader lagged by more than ${bytes} bytes. Connect again with its last cursor.`,
    { retry: "now" },
  );

export async function readSnapshot({
  store,
  session,
  sessionId,
}: {
  readonly store: Store;
  readonly session: SessionNo;
  readonly sessionId: SessionId;
}): Promise<{ readonly seq: Seq; readonly snapshot: Snapshot }> {
  const { seq, opened, ...rest } = await store.snapshot(session);
  const at = (place: Seq): string => formatCursor({ store: store.id, session, seq: place });
  const replay = opened === null ? null : at(opened - 1);
  return { seq, snapshot: { type: "snapshot", sessionId, cursor: at(seq), ...rest, replay } };
}
