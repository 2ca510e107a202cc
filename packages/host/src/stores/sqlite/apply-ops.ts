/**
 * Runs the ops of one write inside its savepoint. Throws `RuleBroken` when one contradicts what is stored; events are
 * only collected, so undoing the savepoint undoes the write.
 */
import type { InputId, MessageId, TurnId } from "../../protocol/ids.ts";
import type { Delta } from "../merged-events.ts";
import type { SqlValue } from "./columns.ts";
import { RuleBroken } from "./failure.ts";
import type { ClosedMessage, Op } from "./jobs.ts";
import { liveInput } from "./live-rows.ts";
import type { OpenMessage, OpenSession } from "./open-session.ts";
import type { Item } from "./segment.ts";
import type { Sql } from "./sql.ts";

export type Applied = { readonly events: (readonly [Item, Delta | null])[]; readonly closed: ClosedMessage[] };

export function applyOps(sql: Sql, session: OpenSession, ops: readonly Op[]): Applied {
  const applied: Applied = { events: [], closed: [] };
  for (const op of ops) apply(sql, session, op, applied);
  return applied;
}

/** Whether an op changes rows: the others need no savepoint. */
export const changesRows = ([kind]: Op): boolean =>
  kind !== "event" && kind !== "chunk" && kind !== "delta" && kind !== "closed";

function apply(sql: Sql, session: OpenSession, op: Op, { events, closed }: Applied): void {
  switch (op[0]) {
    case "row":
      return mustChange(sql.run(op[1], session.no, ...op[2]).changes, op[1]);
    case "extra":
      return void sql.run(op[1], session.no, ...op[2]);
    case "message":
      return addMessage(sql, session, op[2], op[3], op[4]);
    case "close":
      session.messages.delete(op[1]);
      return mustChange(sql.run(op[2], session.no, ...op[3]).changes, `close message ${op[1]}`);
    case "drop":
      return dropMessage(sql, session, op[1], session.next + events.length);
    case "order":
      return reorder(sql, session, op[1]);
    case "event":
      return void events.push([{ at: op[1], ref: 0, body: op[2] }, null]);
    case "closed":
      closed.push(closedMessage(sql, session, op[3], op[4]));
      return void events.push([{ at: op[1], ref: 0, body: op[2] }, null]);
    case "chunk":
      return void events.push([chunkItem(sql, session, op[2], op[3], { at: op[1], ref: 0, body: op[4] }), null]);
    case "delta": {
      const delta: Delta = { messageId: op[2], turnId: op[3], type: op[4], part: op[5], text: op[6] };
      return void events.push([chunkItem(sql, session, op[2], op[3], { at: op[1], ref: 0, body: delta }), delta]);
    }
  }
}

function mustChange(changes: number, what: string): void {
  if (changes !== 1) throw new RuleBroken(`Nothing there to change, or it is over already: ${what}`);
}

function addMessage(
  sql: Sql,
  session: OpenSession,
  parent: MessageId | null,
  text: string,
  values: readonly SqlValue[],
): void {
  if (parent !== null) {
    const found = "SELECT no FROM messages WHERE session_no = ? AND id = ? AND status <> 'dropped'";
    if (!sql.get(found, session.no, parent)) throw new RuleBroken(`There is no parent message ${parent}.`);
  }
  mustChange(sql.run(text, session.no, session.next, ...values).changes, "add message");
}

/** The row stays until its events are gone: they name it. */
function dropMessage(sql: Sql, session: OpenSession, id: MessageId, lastSeq: number): void {
  session.messages.delete(id);
  const text = `UPDATE messages SET status = 'dropped', opened_seq = ?3
    WHERE session_no = ?1 AND id = ?2 AND status = 'open'`;
  mustChange(sql.run(text, session.no, id, lastSeq).changes, `drop message ${id}`);
}

function reorder(sql: Sql, session: OpenSession, ids: readonly InputId[]): void {
  sql.run("UPDATE inputs SET position = NULL WHERE session_no = ? AND position IS NOT NULL", session.no);
  const place = `UPDATE inputs SET position = ?3 WHERE session_no = ?1 AND id = ?2 AND ${liveInput}`;
  for (const [at, id] of ids.entries()) mustChange(sql.run(place, session.no, id, at).changes, `order input ${id}`);
}

function chunkItem(sql: Sql, session: OpenSession, id: MessageId, turn: TurnId | null, item: Item): Item {
  const message = openMessage(sql, session, id);
  const ref = message.no;
  return turn === message.turn ? { ...item, ref } : { ...item, ref, turn };
}

function openMessage(sql: Sql, session: OpenSession, id: MessageId): OpenMessage {
  const known = session.messages.get(id);
  if (known) return known;
  const text = "SELECT no, turn_id AS turn FROM messages WHERE session_no = ? AND id = ? AND status = 'open'";
  const found = sql.get<OpenMessage>(text, session.no, id);
  if (!found) throw new RuleBroken(`Message ${id} is not open: nothing may be added to it.`);
  session.messages.set(id, found);
  return found;
}

const closedHead =
  "id, parent_id AS parentId, kind, role, status, turn_id AS turnId, input_id AS inputId, label, created_at AS createdAt";

function closedMessage(sql: Sql, session: OpenSession, id: MessageId, whole: boolean): ClosedMessage {
  const columns = whole ? `${closedHead}, parts, metadata` : closedHead;
  const text = `SELECT ${columns} FROM messages
    WHERE session_no = ? AND id = ? AND status NOT IN ('open', 'dropped')`;
  const found = sql.get<ClosedMessage>(text, session.no, id);
  if (!found) throw new RuleBroken(`Message ${id} is not closed: it cannot be announced as closed.`);
  return found;
}
