/**
 * The port's writes as what the store's thread runs. Statements that must not touch what is over say so. Events go
 * without what the journal knows anyway: the session, and the message that a `message.closed` refers to.
 */
import type { Write } from "../../ports/store.ts";
import type { UsageRow } from "../../protocol/rows.ts";
import type { PendingEvent } from "../publish.ts";
import {
  approvalColumns,
  type Columns,
  columnName,
  inputColumns,
  messageColumns,
  propertiesOf,
  ruleColumns,
  type SqlValue,
  sessionColumns,
  toSql,
  turnColumns,
  valuesOf,
} from "./columns.ts";
import type { Op } from "./jobs.ts";
import { liveInput, liveTurn } from "./live-rows.ts";

/** `keys` come before the row's own columns, `?1` on. */
const insertInto = (table: string, keys: readonly string[], columns: Columns<object>): string => {
  const names = [...keys, ...Object.keys(columns).map(columnName)];
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, at) => `?${at + 1}`).join(", ")})`;
};
export const insertSession = insertInto("sessions", [], sessionColumns);
const insertInput = insertInto("inputs", ["session_no"], inputColumns);
const insertTurn = insertInto("turns", ["session_no"], turnColumns);
const insertMessage = insertInto("messages", ["session_no", "opened_seq"], messageColumns);
const insertApproval = insertInto("approvals", ["session_no"], approvalColumns);
/** `from`: the place of the rule's first value. */
const insertRuleFrom = (from: number): string => {
  const names = Object.keys(ruleColumns).map(columnName);
  const places = names.map((_, at) => `?${at + from}`).join(", ");
  return `INSERT INTO rules (${names.join(", ")}) VALUES (${places}) ON CONFLICT (id) DO NOTHING`;
};
export const insertRule = insertRuleFrom(1);
const insertRuleOf = insertRuleFrom(2); // the session's number is given first, and not stored
const insertUsage = `INSERT INTO usage_records (session_no, request_id, turn_id, message_id, model, input, output,
  reasoning, cache_read, cache_write, first_token_ms, total_ms, cost_amount, cost_currency, at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT (request_id) DO NOTHING`;

type RowWrite = Exclude<Write, { readonly write: "event" }>;

export function encodeRow(write: RowWrite): Op {
  switch (write.write) {
    case "session":
      return ["row", ...change("sessions", sessionColumns, write.set, "no = ?1", [])];
    case "input":
      return ["row", insertInput, valuesOf(inputColumns, write.row)];
    case "input-set":
      return [
        "row",
        ...change("inputs", inputColumns, write.set, `session_no = ?1 AND id = ?2 AND ${liveInput}`, [write.id]),
      ];
    case "order":
      return ["order", write.ids];
    case "turn":
      return ["row", insertTurn, valuesOf(turnColumns, write.row)];
    case "turn-set":
      return [
        "row",
        ...change("turns", turnColumns, write.set, `session_no = ?1 AND id = ?2 AND ${liveTurn}`, [write.id]),
      ];
    case "message":
      return ["message", write.row.id, write.row.parentId, insertMessage, valuesOf(messageColumns, write.row)];
    case "message-close":
      return ["close", write.id, ...change("messages", messageColumns, write.set, openMessage, [write.id])];
    case "message-drop":
      return ["drop", write.id];
    case "approval":
      return ["row", insertApproval, valuesOf(approvalColumns, write.row)];
    case "approval-close":
      return ["row", ...change("approvals", approvalColumns, write.set, openApproval, [write.id])];
    case "rule":
      return ["extra", insertRuleOf, valuesOf(ruleColumns, write.row)];
    case "usage":
      return ["extra", insertUsage, usageValues(write.row)];
  }
}
const openMessage = "session_no = ?1 AND id = ?2 AND status = 'open'";
const openApproval = "session_no = ?1 AND id = ?2 AND how IS NULL";

function change<Row extends object>(
  table: string,
  columns: Columns<Row>,
  set: Partial<Row>,
  where: string,
  keys: readonly SqlValue[],
): [string, SqlValue[]] {
  const named = propertiesOf(columns).filter((property) => set[property] !== undefined);
  const assignments = named.map((property, at) => `${columnName(property)} = ?${at + keys.length + 2}`);
  // Nothing to set: the row must still be there and open.
  const text = `UPDATE ${table} SET ${assignments.join(", ") || "rowid = rowid"} WHERE ${where}`;
  return [text, [...keys, ...named.map((property) => toSql(columns[property], set[property]))]];
}

function usageValues({ turnId, messageId, report, at }: UsageRow): SqlValue[] {
  const { tokens, timing, cost } = report;
  return [
    ...[report.requestId, turnId, messageId, report.model, tokens.input, tokens.output, tokens.reasoning],
    ...[tokens.cacheRead, tokens.cacheWrite, timing.firstTokenMs, timing.totalMs],
    ...[cost?.amount ?? null, cost?.currency ?? null, at],
  ];
}

/** `hasParts`: whoever publishes a `message.closed` has its message's parts already. */
export function encodeEvent({ event, at, delta }: PendingEvent, hasParts: boolean): Op {
  if (delta) return ["delta", at, delta.messageId, delta.turnId, delta.type, delta.part, delta.text];
  if (event.type === "chunk") return ["chunk", at, event.messageId, event.turnId ?? null, JSON.stringify(event.chunk)];
  const { sessionId: _, ...bare } = event;
  if (event.type !== "message.closed") return ["event", at, JSON.stringify(bare)];
  return ["closed", at, JSON.stringify({ ...bare, message: undefined }), event.messageId, !hasParts];
}
