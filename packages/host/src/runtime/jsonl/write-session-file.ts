/**
 * A conversation as a session file of version 3: the header, then the branch shown. Invariants: what was read from such a
 * file is written as it was, character for character; everything else gets ids that are the same each time; each entry
 * names the one before it as its parent.
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
};
type Row = ExportedMessage;
type Entry = Readonly<Record<string, unknown>> & { readonly type: string };

/** Ends with a line feed. `rows`: the branch, oldest first. */
export function sessionFileText({ id, cwd, createdAt, parentSession }: FileHeader, rows: readonly Row[]): string {
  const parent = parentSession === undefined ? {} : { parentSession };
  const header = { type: "session", version: 3, id, timestamp: time(createdAt), cwd, ...parent };
  return [JSON.stringify(header), ...new BranchLines().take(rows), ""].join("\n");
}
const time = (at: number): string => new Date(at).toISOString();

class BranchLines {
  readonly #lines: string[] = [];
  readonly #ids = new Set<string>();
  /** Last line's id of each row. */
  readonly #ends = new Map<string, string>();
  #last: string | null = null;

  take(rows: readonly Row[]): readonly string[] {
    for (const row of rows) {
      const kept = keptLines(row);
      if (kept.length > 0) for (const line of kept) this.#keep(line);
      else this.#write(row);
      if (this.#last !== null) this.#ends.set(row.id, this.#last);
    }
    return this.#lines;
  }
  #keep(line: string): void {
    const value: unknown = JSON.parse(line);
    const id = typeof value === "object" && value !== null && "id" in value ? String(value.id) : null;
    this.#lines.push(line);
    if (id !== null) this.#ids.add(id);
    this.#last = id ?? this.#last;
  }
  #write(row: Row): void {
    for (const [index, entry] of this.#entriesOf(row).entries()) {
      const id = this.#free(`${row.id}.${index}`);
      const { type, ...rest } = entry;
      const placed = { type, id, parentId: this.#last, timestamp: time(row.createdAt), ...rest };
      this.#lines.push(JSON.stringify(placed));
      this.#last = id;
    }
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

/** Lines a row was read from. */
function keptLines({ metadata }: Row): readonly string[] {
  const { jsonl, data } = objectOf(metadata);
  const lines = jsonl ?? objectOf(data)["jsonl"];
  return Array.isArray(lines) ? lines.filter((line): line is string => typeof line === "string") : [];
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
