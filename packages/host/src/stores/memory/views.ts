/** Messages and sessions as readers get them. An open message is folded from the journal. */

import type { MessagePage, Store } from "../../ports/store.ts";
import type { UIMessage } from "../../protocol/chunks.ts";
import type { SessionEvent, StoredEvent, StoredMessage } from "../../protocol/events.ts";
import { foldChunk, snapshot, startFold } from "../../protocol/fold.ts";
import type { MessageId, Seq } from "../../protocol/ids.ts";
import type { ApprovalRow, InputRow, MessageRow, StoredSession } from "../../protocol/rows.ts";
import { messagePageChars } from "../limits.ts";
import {
  isLiveInput,
  isLiveTurn,
  isOpen,
  lastSeqOf,
  type MemoryData,
  type MemoryMessage,
  type MemorySession,
} from "./data.ts";

/** `content`: of an open message. */
export function storedMessage(row: MessageRow, content: Pick<UIMessage, "parts" | "metadata"> = row): StoredMessage {
  const { metadata } = content;
  return {
    id: row.id,
    role: row.role,
    parts: content.parts,
    ...(metadata === null || metadata === undefined ? {} : { metadata }),
    parentId: row.parentId,
    status: row.status,
    turnId: row.turnId,
    inputId: row.inputId,
    createdAt: row.createdAt,
    ...(row.kind === "flow" ? { flow: { toolCallId: row.label ?? "" } } : {}),
  };
}

function folded(session: MemorySession, id: MessageId): UIMessage {
  const fold = startFold(id);
  for (const { events } of session.segments)
    for (const { event } of events) if (event.type === "chunk" && event.messageId === id) foldChunk(fold, event.chunk);
  return snapshot(fold);
}

const present = (session: MemorySession, message: MemoryMessage): StoredMessage =>
  isOpen(message) ? storedMessage(message.row, folded(session, message.row.id)) : storedMessage(message.row);

/** From `from` up the tree, newest first; dropped ones excluded. */
export function* upFrom(session: MemorySession, from: MessageId | null): Generator<MemoryMessage> {
  for (let id = from; id !== null; ) {
    const message = session.messages.get(id);
    if (!message) return;
    if (!message.dropped) yield message;
    id = message.row.parentId;
  }
}

/** Null: there is no message `before`. */
export function pageOf(session: MemorySession, before: MessageId | undefined, limit: number): MessagePage | null {
  const start = before === undefined ? session.row.leaf : session.messages.get(before)?.row.parentId;
  if (start === undefined) return null;
  const found: MemoryMessage[] = [];
  let [chars, isCut] = [0, false];
  for (const message of upFrom(session, start)) {
    if (message.row.kind !== "message") continue;
    chars += JSON.stringify(message.row.parts).length;
    isCut = found.length === limit || (found.length > 0 && chars > messagePageChars);
    if (isCut) break;
    found.push(message);
  }
  const page = found.reverse();
  const older = isCut ? (page[0]?.row.id ?? null) : null;
  return { messages: page.map((message) => present(session, message)), older };
}

export function eventsAfter(session: MemorySession, after: Seq, limit: number): StoredEvent[] {
  const all = session.segments.filter((segment) => segment.last > after).flatMap((segment) => segment.events);
  const wanted = all.filter(({ seq }) => seq > after).slice(0, Math.max(0, limit));
  return wanted.map((stored) => ({ ...stored, event: withMessage(session, stored.event) }));
}

function withMessage(session: MemorySession, event: SessionEvent): SessionEvent {
  if (event.type !== "message.closed") return event;
  const message = session.messages.get(event.messageId);
  return { ...event, message: message ? storedMessage(message.row) : null };
}

export function liveInputs(session: MemorySession | undefined): InputRow[] {
  const place = ({ position }: InputRow): number => position ?? Number.POSITIVE_INFINITY;
  const live = [...(session?.inputs.values() ?? [])].filter(isLiveInput);
  return live.sort((a, b) => (place(a) === place(b) ? a.createdAt - b.createdAt : place(a) - place(b)));
}

export const openApprovals = (data: MemoryData, session: MemorySession): ApprovalRow[] =>
  [...data.approvals.values()]
    .filter((row) => row.how === null && row.sessionId === session.row.id)
    .sort((a, b) => a.createdAt - b.createdAt);

const openMessages = (session: MemorySession): MemoryMessage[] => [...session.messages.values()].filter(isOpen);
const liveTurns = (session: MemorySession): StoredSession["openTurns"] =>
  [...session.turns.values()].filter(isLiveTurn).sort((a, b) => a.no - b.no);
const highest = (numbers: readonly number[]): number => numbers.reduce((most, n) => Math.max(most, n), 0);

export function loaded(data: MemoryData, session: MemorySession): StoredSession {
  const flows = [...session.messages.values()].filter(({ row }) => row.kind === "flow");
  return {
    session: session.row,
    epoch: session.epoch,
    nextSeq: lastSeqOf(session) + 1,
    horizon: session.horizon,
    inputs: liveInputs(session),
    openTurns: liveTurns(session),
    lastTurn: highest([...session.turns.values()].map(({ no }) => no)),
    lastFlow: highest(flows.map(({ row }) => row.ordinal ?? 0)),
    open: openMessages(session).map(({ row, opened }) => ({ row, opened })),
    openApprovals: openApprovals(data, session),
  };
}

export function snapshotOf(data: MemoryData, session: MemorySession): Awaited<ReturnType<Store["snapshot"]>> {
  const { leaf } = session.row;
  const end = openMessages(session).find(({ row }) => row.id === leaf);
  return {
    seq: lastSeqOf(session),
    session: session.row,
    turn: liveTurns(session).at(-1) ?? null,
    open: openMessages(session).map((message) => present(session, message)),
    inputs: liveInputs(session),
    approvals: openApprovals(data, session),
    older: end && end.row.parentId !== null ? leaf : null,
    opened: openMessages(session).reduce<Seq | null>((least, { opened }) => Math.min(least ?? opened, opened), null),
  };
}

export const needsRecovery = (data: MemoryData, session: MemorySession): boolean =>
  session.row.compacting ||
  liveTurns(session).length > 0 ||
  openMessages(session).length > 0 ||
  liveInputs(session).length > 0 ||
  openApprovals(data, session).length > 0;
