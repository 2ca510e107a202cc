/** Ends a session for ever: its row and all that hangs on it. */
import type { SessionId, SessionNo } from "../../protocol/ids.ts";
import type { Sql } from "./sql.ts";

const owned = ["events", "fresh_events", "messages", "inputs", "turns", "approvals", "usage_records"];

/** Its number; null when there is no such session. */
export function removeSession(sql: Sql, id: SessionId): SessionNo | null {
  const found = sql.get<{ no: SessionNo }>("SELECT no FROM sessions WHERE id = ?", id);
  if (!found) return null;
  for (const table of owned) sql.run(`DELETE FROM ${table} WHERE session_no = ?`, found.no);
  sql.run("DELETE FROM rules WHERE session_id = ?", id);
  sql.run("DELETE FROM sessions WHERE no = ?", found.no);
  return found.no;
}
