/**
 * Drops journal segments that are older than the retention window. Invariants: the horizon moves in the transaction
 * that deletes, a segment goes whole or not at all, and none that may hold an event of an open message goes.
 */
import type { Millis, Seq, SessionNo } from "../../protocol/ids.ts";
import { settleFresh } from "./journal.ts";
import type { Sql } from "./sql.ts";

/** Sessions touched, at most `limit`. */
export function foldJournals(sql: Sql, before: Millis, limit: number): number {
  settleFresh(sql);
  let touched = 0;
  // All at once: a statement must not run over its own deletions.
  for (const { no } of sql.all<{ no: SessionNo }>(beginOld, before)) {
    if (touched >= limit) break;
    if (foldJournal(sql, no, before)) touched += 1;
  }
  return touched;
}

/** Sessions whose first segment is old: from one session to the next in the index. Only recent ones have segments. */
const beginOld = `WITH RECURSIVE journals (no) AS (
    SELECT min(session_no) FROM events
    UNION ALL SELECT (SELECT min(session_no) FROM events WHERE session_no > no) FROM journals WHERE no IS NOT NULL)
  SELECT no FROM journals
  WHERE (SELECT at FROM events WHERE session_no = no ORDER BY first_seq LIMIT 1) < ?`;

const firstOpened = "SELECT min(opened_seq) AS seq FROM messages WHERE session_no = ? AND status = 'open'";
const firstKept = "SELECT min(first_seq) AS seq FROM events WHERE session_no = ? AND (at >= ? OR last_seq >= ?)";
const lastDropped = "SELECT max(last_seq) AS seq FROM events WHERE session_no = ? AND first_seq < ?";
const end = Number.MAX_SAFE_INTEGER;

function foldJournal(sql: Sql, no: SessionNo, before: Millis): boolean {
  const seq = (text: string, ...values: readonly number[]): Seq | null =>
    sql.get<{ seq: Seq | null }>(text, no, ...values)?.seq ?? null;
  const horizon = seq(lastDropped, seq(firstKept, before, seq(firstOpened) ?? end) ?? end);
  if (horizon === null) return false;
  sql.run("DELETE FROM events WHERE session_no = ? AND last_seq <= ?", no, horizon);
  sql.run("DELETE FROM messages WHERE session_no = ? AND status = 'dropped' AND opened_seq <= ?", no, horizon + 1);
  sql.run("UPDATE sessions SET horizon = ? WHERE no = ?", horizon, no);
  return true;
}
