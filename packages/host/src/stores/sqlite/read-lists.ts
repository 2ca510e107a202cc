/** Single rows and listings. */
import type { SessionQuery, SessionState } from "../../ports/store.ts";
import type { ApprovalId, InputId, SessionId, SessionNo, TurnId } from "../../protocol/ids.ts";
import { rowsAsked } from "../limits.ts";
import {
  agentColumns,
  approvalColumns,
  inputColumns,
  processColumns,
  ruleColumns,
  type SqlRow,
  type SqlValue,
  selectList,
  sessionColumns,
  turnColumns,
} from "./columns.ts";
import { liveInput, liveTurn } from "./live-rows.ts";
import {
  agentJson,
  approvalJson,
  inputJson,
  listJson,
  oneJson,
  processJson,
  rowJson,
  ruleJson,
  sessionJson,
  turnJson,
} from "./row-json.ts";
import type { Sql } from "./sql.ts";

export const readAgents = (sql: Sql): string =>
  listJson(agentJson, sql.all(`SELECT ${selectList(agentColumns, "a")} FROM agents a ORDER BY a.created_at, a.id`));

export const readRules = (sql: Sql): string =>
  listJson(ruleJson, sql.all(`SELECT ${selectList(ruleColumns, "r")} FROM rules r ORDER BY r.created_at, r.rowid`));

export const readProcesses = (sql: Sql): string =>
  listJson(processJson, sql.all(`SELECT ${selectList(processColumns, "p")} FROM processes p ORDER BY p.started_at`));

export function readSetting(sql: Sql, key: string): string {
  return sql.get<{ value: string }>("SELECT value FROM settings WHERE key = ?", key)?.value ?? "null";
}

const listedJson = rowJson({
  ...sessionColumns,
  turn: "plain",
  lastOutcome: "plain",
  waitingInputs: "plain",
  openApprovals: "plain",
});
const turnNow = `(SELECT t.status FROM turns t WHERE t.session_no = s.no AND t.${liveTurn} ORDER BY t.no DESC LIMIT 1)`;
const turnBefore = `(SELECT t.status FROM turns t WHERE t.session_no = s.no AND NOT (t.${liveTurn}) ORDER BY t.no DESC LIMIT 1)`;
const waitingNow = `FROM inputs i WHERE i.session_no = s.no AND i.${liveInput} AND i.state IN ('queued', 'held')`;
const listedCounts = `
  ${turnNow} AS turn,
  ${turnBefore} AS lastOutcome,
  (SELECT count(*) ${waitingNow}) AS waitingInputs,
  (SELECT count(*) FROM approvals a WHERE a.session_no = s.no AND a.how IS NULL) AS openApprovals`;
const isWaitedFor = `EXISTS (SELECT 1 ${waitingNow})`;
const states: { readonly [State in SessionState]: string } = {
  busy: `${turnNow} = 'open'`,
  waiting: `${turnNow} = 'waiting'`,
  held: `${turnNow} IS NULL AND ${isWaitedFor}`,
  idle: `${turnNow} IS NULL AND NOT ${isWaitedFor}`,
};

