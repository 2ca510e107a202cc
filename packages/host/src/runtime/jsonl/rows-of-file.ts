/**
 * A session file's entries as rows of a session. Invariants: every line is kept with the row it stands behind, so that it
 * can be written again as it was, the header with the first; results of tools are part of the message that called them;
 * what is not known is an entry that nobody interprets.
 */
import type { ExportedMessage } from "../../protocol/export.ts";
import type { ImageContent, TextContent } from "../session/agent-message.ts";
import { contentParts, customParts } from "../session/user-parts.ts";
import { blankRow } from "../stored/blank-row.ts";
import type { ReadEntry, SessionFile } from "./read-session-file.ts";
import {
  type Block,
  branchSummary,
  compaction,
  customMessage,
  type FileMessage,
  message as messageSchema,
} from "./session-file.schema.ts";
import { sessionName } from "./write-session-file.ts";

type Said = TextContent | ImageContent;
type Part = ExportedMessage["parts"][number];
type Row = Omit<ExportedMessage, "metadata" | "parts"> & { metadata: Record<string, unknown>; parts: Part[] };
type Shape = Pick<Row, "kind" | "role"> & Partial<Pick<Row, "label" | "parts" | "metadata" | "status" | "model">>;

export type RowsOfFile = {
  readonly rows: readonly ExportedMessage[];
  /** What the next thing said is said behind. Null: the file has a header only. */
  readonly leaf: string | null;
  /** What a person called the session last. */
  readonly name: string | null;
};
export function rowsOfFile(file: SessionFile): RowsOfFile {
  return new FileRows().take(file);
}

class FileRows {
  readonly #rows: Row[] = [];
  /** The row each entry is, or stands behind: what follows the entry follows this row. */
  readonly #owner = new Map<string, Row>();
  readonly #parents = new Map<string, string | null>();

  take({ headerLine, entries }: SessionFile): RowsOfFile {
    for (const read of entries) {
      this.#parents.set(read.value.id, read.value.parentId);
      this.#take(read);
    }
    const [first] = this.#rows;
    if (first) linesKept(first).header = headerLine;
    const last = this.#owner.get(entries.at(-1)?.value.id ?? "");
    const info = entries.findLast(({ value }) => value.type === "session_info");
    return { rows: this.#rows, leaf: last?.id ?? null, name: sessionName(info?.value["name"]) };
  }
  #take(read: ReadEntry): void {
    const { value } = read;
    const message = value.type === "message" ? messageSchema.safeParse(value["message"]).data : undefined;
    if (message?.role === "toolResult" && this.#result(read, message)) return;
    this.#add(read, (message && shapeOfMessage(message)) ?? this.#shapeOf(read));
  }
  #add({ value, line }: ReadEntry, shape: Shape): void {
    const at = Math.max(0, Date.parse(value.timestamp ?? "") || 0);
    const parent = value.parentId === null ? undefined : this.#owner.get(value.parentId);
    const row: Row = {
      ...blank,
      status: "completed",
      ...shape,
      id: value.id,
      parentId: parent?.id ?? null,
      createdAt: at,
      closedAt: at,
      parts: [...(shape.parts ?? [])],
      metadata: keeping(shape, line),
    };
    this.#rows.push(row);
    this.#owner.set(value.id, row);
  }
  #shapeOf({ value }: ReadEntry): Shape {
    const label = /^[a-z][a-z0-9_.:-]{0,63}$/.test(value.type) ? value.type : "unknown";
    if (value.type === "compaction") return this.#compaction(value) ?? entry(label);
    const said = value.type === "custom_message" ? customMessage.safeParse(value).data : undefined;
    if (said) return custom(said.customType, blocks(said.content), said.display);
    const summary = value.type === "branch_summary" ? branchSummary.safeParse(value).data : undefined;
    if (summary) return { ...entry(label), role: "user", parts: [{ type: "text", text: summary.summary }] };
    return entry(label);
  }
  /** It stands for everything before the first entry it kept. */
  #compaction(value: ReadEntry["value"]): Shape | null {
    const parsed = compaction.safeParse(value).data;
    if (!parsed) return null;
    const kept = parsed.firstKeptEntryId ?? null;
    const last = kept !== null && this.#parents.has(kept) ? (this.#parents.get(kept) ?? null) : value.parentId;
    const covers = this.#messageAt(last);
    const metadata = { trigger: "imported", summary: parsed.summary, covers, data: null };
    return { ...entry("compaction"), parts: [{ type: "text", text: parsed.summary }], metadata };
  }
  #messageAt(from: string | null): string | null {
    for (let id = from; id !== null; id = this.#parents.get(id) ?? null) {
      const row = this.#owner.get(id);
      if (row?.kind === "message") return row.id;
    }
    return null;
  }
  /** True when the call it belongs to is above it. */
  #result({ value, line }: ReadEntry, message: FileMessage): boolean {
    for (let id = value.parentId; id !== null; id = this.#parents.get(id) ?? null) {
      const row = this.#owner.get(id);
      const at = row?.parts.findIndex((part) => part.type === "dynamic-tool" && part.toolCallId === message.toolCallId);
      if (row === undefined || at === undefined || at < 0) continue;
      const part = row.parts[at];
      if (part?.type !== "dynamic-tool") continue;
      row.parts[at] = ended(part, textOfBlocks(message.content), message.isError);
      // Others may stand between the call and its result: the line is kept behind the last of them.
      const before = this.#owner.get(value.parentId ?? "") ?? row;
      linesKept(before).jsonl.push(line);
      this.#owner.set(value.id, before);
      return true;
    }
    return false;
  }
}

