/**
 * Turns the answers of one flush into what its writers are told. The `events` of a session's writes, put together in
 * call order, are exactly what the flush stored of that session: an event that was merged into an earlier write's event
 * is delivered once, with that write.
 */
import type { Write, Written } from "../ports/store.ts";
import { StoreRefused } from "../protocol/errors.ts";
import type { SessionEvent, StoredEvent, StoredMessage } from "../protocol/events.ts";
import type { MessageId, Millis, Seq, SessionNo } from "../protocol/ids.ts";
import { chunkOf, type Delta, deltaOf, MergedEvents } from "./merged-events.ts";

/** An event on its way to the journal, with its delta worked out once. */
export type PendingEvent = { readonly event: SessionEvent; readonly at: Millis; readonly delta: Delta | null };
export const pendingEvents = (writes: readonly Write[]): PendingEvent[] =>
  writes.flatMap((write) =>
    write.write === "event" ? [{ event: write.event, at: write.at, delta: deltaOf(write.event) }] : [],
  );

/** What a flush must know of a job to publish it. `session` 0 and no events: it writes to no session's journal. */
export type Publishable = { readonly session: SessionNo; readonly events: readonly PendingEvent[] };
/** `value`: the new session's number, the new epoch, sessions folded; of a write: the newest seq before the flush. */
export type Answer = { readonly value: number; readonly closed?: ReadonlyMap<MessageId, StoredMessage> };
export type Result = { readonly value: number; readonly written: Written };

export function publish(
  jobs: readonly Publishable[],
  answers: readonly (Answer | StoreRefused | undefined)[],
): (Result | StoreRefused)[] {
  const sessions = new Map<SessionNo, Publication>();
  const publicationOf = (session: SessionNo, base: Seq): Publication => {
    const known = sessions.get(session) ?? new Publication(base);
    sessions.set(session, known);
    return known;
  };
  const finish = jobs.map((job, index) => {
    const answer = answers[index] ?? new StoreRefused("io", "The store's thread gave no answer.");
    if (answer instanceof StoreRefused) return () => answer;
    const written = publicationOf(job.session, answer.value).add(job.events, answer.closed);
    return () => ({ value: answer.value, written: written() });
  });
  // Only now is every event whole: later writes may have continued the last one of an earlier write.
  return finish.map((result) => result());
}

class Publication {
  readonly #base: Seq;
  readonly #merged = new MergedEvents<StoredEvent>();

  constructor(base: Seq) {
    this.#base = base;
  }

  add(events: readonly PendingEvent[], closed: Answer["closed"]): () => Written {
    const { items } = this.#merged;
    const from = items.length;
    for (const pending of events)
      this.#merged.add(storedEvent(this.#base + items.length + 1, pending, closed), pending.delta, withDelta);
    const to = items.length;
    const last = this.#base + to;
    return () => ({ first: to > from ? this.#base + from + 1 : last, last, events: items.slice(from, to) });
  }
}

/** `closed`: the message of a `message.closed`; null in the journal itself. */
export function storedEvent(seq: Seq, { event, at }: PendingEvent, closed: Answer["closed"]): StoredEvent {
  if (event.type !== "message.closed") return { seq, at, event };
  return { seq, at, event: { ...event, message: closed?.get(event.messageId) ?? null } };
}

export const withDelta = (stored: StoredEvent, whole: Delta): StoredEvent =>
  stored.event.type === "chunk" ? { ...stored, event: { ...stored.event, chunk: chunkOf(whole) } } : stored;
