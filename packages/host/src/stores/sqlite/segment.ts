/**
 * The journal's own form of events. A segment's `data` is a JSON array of items `[ref, body]`: `ref` 0 and the event
 * without its session, or the integer key of a message and one chunk of it. A third member is the event's time less the
 * segment's, a fourth the turn where it is not the message's. Ids of 40 characters in every chunk would outweigh the
 * text: this form keeps the journal within eight times the messages.
 */
import type { SessionEvent, StoredEvent, StoredMessage } from "../../protocol/events.ts";
import type { MessageId, Millis, Seq, SessionId, TurnId } from "../../protocol/ids.ts";
import { chunkOf, type Delta } from "../merged-events.ts";

/** An event on its way into a segment: whole JSON, or a delta that may still grow. */
export type Item = {
  readonly at: Millis;
  readonly ref: number;
  readonly body: string | Delta;
  /** Of a chunk, where it is not its message's. */
  readonly turn?: TurnId | null;
};

export function segmentJson(items: readonly Item[], at: Millis): string {
  return `[${items.map((item) => itemJson(item, at)).join(",")}]`;
}

function itemJson({ at, ref, body, turn }: Item, segmentAt: Millis): string {
  const json = typeof body === "string" ? body : JSON.stringify(chunkOf(body));
  const late = at - segmentAt;
  if (turn !== undefined) return `[${ref},${json},${late},${JSON.stringify(turn)}]`;
  return late === 0 ? `[${ref},${json}]` : `[${ref},${json},${late}]`;
}

/** An item as parsed. */
export type StoredItem = readonly [ref: number, body: object, late?: Millis, turn?: TurnId | null];
export type StoredSegment = readonly [first: Seq, at: Millis, items: readonly StoredItem[]];
/** A stretch of a journal with all that its references name. */
export type Stretch = {
  readonly session: SessionId;
  readonly segments: readonly StoredSegment[];
  readonly messages: Readonly<Record<number, readonly [id: MessageId, turn: TurnId | null]>>;
  readonly closed: Readonly<Record<MessageId, StoredMessage>>;
};

/** Events after `after`, at most `limit`. */
export function eventsOf(stretch: Stretch, after: Seq, limit: number): StoredEvent[] {
  const events: StoredEvent[] = [];
  for (const [first, at, items] of stretch.segments) {
    for (const [index, item] of items.entries()) {
      if (events.length >= limit) return events;
      const seq = first + index;
      if (seq > after) events.push({ seq, at: at + (item[2] ?? 0), event: eventOf(item, stretch) });
    }
  }
  return events;
}

function eventOf([ref, body, , turn]: StoredItem, { session, messages, closed }: Stretch): SessionEvent {
  if (ref === 0) return wholeEvent({ ...body, sessionId: session } as SessionEvent, closed);
  const [messageId = "", ownTurn = null] = messages[ref] ?? [];
  const turnId = turn === undefined ? ownTurn : turn;
  const chunk = { type: "chunk", sessionId: session, messageId, chunk: body } as SessionEvent;
  return turnId === null ? chunk : ({ ...chunk, turnId } as SessionEvent);
}

const wholeEvent = (event: SessionEvent, closed: Stretch["closed"]): SessionEvent =>
  event.type === "message.closed" ? { ...event, message: closed[event.messageId] ?? null } : event;