type KeptLines = { readonly jsonl: string[]; header?: string };
/** The host reads a compaction's own words only: its lines are kept among what it leaves alone. */
const keeping = ({ label, metadata }: Shape, line: string): Record<string, unknown> =>
  label === "compaction" && metadata ? { ...metadata, data: { jsonl: [line] } } : { ...metadata, jsonl: [line] };
/** Of a row made here. */
const linesKept = ({ label, metadata }: Row): KeptLines =>
  (label === "compaction" && metadata["data"] ? metadata["data"] : metadata) as KeptLines;
const blank = { ...blankRow, label: null } as const;
const entry = (label: string): Shape => ({ kind: "entry", role: "system", label });

function shapeOfMessage(message: FileMessage): Shape | null {
  switch (message.role) {
    case "user":
      return { kind: "message", role: "user", parts: [...contentParts(blocks(message.content))] };
    case "assistant":
      return assistant(message);
    case "custom":
    case "hookMessage":
      return custom(message.customType ?? "unknown", blocks(message.content), message.display);
    case "bashExecution": {
      const text = `Ran \`${message.command ?? ""}\`\n\n${message.output ?? ""}`;
      return { kind: "message", role: "user", parts: [{ type: "text", text }] };
    }
    default:
      return null;
  }
}
function assistant({ content, model, stopReason }: FileMessage): Shape {
  const status = stopReason === "error" ? "failed" : stopReason === "aborted" ? "stopped" : "completed";
  return { kind: "message", role: "assistant", parts: content.flatMap(partOf), status, model: model ?? null };
}
function partOf(block: Block): readonly Part[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text, state: "done" }];
    case "thinking":
      return [{ type: "reasoning", text: block.thinking, state: "done" }];
    case "toolCall": {
      const { id: toolCallId, name: toolName, arguments: input } = block;
      const call = { type: "dynamic-tool", toolCallId, toolName, input: input ?? null } as const;
      return [{ ...call, state: "output-error", errorText: "How this call ended was not part of the file." }];
    }
    default:
      return [];
  }
}
type ToolPart = Extract<Part, { readonly type: "dynamic-tool" }>;
function ended({ toolCallId, toolName, input = null }: ToolPart, text: string, isError: boolean): ToolPart {
  const call = { type: "dynamic-tool", toolCallId, toolName, input } as const;
  return isError
    ? { ...call, state: "output-error", errorText: text }
    : { ...call, state: "output-available", output: text };
}
const custom = (customType: string, content: readonly Said[], display: boolean): Shape => ({
  kind: "message",
  role: "user",
  parts: [...customParts({ customType, content, display })],
});
const textOfBlocks = (content: readonly Block[]): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
/** Those a user may say. */
function blocks(content: readonly Block[]): readonly Said[] {
  return content.flatMap((block): readonly Said[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }];
    return block.type === "image" ? [{ type: "image", data: block.data, mimeType: block.mimeType }] : [];
  });
}
