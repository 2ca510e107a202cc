/** One session whole: for recovery, and for a reader whose cursor the journal no longer reaches. */
import type { Epoch, Seq, SessionNo } from "../../protocol/ids.ts";
import { type SqlRow, selectList, sessionColumns } from "./columns.ts";
import { lastSeq } from "./journal.ts";
import { liveInput, liveTurn } from "./live-rows.ts";
import { readInputs, readLiveTurns, readOpenApprovals } from "./read-lists.ts";
import { firstOpened, foldOpen, openRows, placedJson, storedMessageJson } from "./read-messages.ts";
import { listJson, oneJson, sessionJson, turnJson } from "./row-json.ts";
import type { Sql } from "./sql.ts";

type SessionSqlRow = SqlRow & { readonly epoch: Epoch; readonly horizon: Seq };

const sessionRow = (sql: Sql, session: SessionNo): SessionSqlRow | undefined =>
  sql.get<SessionSqlRow>(
    `SELECT s.epoch, s.horizon, ${selectList(sessionColumns, "s")} FROM sessions s WHERE s.no = ?`,
    session,
  );

export function readLoad(sql: Sql, session: SessionNo): string {
  const row = sessionRow(sql, session);
  if (!row) return "null";
  const turns = listJson(turnJson, readLiveTurns(sql, session));
  return `{"session":${sessionJson(row)},"epoch":${row.epoch},"horizon":${row.horizon},
    "nextSeq":${lastSeq(sql, session, row.horizon) + 1},"inputs":${readInputs(sql, session)},"openTurns":${turns},
    "lastTurn":${highest(sql, "SELECT max(no) AS n FROM turns WHERE session_no = ?", session)},
    "lastFlow":${highest(sql, "SELECT max(ordinal) AS n FROM messages WHERE session_no = ? AND kind = 'flow'", session)},
    "open":[${openRows(sql, session).map(placedJson).join(",")}],"openApprovals":${readOpenApprovals(sql, session)}}`;
}

const highest = (sql: Sql, text: string, session: SessionNo): number =>
  sql.get<{ n: number | null }>(text, session)?.n ?? 0;

export function readSnapshot(sql: Sql, session: SessionNo): string {
  const row = sessionRow(sql, session);
  if (!row) return "null";
  const turn = readLiveTurns(sql, session).at(-1);
  const open = openRows(sql, session);
  const folds = foldOpen(sql, session, open);
  const messages = open.map((message) => storedMessageJson(message, folds.get(message.no))).join(",");
  return `{"seq":${lastSeq(sql, session, row.horizon)},"session":${sessionJson(row)},
    "turn":${oneJson(turnJson, turn)},"open":[${messages}],"inputs":${readInputs(sql, session)},
    "approvals":${readOpenApprovals(sql, session)},"older":${JSON.stringify(openEnd(row["leaf"], open))},
    "opened":${open.length === 0 ? null : firstOpened(open)}}`;
}

/** The leaf, while it is open and has something before it. */
function openEnd(leaf: unknown, open: readonly SqlRow[]): unknown {
  const end = open.find((message) => message["id"] === leaf);
  return end && end["parentId"] !== null ? leaf : null;
}

const needRecovery = `SELECT session_no AS no FROM turns WHERE ${liveTurn}
  UNION SELECT session_no FROM messages WHERE status = 'open'
  UNION SELECT session_no FROM approvals WHERE how IS NULL
  UNION SELECT session_no FROM inputs WHERE ${liveInput}
  UNION SELECT no FROM sessions WHERE compacting = 1`;

export const readOpen = (sql: Sql, after: SessionNo, limit: number): string =>
  JSON.stringify(
    sql
      .all<{ no: SessionNo }>(`SELECT no FROM (${needRecovery}) WHERE no > ? ORDER BY no LIMIT ?`, after, limit)
      .map((row) => row.no),
  );
