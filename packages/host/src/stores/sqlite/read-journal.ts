/** Replay: stretches of a session's journal with what they refer to. */
import type { MessageId, Seq, SessionId, SessionNo, TurnId } from "../../protocol/ids.ts";
import { itemsOf, lastSeq, segmentsFrom } from "./journal.ts";
import { storedMessageJson, storedMessageList } from "./read-messages.ts";
import type { StoredItem } from "./segment.ts";
import type { Sql } from "./sql.ts";

export function readStretch(sql: Sql, session: SessionNo, after: Seq, limit: number): string {
  const owner = sql.get<{ id: SessionId }>("SELECT id FROM sessions WHERE no = ?", session);
  if (!owner) return "null";
  const segments: string[] = [];
  const refs = new Set<number>();
  const closed = new Set<MessageId>();
  if (limit > 0) {
    for (const segment of segmentsFrom(sql, session, after + 1)) {
      segments.push(`[${segment.first},${segment.at},${segment.data}]`);
      for (const item of itemsOf(segment)) note(item, refs, closed);
      if (segment.last >= after + limit) break;
    }
  }
  const messages = [...refs].map((ref) => messageJson(sql, ref)).join(",");
  const messagesClosed = [...closed].map((id) => closedJson(sql, session, id)).join(",");
  return `{"session":${JSON.stringify(owner.id)},"segments":[${segments.join(",")}],"messages":{${messages}},"closed":{${messagesClosed}}}`;
}

function note([ref, body]: StoredItem, refs: Set<number>, closed: Set<MessageId>): void {
  if (ref !== 0) refs.add(ref);
  else if ("type" in body && body.type === "message.closed" && "messageId" in body) closed.add(String(body.messageId));
}

function messageJson(sql: Sql, ref: number): string {
  const row = sql.get<{ id: MessageId; turn: TurnId | null }>(
    "SELECT id, turn_id AS turn FROM messages WHERE no = ?",
    ref,
  );
  return `"${ref}":${JSON.stringify([row?.id ?? "", row?.turn ?? null])}`;
}

function closedJson(sql: Sql, session: SessionNo, id: MessageId): string {
  const row = sql.get(`${storedMessageList} AND m.id = ?`, session, id);
  return `${JSON.stringify(id)}:${row ? storedMessageJson(row) : "null"}`;
}

export function readBounds(sql: Sql, session: SessionNo): string {
  const row = sql.get<{ horizon: Seq }>("SELECT horizon FROM sessions WHERE no = ?", session);
  return row ? JSON.stringify({ horizon: row.horizon, last: lastSeq(sql, session, row.horizon) }) : "null";
}
