/** One write of the port on the maps, under the rules the database's statements have. */
import type { HostWrite, Write } from "../../ports/store.ts";
import { StoreRefused } from "../../protocol/errors.ts";
import type { SessionEvent, StoredMessage } from "../../protocol/events.ts";
import type { InputId, MessageId, Seq } from "../../protocol/ids.ts";
import type { RuleRow } from "../../protocol/permission.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import { deltaOf } from "../merged-events.ts";
import type { PendingEvent } from "../publish.ts";
import {
  type Changes,
  isLiveInput,
  isLiveTurn,
  isOpen,
  type MemoryData,
  type MemoryMessage,
  type MemorySession,
} from "./data.ts";
import { storedMessage } from "./views.ts";

/** Where one job writes, and what it has collected. */
export type Target = {
  readonly data: MemoryData;
  readonly session: MemorySession;
  readonly changes: Changes;
  /** The first number a new event can get. */
  readonly next: Seq;
  readonly events: PendingEvent[];
  readonly closed: Map<MessageId, StoredMessage>;
};

/** Throws `StoreRefused` (`constraint`); the caller undoes the changes. */
export function applyWrite(target: Target, write: Write): void {
  const { data, session, changes } = target;
  switch (write.write) {
    case "session":
      return changes.setRow(session, patched(session.row, write.set));
    case "input":
      return add(changes, session.inputs, write.row.id, write.row, "input");
    case "input-set":
      return change(changes, session.inputs, write.id, isLiveInput, write.set, "input");
    case "order":
      return reorder(target, write.ids);
    case "turn":
      if ([...session.turns.values()].some((turn) => turn.no === write.row.no)) refuse(`Turn ${write.row.no} exists.`);
      return add(changes, session.turns, write.row.id, write.row, "turn");
    case "turn-set":
      return change(changes, session.turns, write.id, isLiveTurn, write.set, "turn");
    case "message":
      return addMessage(target, write.row);
    case "message-close": {
      const message = openMessage(session, write.id);
      return changes.set(session.messages, write.id, { ...message, row: patched(message.row, write.set) });
    }
    case "message-drop":
      return changes.set(session.messages, write.id, { ...openMessage(session, write.id), dropped: true });
    case "approval":
      return add(changes, data.approvals, write.row.id, { ...write.row, sessionId: session.row.id }, "approval");
    case "approval-close":
      return change(
        changes,
        data.approvals,
        write.id,
        (row) => row.how === null && row.sessionId === session.row.id,
        write.set,
        "approval",
      );
    case "rule":
      return data.rules.has(write.row.id) ? undefined : changes.set(data.rules, write.row.id, write.row);
    case "usage":
      if (data.usage.has(write.row.report.requestId)) return;
      return changes.set(data.usage, write.row.report.requestId, { ...write.row, sessionId: session.row.id });
    case "event":
      return addEvent(target, write.event, write.at);
  }
}

export function applyHostWrite(data: MemoryData, changes: Changes, write: HostWrite): void {
  switch (write.write) {
    case "agent": {
      const namesake = [...data.agents.values()].find((agent) => agent.name === write.row.name);
      if (namesake && namesake.id !== write.row.id) refuse(`Another agent is named ${write.row.name}.`);
      return changes.set(data.agents, write.row.id, write.row);
    }
    case "agent-remove":
      changes.remove(data.agents, write.id);
      return removeRules(data, changes, ({ agentId }) => agentId === write.id);
    case "rule":
      return data.rules.has(write.row.id) ? undefined : changes.set(data.rules, write.row.id, write.row);
    case "rule-remove":
      return changes.remove(data.rules, write.id);
    case "setting":
      return write.value === undefined
        ? changes.remove(data.settings, write.key)
        : changes.set(data.settings, write.key, write.value);
    case "file":
      return add(changes, data.files, write.row.id, write.row, "file");
    case "file-remove":
      return changes.remove(data.files, write.id);
    case "process":
      return changes.set(data.processes, processKey(write.row), write.row);
    case "process-remove":
      return changes.remove(data.processes, processKey(write));
    case "session-remove":
      return removeSession(data, changes, write.id);
  }
}

function refuse(why: string): never {
  throw new StoreRefused("constraint", why);
}
const processKey = ({ pid, startTime }: { readonly pid: number; readonly startTime: string }): string =>
  `${pid} ${startTime}`;

function patched<Row extends object>(row: Row, set: Partial<NoInfer<Row>>): Row {
  const named = Object.entries(set).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(named) };
}

function add<K, V>(changes: Changes, map: Map<K, V>, id: K, row: V, what: string): void {
  if (map.has(id)) refuse(`There is ${what} ${String(id)} already.`);
  changes.set(map, id, row);
}

function change<K, V extends object>(
  changes: Changes,
  map: Map<K, V>,
  id: K,
  isLive: (row: V) => boolean,
  set: Partial<NoInfer<V>>,
  what: string,
): void {
  const row = map.get(id);
  if (!row || !isLive(row)) return refuse(`No ${what} ${String(id)}, or it is over already.`);
  changes.set(map, id, patched(row, set));
}

function reorder({ session, changes }: Target, ids: readonly InputId[]): void {
  for (const [id, row] of session.inputs)
    if (row.position !== null) changes.set(session.inputs, id, { ...row, position: null });
  for (const [position, id] of ids.entries()) change(changes, session.inputs, id, isLiveInput, { position }, "input");
}

function addMessage({ session, changes, next }: Target, row: MemoryMessage["row"]): void {
  const parent = row.parentId === null ? undefined : session.messages.get(row.parentId);
  if (row.parentId !== null && (!parent || parent.dropped)) refuse(`There is no parent message ${row.parentId}.`);
  add(changes, session.messages, row.id, { row, opened: next, dropped: false }, "message");
}

function openMessage(session: MemorySession, id: MessageId): MemoryMessage {
  const message = session.messages.get(id);
  return message && isOpen(message) ? message : refuse(`Message ${id} is not open.`);
}

function addEvent({ session, events, closed }: Target, event: SessionEvent, at: number): void {
  if (event.type === "chunk") openMessage(session, event.messageId);
  if (event.type === "message.closed") {
    const message = session.messages.get(event.messageId);
    if (!message || message.dropped || isOpen(message)) return refuse(`Message ${event.messageId} is not closed.`);
    closed.set(event.messageId, storedMessage(message.row));
  }
  events.push({ event, at, delta: deltaOf(event) });
}

function removeRules(data: MemoryData, changes: Changes, isGone: (rule: RuleRow) => boolean): void {
  for (const [key, row] of data.rules) if (isGone(row)) changes.remove(data.rules, key);
}

function removeSession(data: MemoryData, changes: Changes, id: SessionRow["id"]): void {
  const session = [...data.sessions.values()].find(({ row }) => row.id === id);
  if (!session) return;
  changes.remove(data.sessions, session.no);
  removeRules(data, changes, ({ sessionId }) => sessionId === id);
  for (const [key, row] of data.approvals) if (row.sessionId === id) changes.remove(data.approvals, key);
  for (const [key, row] of data.usage) if (row.sessionId === id) changes.remove(data.usage, key);
}
