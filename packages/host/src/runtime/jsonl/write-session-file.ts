/**
 * A conversation as a session file of version 3: the header, then the branch shown, or every branch. Invariants: what was
 * read from such a file is written as it was, character for character; everything else gets ids that are the same each
 * time; who reads the file goes on where the session goes on: the last line is of the branch shown.
 */
import { createHash } from "node:crypto";
import type { ExportedMessage } from "../../protocol/export.ts";
import { agentMessages } from "../session/stored-messages.ts";

export type FileHeader = {
  readonly id: string;
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly parentSession?: string | undefined;
  /** Of the session, for people. */
  readonly name: string | null;
};
export type FileRows = {
  /** In the order they were stored: the branch shown, or all. */
  readonly rows: readonly ExportedMessage[];
  /** The branch shown ends there. */
  readonly leaf: string | null;
  /** The session's first row: the header of the file it was read from is kept there. */
  readonly first: ExportedMessage | undefined;
};
type Row = ExportedMessage;
type Entry = Readonly<Record<string, unknown>> & { readonly type: string };

/** Ends with a line feed. */
export function sessionFileText(header: FileHeader, { rows, leaf, first }: FileRows): string {
  return [headerLine(header, first), ...new TreeLines().take(rows, leaf, header.name), ""].join("\n");
}
/** That of the file it was read from keeps what it said, but for where and under which name the session is now. */
function headerLine({ id, cwd, createdAt, parentSession }: FileHeader, first: Row | undefined): string {
  const parent = parentSession === undefined ? {} : { parentSession };
  const kept = first === undefined ? undefined : keptWith(first)["header"];
  if (typeof kept !== "string" || parentSession !== undefined)
    return JSON.stringify({ type: "session", version: 3, id, timestamp: time(createdAt), cwd, ...parent });
  return JSON.stringify({ ...objectOf(JSON.parse(kept)), version: 3, id, cwd });
}
const time = (at: number): string => new Date(at).toISOString();

class TreeLines {
  readonly #lines: string[] = [];
  readonly #ids = new Set<string>();
  /** Last line's id of each row. */
  readonly #ends = new Map<string, string>();
  #last: string | null = null;
  /** As the lines say it. */
  #name: string | null = null;

  take(rows: readonly Row[], leaf: string | null, name: string | null): readonly string[] {
    for (const row of rows) {
      const kept = keptLines(row);
      if (kept.length > 0) for (const line of kept) this.#keep(line);
      else this.#write(row);
      if (this.#last !== null) this.#ends.set(row.id, this.#last);
    }
    const end = this.#end(leaf) ?? null;
    const place = (entry: Entry): string => this.#place(entry, end, { of: "end", at: rows.at(-1)?.createdAt ?? 0 });
    if (name !== this.#name) place({ type: "session_info", name: name ?? "" });
    else if (this.#last !== end) place({ type: "custom", customType: "mooring.leaf" });
    return this.#lines;
  }
  #keep(line: string): void {
    const value = objectOf(JSON.parse(line));
    const id = String(value["id"]);
    this.#lines.push(line);
    this.#ids.add(id);
    this.#last = id;
    if (value["type"] === "session_info") this.#name = sessionName(value["name"]);
  }
  #write(row: Row): void {
    let parentId = this.#end(row.parentId) ?? null;
    for (const [index, entry] of this.#entriesOf(row).entries())
      parentId = this.#place(entry, parentId, { of: `${row.id}.${index}`, at: row.createdAt });
  }
  #place({ type, ...rest }: Entry, parentId: string | null, { of, at }: { of: string; at: number }): string {
    const id = this.#free(of);
    this.#lines.push(JSON.stringify({ type, id, parentId, timestamp: time(at), ...rest }));
    this.#last = id;
    return id;
  }
  #free(name: string): string {
    for (let n = 0; ; n++) {
      const id = createHash("sha256").update(`${name}.${n}`).digest("hex").slice(0, 8);
      if (this.#ids.has(id)) continue;
      this.#ids.add(id);
      return id;
    }
  }
  #entriesOf(row: Row): readonly Entry[] {
    if (row.kind === "message") return agentMessages(row).map(messageEntry);
    const data = objectOf(row.metadata);
    const text = row.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    switch (row.label) {
      case "compaction":
        return [{ type: "compaction", summary: String(data["summary"] ?? ""), ...this.#kept(data), tokensBefore: 0 }];
      case "branch_summary":
        return [{ type: "branch_summary", fromId: this.#end(data["fromId"]) ?? "root", summary: text }];
      case "label":
        return [{ type: "label", targetId: this.#end(data["targetId"]) ?? "", label: data["label"] ?? undefined }];
      case "custom":
        return [{ type: "custom", customType: data["customType"] ?? "", data: data["data"] ?? null }];
      default:
        return [{ type: "custom", customType: `mooring.${row.label ?? "entry"}`, data: row.metadata }];
    }
  }
  #end(row: unknown): string | undefined {
    return typeof row === "string" ? this.#ends.get(row) : undefined;
  }
  /** The first it kept is the one behind what it covers. */
  #kept(data: Readonly<Record<string, unknown>>): { readonly firstKeptEntryId?: string } {
    const covered = this.#end(data["covers"]);
    const at = this.#lines.findIndex((line) => covered !== undefined && line.includes(`"id":"${covered}"`));
    const next: unknown = at < 0 ? null : JSON.parse(this.#lines[at + 1] ?? "null");
    return typeof next === "object" && next !== null && "id" in next ? { firstKeptEntryId: String(next.id) } : {};
  }
}

/** As a `session_info` gives it: none is an empty one. */
export const sessionName = (name: unknown): string | null => (typeof name === "string" && name.trim()) || null;
/** Lines a row was read from. */
function keptLines(row: Row): readonly string[] {
  const lines = keptWith(row)["jsonl"];
  return Array.isArray(lines) ? lines.filter((line): line is string => typeof line === "string") : [];
}
function keptWith({ metadata }: Row): Readonly<Record<string, unknown>> {
  const own = objectOf(metadata);
  return "jsonl" in own ? own : objectOf(own["data"]);
}
const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };
function messageEntry(message: ReturnType<typeof agentMessages>[number]): Entry {
  if (message.role === "custom") {
    const { customType, content, display, details } = message;
    return { type: "custom_message", customType, content, display, ...(details === undefined ? {} : { details }) };
  }
  if (message.role !== "assistant") return { type: "message", message };
  return { type: "message", message: { api: "mooring", provider: "mooring", usage: noUsage, ...message } };
}
