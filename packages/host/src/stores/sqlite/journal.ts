/**
 * The journal's two tables. New segments go to the small `fresh_events`; when it is full they all move to `events`,
 * sorted by session. Of 200 sessions writing at once each has the end of its index on a page of its own: in one large
 * table every flush would write 200 of them, 4 KB for a segment of 100 bytes.
 *
 * Invariant: what `fresh_events` has of a session comes after all that `events` has of it.
 */
import type { Millis, Seq, SessionNo } from "../../protocol/ids.ts";
import { freshSegments } from "../limits.ts";
import type { StoredItem } from "./segment.ts";
import type { Sql } from "./sql.ts";

export type SegmentRow = { readonly first: Seq; readonly last: Seq; readonly at: Millis; readonly data: string };
const columns = "session_no, first_seq, last_seq, at, data";

const insert = `INSERT INTO fresh_events (${columns}) VALUES (?, ?, ?, ?, ?)`;

export const addSegment = (sql: Sql, session: SessionNo, { first, last, at, data }: SegmentRow): void =>
  void sql.run(insert, session, first, last, at, data);

export const countFresh = (sql: Sql): number =>
  sql.get<{ n: number }>("SELECT count(*) AS n FROM fresh_events")?.n ?? 0;

/** Whether it is time to settle. */
export const isFull = (fresh: number): boolean => fresh >= freshSegments;

export function settleFresh(sql: Sql): void {
  sql.run(`INSERT INTO events (${columns}) SELECT ${columns} FROM fresh_events ORDER BY session_no, first_seq`);
  sql.run("DELETE FROM fresh_events");
}

const from = (table: string): string => `SELECT first_seq AS first, last_seq AS last, at, data FROM ${table}
  WHERE session_no = ?1
  AND first_seq >= coalesce((SELECT max(first_seq) FROM ${table} WHERE session_no = ?1 AND first_seq <= ?2), 0)
  ORDER BY first_seq`;
const [fromSettled, fromFresh] = [from("events"), from("fresh_events")];

/** Segments in order, from the one that holds `seq` or the last before it on. */
export function* segmentsFrom(sql: Sql, session: SessionNo, seq: Seq): Generator<SegmentRow> {
  yield* sql.each<SegmentRow>(fromSettled, session, seq);
  yield* sql.each<SegmentRow>(fromFresh, session, seq);
}

export const itemsOf = (segment: SegmentRow): StoredItem[] => JSON.parse(segment.data) as StoredItem[];

const newest = (table: string): string =>
  `SELECT last_seq AS seq FROM ${table} WHERE session_no = ? ORDER BY first_seq DESC LIMIT 1`;
const [newestSettled, newestFresh] = [newest("events"), newest("fresh_events")];

/** The newest number of a session's journal; its horizon when every segment is gone. */
export function lastSeq(sql: Sql, session: SessionNo, horizon: Seq): Seq {
  const found = sql.get<{ seq: Seq }>(newestFresh, session) ?? sql.get<{ seq: Seq }>(newestSettled, session);
  return found?.seq ?? horizon;
}