export function readSessions(sql: Sql, q: SessionQuery): string {
  const limit = rowsAsked(q.limit);
  const conditions = [q.removed === true ? "s.removed_at IS NOT NULL" : "s.removed_at IS NULL"];
  const values: SqlValue[] = [];
  const add = (condition: string, ...given: readonly SqlValue[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (q.after !== undefined) add("s.no < ?", Number(q.after));
  if (q.agentId !== undefined) add("s.agent_id = ?", q.agentId);
  if (q.state !== undefined) add(states[q.state]);
  if (q.ids !== undefined) add("s.id IN (SELECT value FROM json_each(?))", JSON.stringify(q.ids));
  if (q.text !== undefined) {
    const like = `%${q.text.replace(/[\\%_]/g, "\\$&")}%`;
    const fields = ["title", "workspace", "external_id", "id"].map((name) => `s.${name} LIKE ? ESCAPE '\\'`);
    add(`(${fields.join(" OR ")})`, like, like, like, like);
  }
  const rows = sql.all<SqlRow & { readonly no: number }>(
    `SELECT s.no, ${selectList(sessionColumns, "s")}, ${listedCounts} FROM sessions s
     WHERE ${conditions.join(" AND ")} ORDER BY s.no DESC LIMIT ?`,
    ...values,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? JSON.stringify(String(page.at(-1)?.no)) : "null";
  return `{"items":${listJson(listedJson, page)},"next":${next}}`;
}

export function readSession(sql: Sql, idOrExternal: string): string {
  const row = sql.get<SqlRow & { readonly no: number }>(
    `SELECT s.no, ${selectList(sessionColumns, "s")} FROM sessions s WHERE s.id = ?1 OR s.external_id = ?1
     ORDER BY s.id = ?1 DESC LIMIT 1`,
    idOrExternal,
  );
  return row ? `{"row":${sessionJson(row)},"no":${row.no}}` : "null";
}

const inputsOf = `SELECT ${selectList(inputColumns, "i")} FROM inputs i WHERE i.session_no = ?`;

export const readInput = (sql: Sql, session: SessionNo, id: InputId): string =>
  oneJson(inputJson, sql.get(`${inputsOf} AND i.id = ?`, session, id));

export function readClientInput(sql: Sql, session: SessionNo, clientId: string): string {
  const text = `${inputsOf} AND json_extract(i.input, '$.client.id') = ? ORDER BY i.rowid DESC LIMIT 1`;
  return oneJson(inputJson, sql.get(text, session, clientId));
}

export const readInputs = (sql: Sql, session: SessionNo): string =>
  listJson(
    inputJson,
    sql.all(`${inputsOf} AND i.${liveInput} ORDER BY i.position IS NULL, i.position, i.created_at, i.rowid`, session),
  );

const turnsOf = `SELECT ${selectList(turnColumns, "t")} FROM turns t WHERE t.session_no = ?`;

export const readTurn = (sql: Sql, session: SessionNo, id: TurnId): string =>
  oneJson(turnJson, sql.get(`${turnsOf} AND t.id = ?`, session, id));

export const readTurns = (sql: Sql, session: SessionNo, limit: number): string =>
  listJson(turnJson, sql.all(`${turnsOf} ORDER BY t.no DESC LIMIT ?`, session, rowsAsked(limit)));

export const readLiveTurns = (sql: Sql, session: SessionNo): SqlRow[] =>
  sql.all(`${turnsOf} AND t.${liveTurn} ORDER BY t.no`, session);

const approvalsOf = `SELECT s.id AS sessionId, ${selectList(approvalColumns, "a")}
  FROM approvals a JOIN sessions s ON s.no = a.session_no`;

export const readApproval = (sql: Sql, id: ApprovalId): string =>
  oneJson(approvalJson, sql.get(`${approvalsOf} WHERE a.id = ?`, id));

export function readApprovals(
  sql: Sql,
  q: { readonly open?: boolean; readonly sessionId?: SessionId; readonly limit?: number },
): string {
  const conditions = [
    ...(q.open === undefined ? [] : [q.open ? "a.how IS NULL" : "a.how IS NOT NULL"]),
    ...(q.sessionId === undefined ? [] : ["s.id = ?"]),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const values = q.sessionId === undefined ? [] : [q.sessionId];
  return listJson(
    approvalJson,
    sql.all(`${approvalsOf} ${where} ORDER BY a.created_at DESC, a.rowid DESC LIMIT ?`, ...values, rowsAsked(q.limit)),
  );
}

export const readOpenApprovals = (sql: Sql, session: SessionNo): string =>
  listJson(
    approvalJson,
    sql.all(`${approvalsOf} WHERE a.session_no = ? AND a.how IS NULL ORDER BY a.created_at, a.rowid`, session),
  );
