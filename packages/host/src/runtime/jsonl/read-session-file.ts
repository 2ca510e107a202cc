/**
 * Reads a session file of version 3, and of 1 and 2 by making 3 of them. Invariants: nothing is written; a line of version
 * 3 is kept as it is, character for character; a line that is no JSON is left out, as is a cut last one; every entry has
 * an id of its own and a parent that comes before it, or none.
 */
import { readFile, stat } from "node:fs/promises";
import type { z } from "zod";
import { MooringError } from "../../index.ts";
import { SessionImportFileNotFoundError } from "../errors.ts";
import { runtimeLimits } from "../limits.ts";
import { isMissing } from "../services/read-json.ts";
import {
  entry as entrySchema,
  type FileEntry,
  header as headerSchema,
  type SessionFileHeader,
} from "./session-file.schema.ts";

export type ReadEntry = { readonly value: FileEntry; readonly line: string };
export type SessionFile = {
  readonly header: SessionFileHeader;
  readonly headerLine: string;
  readonly entries: readonly ReadEntry[];
};
const newest = 3;
type Line = { readonly value: Record<string, unknown>; readonly line: string };

/** Rejects with `SessionImportFileNotFoundError`, `not-a-session`, `unknown-session-version` or `session-file-too-large`. */
export async function readSessionFile(path: string): Promise<SessionFile> {
  try {
    const { size } = await stat(path);
    if (size > runtimeLimits.jsonlBytes) throw tooLarge(path, `${runtimeLimits.jsonlBytes} bytes`);
    return parseSessionFile(await readFile(path, "utf8"), path);
  } catch (cause) {
    if (isMissing(cause)) throw new SessionImportFileNotFoundError(path);
    throw cause;
  }
}
export function parseSessionFile(text: string, path: string): SessionFile {
  const [first, ...rest] = linesOf(text);
  const header = headerSchema.safeParse(first?.value);
  if (!header.success)
    throw new MooringError("not-a-session", `${path} is not a valid session: its first line is no session header.`, {
      detail: { path },
    });
  const { version } = header.data;
  if (version > newest)
    throw new MooringError(
      "unknown-session-version",
      `${path} is of version ${version}; up to ${newest} is understood. It was left as it is.`,
      { detail: { path, version } },
    );
  if (rest.length > runtimeLimits.jsonlEntries) throw tooLarge(path, `${runtimeLimits.jsonlEntries} entries`);
  const headerLine = first?.line ?? "";
  return { header: header.data, headerLine, entries: linked(rest.flatMap((line) => entryOf(line, version))) };
}
const tooLarge = (path: string, most: string): MooringError =>
  new MooringError("session-file-too-large", `${path} has more than ${most}.`, { detail: { path } });

/** Split at line feeds only: other line separators are part of JSON strings. */
function linesOf(text: string): readonly Line[] {
  return text.split("\n").flatMap((raw) => {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [{ value, line }] : [];
    } catch {
      return []; // damaged, or the last one was cut
    }
  });
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// --- older versions -----------------------------------------------------------------------------------------------

type Parsed = { readonly value: z.infer<typeof entrySchema>; readonly line: string };
function entryOf({ value, line }: Line, version: number): readonly Parsed[] {
  const changed = version < newest && renamed(value);
  const parsed = entrySchema.safeParse(changed || value);
  if (!parsed.success) return [];
  return [{ value: parsed.data, line: changed ? JSON.stringify(changed) : line }];
}
/** Until version 2 an extension's message had another role. False: nothing to change. */
function renamed(value: Record<string, unknown>): Record<string, unknown> | false {
  const { message } = value;
  if (!isObject(message) || message["role"] !== "hookMessage") return false;
  return { ...value, message: { ...message, role: "custom" } };
}
/** Ids where there are none (version 1 is a plain list), each once; parents that are there. */
function linked(parsed: readonly Parsed[]): readonly ReadEntry[] {
  const known = new Set<string>();
  const ids: string[] = [];
  return parsed.map(({ value, line }, index) => {
    const id = free(value.id ?? `e${String(index + 1).padStart(7, "0")}`, known);
    const given = value.parentId === undefined ? (ids.at(-1) ?? null) : value.parentId;
    const parentId = given !== null && known.has(given) ? given : null;
    known.add(id);
    ids.push(id);
    const asWas = value.id === id && value.parentId === parentId;
    const full = withKept({ ...value, id, parentId }, ids);
    return { value: full, line: asWas ? line : JSON.stringify(full) };
  });
}
function free(id: string, known: ReadonlySet<string>): string {
  let name = id;
  for (let n = 2; known.has(name); n++) name = `${id}-${n}`;
  return name;
}
/** Version 1 named the first entry a compaction kept by its place. */
function withKept(value: FileEntry, ids: readonly string[]): FileEntry {
  const at = value["firstKeptEntryIndex"];
  if (value.type !== "compaction" || typeof at !== "number") return value;
  const { firstKeptEntryIndex: _, ...rest } = value;
  const kept = ids[at - 1]; // the header was line 0
  return {
    ...rest,
    id: value.id,
    parentId: value.parentId,
    type: value.type,
    ...(kept === undefined ? {} : { firstKeptEntryId: kept }),
  };
}
