/** The journal's rows, in order from any number on. */
import type { Millis, Seq, SessionNo } from "../../protocol/ids.ts";
import type { StoredItem } from "./segment.ts";
import type { Sql } from "./sql.ts";

export type SegmentRow = { readonly first: Seq; readonly last: Seq; readonly at: Millis; readonly data: string };

const fromSegment = `SELECT first_seq AS first, last_seq AS last, at, data FROM events WHERE session_no = ?1
  AND first_seq >= coalesce((SELECT max(first_seq) FROM events WHERE session_no = ?1 AND first_seq <= ?2), 0)
  ORDER BY first_seq`;

/** Segments from the one that holds `seq` on, or from the first after it. */
export const segmentsFrom = (sql: Sql, session: SessionNo, seq: Seq): Iterable<SegmentRow> =>
  sql.each<SegmentRow>(fromSegment, session, seq);

export const itemsOf = (segment: SegmentRow): StoredItem[] => JSON.parse(segment.data) as StoredItem[];
