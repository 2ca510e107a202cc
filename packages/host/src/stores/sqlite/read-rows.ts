/** Every row of one kind of a session: first the keys, in the order the rows were stored, then the rows in pieces. */
import type { SessionRows } from "../../ports/store.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import type { UsageRow } from "../../protocol/rows.ts";
import {
  approvalColumns,
  type Kind as ColumnKind,
  inputColumns,
  messageColumns,
  type SqlRow,
  selectList,
  turnColumns,
} from "./columns.ts";
import { approvalJson, inputJson, listJson, messageJson, type RowJson, turnJson } from "./row-json.ts";
import type { Sql } from "./sql.ts";

type Kind = keyof SessionRows;
type Table = {
  readonly name: string;
  readonly columns: string;
  readonly json: RowJson;
  /** Which rows count, beside those of the session. */
  readonly only: string;
};
const table = (name: string, columns: Readonly<Record<string, ColumnKind>>, json: RowJson): Table => ({
  name,
  columns: `${selectList(columns, "r")}, s.id AS sessionId`,
  json,
  only: "1",
});
const tables: { readonly [K in Kind]: Table } = {
  message: { ...table("messages", messageColumns, messageJson), only: "r.status <> 'dropped'" },
  input: table("inputs", inputColumns, inputJson),
  turn: table("turns", turnColumns, turnJson),
  approval: table("approvals", approvalColumns, approvalJson),
  usage: {
    name: "usage_records",
    columns: "r.*, s.id AS sessionId",
    json: (row) => JSON.stringify(usageOf(row)),
    only: "1",
  },
};

export function readRowKeys(sql: Sql, session: SessionNo, kind: Kind): string {
  const { name, only } = tables[kind];
  const text = `SELECT r.rowid AS no FROM ${name} r WHERE r.session_no = ? AND ${only} ORDER BY r.rowid`;
  return JSON.stringify(sql.all<{ no: number }>(text, session).map((row) => row.no));
}

export function readRows(sql: Sql, kind: Kind, keys: readonly number[]): string {
  const { name, columns, json, only } = tables[kind];
  const text = `SELECT ${columns} FROM ${name} r JOIN sessions s ON s.no = r.session_no
    WHERE r.rowid IN (SELECT value FROM json_each(?)) AND ${only} ORDER BY r.rowid`;
  return listJson(json, sql.all(text, JSON.stringify(keys)));
}

type UsageSqlRow = SqlRow & {
  readonly [Name in "input" | "output" | "reasoning" | "cache_read" | "cache_write" | "at"]: number;
} & { readonly [Name in "request_id" | "model" | "sessionId"]: string } & {
  readonly [Name in "turn_id" | "message_id" | "cost_currency"]: string | null;
} & { readonly [Name in "first_token_ms" | "total_ms" | "cost_amount"]: number | null };

function usageOf(found: SqlRow): UsageRow {
  const row = found as UsageSqlRow; // as the schema has it
  const { input, output, reasoning, cost_amount: amount, cost_currency: currency } = row;
  return {
    sessionId: row.sessionId,
    turnId: row.turn_id,
    messageId: row.message_id,
    report: {
      requestId: row.request_id,
      model: row.model,
      tokens: { input, output, reasoning, cacheRead: row.cache_read, cacheWrite: row.cache_write },
      timing: { firstTokenMs: row.first_token_ms, totalMs: row.total_ms },
      cost: amount === null || currency === null ? null : { amount, currency },
    },
    at: row.at,
  };
}
