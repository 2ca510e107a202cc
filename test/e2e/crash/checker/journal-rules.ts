/** The journal has no gap, names what exists, says what is stored, and holds what a viewer saw. */
import { isDeepStrictEqual } from "node:util";
import type { UIMessageChunk } from "../../../../packages/host/src/protocol/chunks.ts";
import { foldChunk, snapshot, startFold } from "../../../../packages/host/src/protocol/fold.ts";
import { found, type Rule, repeated, said } from "./evidence.ts";
import type { Item, Segment, Stored, StoredMessage, StoredSession } from "./stored.ts";

const segmentsOf = ({ segments }: Stored, { no }: StoredSession): Segment[] =>
  segments.filter(({ session }) => session === no);
const itemsOf = (stored: Stored, session: StoredSession): Item[] =>
  segmentsOf(stored, session).flatMap(({ items }) => items);
const events = (items: readonly Item[], type: string) =>
  items.flatMap(([ref, body]) => (ref === 0 && body["type"] === type ? [body] : []));

/** A rule about each session's journal. */
const perSession =
  (rule: string, broken: (stored: Stored, session: StoredSession) => readonly string[]): Rule =>
  ({ stored }) =>
    found(
      rule,
      stored.sessions.flatMap((session) => broken(stored, session).map((what) => `${session.id}: ${what}`)),
    );

const contiguous = perSession("the journal has no gap", (stored, session) => {
  let next = session.horizon + 1;
  return segmentsOf(stored, session).flatMap(({ first, last, items }) => {
    const expected = next;
    next = last + 1;
    if (first !== expected) return [`${first} follows ${expected - 1}`];
    return items.length === last - first + 1 ? [] : [`${first} to ${last} holds ${items.length} events`];
  });
});

const named = perSession("the journal names messages that exist", (stored, session) => {
  const messages = stored.messages.filter((message) => message.session === session.no);
  const keys = new Set(messages.map(({ no }) => no));
  const closed = new Set(messages.filter(({ status }) => status !== "open" && status !== "dropped").map((m) => m.id));
  const items = itemsOf(stored, session);
  const chunks = items.filter(([ref]) => ref !== 0 && !keys.has(ref)).map(([ref]) => `message ${ref}`);
  const closes = events(items, "message.closed").map((event) => String(event["messageId"]));
  return [...chunks, ...closes.filter((id) => !closed.has(id)), ...repeated(closes).map((id) => `${id} closes twice`)];
});

const replayed = perSession("the chunks of a closed message give its parts", (stored, session) => {
  const items = itemsOf(stored, session);
  const whole = stored.messages.filter((m) => m.session === session.no && isReplayable(m, session));
  return whole.filter((message) => !isDeepStrictEqual(partsFrom(items, message), message.parts)).map(({ id }) => id);
});
const isReplayable = ({ role, kind, status, openedSeq }: StoredMessage, { horizon }: StoredSession): boolean =>
  role === "assistant" && kind !== "entry" && status !== "open" && status !== "dropped" && openedSeq > horizon;

/** Parts as text keeps them: without what is undefined. */
export function partsFrom(items: readonly Item[], { no, id }: StoredMessage): unknown {
  const fold = startFold(id);
  for (const [ref, body] of items) if (ref === no) foldChunk(fold, body as unknown as UIMessageChunk);
  return JSON.parse(JSON.stringify(snapshot(fold).parts));
}

const settledOnce = perSession("a turn starts and settles once", (stored, session) => {
  if (session.horizon > 0) return [];
  const items = itemsOf(stored, session);
  const ids = (type: string): string[] => events(items, type).map((event) => String(event["turnId"]));
  const [started, settled] = [ids("turn.started"), ids("turn.settled")];
  const turns = stored.turns.filter((turn) => turn.session === session.no);
  return turns.flatMap(({ id, status }) => {
    const ends = settled.filter((one) => one === id).length;
    const begins = started.filter((one) => one === id).length;
    const isOpen = status === "open" || status === "waiting";
    return begins === 1 && ends === (isOpen ? 0 : 1) ? [] : [`${id} is ${status}, began ${begins}x, settled ${ends}x`];
  });
});

/** A viewer is told only what is durable. */
const seen: Rule = ({ stored, lines }) => {
  const lost = said(lines, "event").filter(({ seq, event }) => {
    const session = stored.sessions.find(({ id }) => id === event.sessionId);
    if (session && seq <= session.horizon) return false;
    return !session || !isDeepStrictEqual(eventAt(stored, session, seq), JSON.parse(JSON.stringify(event)));
  });
  return found(
    "what a viewer saw is stored",
    lost.map(({ seq, event }) => `${event.type} at ${seq}`),
  );
};

function eventAt(stored: Stored, session: StoredSession, seq: number): unknown {
  const segment = segmentsOf(stored, session).find(({ first, last }) => first <= seq && seq <= last);
  const item = segment?.items[seq - segment.first];
  if (!item) return null;
  const [ref, body, , ownTurn] = item;
  // The journal refers to the message that closed; the client left it out.
  const without = body["type"] === "message.closed" ? { message: null } : {};
  if (ref === 0) return { ...body, ...without, sessionId: session.id };
  const message = stored.messages.find(({ no }) => no === ref);
  const turnId = ownTurn === undefined ? message?.turnId : ownTurn;
  const chunk = { type: "chunk", sessionId: session.id, messageId: message?.id, chunk: body };
  return turnId === null ? chunk : { ...chunk, turnId };
}

export const journalRules: readonly Rule[] = [contiguous, named, replayed, settledOnce, seen];
