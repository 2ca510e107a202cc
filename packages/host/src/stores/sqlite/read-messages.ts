/**
 * Messages, their tree and what is open. A closed message is its row; an open one is folded from the journal, as far as
 * it was committed.
 */
import type { UIMessage, UIMessageChunk } from "../../protocol/chunks.ts";
import { type Fold, foldChunk, snapshot, startFold } from "../../protocol/fold.ts";
import type { MessageId, Seq, SessionNo, TurnId } from "../../protocol/ids.ts";
import { messagePageChars } from "../limits.ts";
import { messageColumns, type SqlRow, selectList } from "./columns.ts";
import { itemsOf, segmentsFrom } from "./journal.ts";
import { listJson, messageJson, oneJson, rowJson } from "./row-json.ts";
import type { Sql } from "./sql.ts";

const messageRows = `SELECT m.no, m.opened_seq AS opened, ${selectList(messageColumns, "m")} FROM messages m`;
/** What a row must have for its open message to be folded. */
type OpenSqlRow = SqlRow & {
  readonly no: number;
  readonly id: MessageId;
  readonly opened: Seq;
  readonly status: string;
};

export function readMessage(sql: Sql, session: SessionNo, id: MessageId): string {
  const row = sql.get(`${messageRows} WHERE m.session_no = ? AND m.id = ? AND m.status <> 'dropped'`, session, id);
  return oneJson(messageJson, row);
}

const placedRows = `SELECT m.opened_seq AS opened, ${selectList(messageColumns, "m")} FROM messages m
  WHERE m.session_no = ?1 AND m.status <> 'dropped'`;
const replyRow = `${placedRows} AND m.turn_id = ?2 AND m.role = 'assistant' AND m.kind = 'message'
  AND m.no > coalesce((SELECT no FROM messages WHERE session_no = ?1 AND id = ?3), 0) ORDER BY m.no LIMIT 1`;
export const placedJson = (row: (SqlRow & { readonly opened: Seq }) | undefined): string =>
  row ? `{"row":${messageJson(row)},"opened":${row.opened}}` : "null";

export const readPlaced = (sql: Sql, session: SessionNo, id: MessageId): string =>
  placedJson(sql.get(`${placedRows} AND m.id = ?2`, session, id));

export const readReply = (sql: Sql, session: SessionNo, turn: TurnId, after: MessageId | null): string =>
  placedJson(sql.get(replyRow, session, turn, after));

/** `stop`: which message is the last one up the tree. */
const upFrom = (stop: string): string => `WITH RECURSIVE branch (no, parent_id, kind, label) AS (
    SELECT no, parent_id, kind, label FROM messages WHERE session_no = ?1 AND id = ?2
    UNION ALL
    SELECT m.no, m.parent_id, m.kind, m.label
    FROM branch b CROSS JOIN messages m ON m.session_no = ?1 AND m.id = b.parent_id WHERE NOT (${stop}))`;
const fromBranch = "FROM branch b CROSS JOIN messages m ON m.no = b.no WHERE m.status <> 'dropped'";
const upToCompaction = `${upFrom("b.kind = 'entry' AND b.label = 'compaction'")} SELECT m.no ${fromBranch}`;

export function readBranch(sql: Sql, session: SessionNo, leaf: MessageId | null): string {
  const from = leaf ?? leafOf(sql, session) ?? null;
  if (from === null) return "[]";
  const keys = sql.all<{ no: number }>(upToCompaction, session, from).map((row) => row.no);
  return JSON.stringify(keys.reverse());
}

export function readMessages(sql: Sql, keys: readonly number[]): string {
  const rows = new Map(rowsOf(sql, keys).map((row) => [row.no, row]));
  return listJson(
    messageJson,
    keys.flatMap((key) => rows.get(key) ?? []),
  );
}

const rowsOf = (sql: Sql, keys: readonly number[]): OpenSqlRow[] =>
  sql.all<OpenSqlRow>(`${messageRows} WHERE m.no IN (SELECT value FROM json_each(?))`, JSON.stringify(keys));

/** Undefined: there is no such session. */
function leafOf(sql: Sql, session: SessionNo): MessageId | null | undefined {
  return sql.get<{ leaf: MessageId | null }>("SELECT leaf FROM sessions WHERE no = ?", session)?.leaf;
}

