/** Stored files, and where they are named. Reading what names them is cut into pieces: it goes through every row. */
import type { FileId, Millis } from "../../protocol/ids.ts";
import { fileIdsIn } from "../file-ids.ts";
import { namingRows } from "../limits.ts";
import { fileColumns, selectList } from "./columns.ts";
import { fileJson, listJson, oneJson } from "./row-json.ts";
import type { Sql } from "./sql.ts";

const fileRows = `SELECT ${selectList(fileColumns, "f")} FROM files f`;

export const readFile = (sql: Sql, id: FileId): string => oneJson(fileJson, sql.get(`${fileRows} WHERE f.id = ?`, id));

export const readFiles = (sql: Sql, before: Millis, after: FileId | null, limit: number): string =>
  listJson(
    fileJson,
    sql.all(`${fileRows} WHERE f.created_at < ?1 AND f.id > ?2 ORDER BY f.id LIMIT ?3`, before, after ?? "", limit),
  );

export const readSameBytes = (sql: Sql, hash: string, id: FileId): string =>
  oneJson(fileJson, sql.get(`${fileRows} WHERE f.hash = ? AND f.id <> ? LIMIT 1`, hash, id));

/** A table, and what of its rows may name a file. Fresh events are sorted in with the old ones, never back. */
const naming = [
  ["messages", "r.parts || coalesce(r.metadata, '')"],
  ["inputs", "r.input"],
  ["approvals", "coalesce(r.input, '') || coalesce(r.answer, '')"],
  ["fresh_events", "r.data"],
  ["events", "r.data"],
] as const;

/** Where reading goes on: which table, behind which row. */
export type NamingPlace = readonly [table: number, after: number];

/** A message that closes while this goes on is named by its events: the journal keeps them far longer. */
export function readNamedFiles(sql: Sql, [table, after]: NamingPlace): string {
  const found = naming[table];
  if (found === undefined) return JSON.stringify({ ids: [], next: null });
  const [name, text] = found;
  const stretch = `SELECT r.rowid AS no FROM ${name} r WHERE r.rowid > ?1 ORDER BY r.rowid LIMIT ?2`;
  const { last } = sql.get<{ last: number | null }>(`SELECT max(no) AS last FROM (${stretch})`, after, namingRows) ?? {
    last: null,
  };
  if (last === null) return JSON.stringify({ ids: [], next: [table + 1, 0] });
  const rows = sql.all<{ text: string }>(
    `SELECT ${text} AS text FROM ${name} r WHERE r.rowid > ?1 AND r.rowid <= ?2 AND instr(${text}, 'fil_') > 0`,
    after,
    last,
  );
  return JSON.stringify({ ids: rows.flatMap((row) => fileIdsIn(row.text)), next: [table, last] });
}
