/**
 * Drops journal segments that are older than the retention window. Invariants: the horizon moves in the transaction
 * that deletes, a segment goes whole or not at all, and none that may hold an event of an open message goes.
 */
import type { Millis, Seq, SessionNo } from "../../protocol/ids.ts";
import type { Sql } from "./sql.ts";

/** Sessions touched, at most `limit`. */
export function foldJournals(sql: Sql, before: Millis, limit: number): number {
  let touched = 0;
  for (const no of sessionsWithOld(sql, before)) {
    if (touched >= limit) break;
    if (foldJournal(sql, no, before)) touched += 1;
  }
  return touched;
}

/**
 * Segments lie in the order they were written, so the old ones come first; only those of open messages are met again
 * at the next fold. Collected before anything is deleted: a statement must not run over its own deletions.
 */
function sessionsWithOld(sql: Sql, before: Millis): SessionNo[] {
  const found = new Set<SessionNo>();
  for (const { no, at } of sql.each<{ no: SessionNo; at: Millis }>(
    "SELECT session_no AS no, at FROM events ORDER BY rowid",
  )) {
    if (at >= before) break;
    found.add(no);
  }
  return [...found];
}

function foldJournal(sql: Sql, no: SessionNo, before: Millis): boolean {
  const opened = sql.get<{ seq: Seq | null }>(
    "SELECT min(opened_seq) AS seq FROM messages WHERE session_no = ? AND status = 'open'",
    no,
  )?.seq;
  const kept = "SELECT min(first_seq) AS seq FROM events WHERE session_no = ? AND (at >= ? OR last_seq >= ?)";
  const firstKept = sql.get<{ seq: Seq | null }>(kept, no, before, opened ?? Number.MAX_SAFE_INTEGER)?.seq;
  const last = "SELECT max(last_seq) AS seq FROM events WHERE session_no = ? AND first_seq < ?";
  const horizon = sql.get<{ seq: Seq | null }>(last, no, firstKept ?? Number.MAX_SAFE_INTEGER)?.seq;
  if (horizon === null || horizon === undefined) return false;
  sql.run("DELETE FROM events WHERE session_no = ? AND last_seq <= ?", no, horizon);
  sql.run("DELETE FROM messages WHERE session_no = ? AND status = 'dropped' AND opened_seq <= ?", no, horizon + 1);
  sql.run("UPDATE sessions SET horizon = ? WHERE no = ?", horizon, no);
  return true;
}