export function readMessagePage(sql: Sql, session: SessionNo, before: MessageId | null, limit: number): string {
  const start = before === null ? leafOf(sql, session) : parentOf(sql, session, before);
  if (start === undefined) return "null";
  const { rows, isCut } = start === null ? { rows: [], isCut: false } : newestRows(sql, session, start, limit);
  const page = rows.reverse();
  const folds = foldOpen(
    sql,
    session,
    page.filter((row) => row.status === "open"),
  );
  const older = isCut ? (page[0]?.id ?? null) : null;
  const messages = page.map((row) => storedMessageJson(row, folds.get(row.no))).join(",");
  return `{"messages":[${messages}],"older":${JSON.stringify(older)}}`;
}

/** Newest first, as many as a page may hold; whether there are more. */
function newestRows(sql: Sql, session: SessionNo, start: MessageId, limit: number) {
  const rows: OpenSqlRow[] = [];
  let chars = 0;
  for (const row of sql.each<OpenSqlRow & { readonly parts: string }>(upToBeginning, session, start, limit + 1)) {
    chars += row.parts.length;
    if (rows.length === limit || (rows.length > 0 && chars > messagePageChars)) return { rows, isCut: true };
    rows.push(row);
  }
  return { rows, isCut: false };
}

/** Undefined: there is no such message. */
function parentOf(sql: Sql, session: SessionNo, id: MessageId): MessageId | null | undefined {
  const text = "SELECT parent_id AS parent FROM messages WHERE session_no = ? AND id = ?";
  return sql.get<{ parent: MessageId | null }>(text, session, id)?.parent;
}

/** Open messages of a session, flows included, in the order they were opened. */
export const openRows = (sql: Sql, session: SessionNo): OpenSqlRow[] =>
  sql.all<OpenSqlRow>(`${messageRows} WHERE m.session_no = ? AND m.status = 'open' ORDER BY m.no`, session);

/** The seq of the first event of the first of them; infinite when there is none. */
export const firstOpened = (open: readonly OpenSqlRow[]): Seq =>
  open.reduce((first, row) => Math.min(first, row.opened), Number.POSITIVE_INFINITY);

/** What was committed of each open message, by the message's key. */
export function foldOpen(sql: Sql, session: SessionNo, open: readonly OpenSqlRow[]): Map<number, Fold> {
  const folds = new Map(open.map((row) => [row.no, startFold(row.id)]));
  if (open.length === 0) return folds;
  for (const segment of segmentsFrom(sql, session, firstOpened(open))) {
    for (const [ref, body] of itemsOf(segment)) {
      const fold = folds.get(ref);
      if (fold) foldChunk(fold, body as UIMessageChunk);
    }
  }
  return folds;
}

const bareColumns = {
  id: "plain",
  role: "plain",
  parts: "json",
  parentId: "plain",
  status: "plain",
  turnId: "plain",
  inputId: "plain",
  createdAt: "plain",
} as const;
const storedColumns = { ...bareColumns, metadata: "json" } as const;
const [bareJson, storedJson] = [rowJson(bareColumns), rowJson(storedColumns)];
const storedFields = selectList({ ...storedColumns, kind: "plain", label: "plain" }, "m");
/** Rows of `StoredMessage`; add conditions with AND. Session is `?1`. */
export const storedMessageList = `SELECT ${storedFields} FROM messages m WHERE m.session_no = ?1`;
const upToBeginning = `${upFrom("0")} SELECT m.no, m.opened_seq AS opened, ${storedFields} ${fromBranch} AND m.kind = 'message' LIMIT ?3`;

/** `fold`: of an open message. A closed one goes out as its row is: a copy would take longer than all else. */
export function storedMessageJson(row: SqlRow, fold?: Fold): string {
  const whole = fold ? withContent(row, snapshot(fold)) : row;
  const json = whole["metadata"] === null ? bareJson(whole) : storedJson(whole);
  if (row["kind"] !== "flow") return json;
  return `${json.slice(0, -1)},"flow":${JSON.stringify({ toolCallId: row["label"] ?? "" })}}`;
}
const withContent = (row: SqlRow, { parts, metadata }: UIMessage): SqlRow => ({
  ...row,
  parts: JSON.stringify(parts),
  ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
});
