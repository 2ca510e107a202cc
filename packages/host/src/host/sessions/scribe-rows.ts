/** Rows as the scribe writes them: shapes only, no decisions. */
import type { CompactionDone } from "../../protocol/agent-events.ts";
import type { FlowNo, Millis } from "../../protocol/ids.ts";
import type { Input } from "../../protocol/input.ts";
import type { InputRow, MessageRow, TurnRow } from "../../protocol/rows.ts";
import type { TokenUsage } from "../../protocol/usage.ts";
import type { Placed } from "./entry-places.ts";

export const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
export const addTokens = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
});

const blank: Omit<MessageRow, keyof Placed | "role" | "status"> = {
  kind: "message",
  inputId: null,
  ordinal: null,
  parts: [],
  metadata: null,
  model: null,
  author: null,
  resumeToken: null,
  anchor: null,
  originId: null,
  label: null,
  timing: null,
  closedAt: null,
};

export const openMessageRow = (at: Placed, ordinal: number, model: string | null, author: string): MessageRow => ({
  ...blank,
  ...at,
  role: "assistant",
  status: "open",
  ordinal,
  model,
  author,
});
export const flowRow = (at: Placed, flow: FlowNo, root: string): MessageRow => ({
  ...blank,
  ...at,
  kind: "flow",
  role: "assistant",
  status: "open",
  ordinal: flow,
  label: root,
});
/**
 * The id of a chat client's message, where its stored message keeps it. It is the input's own id then, so no other input
 * has it; and none that the host could make.
 */
export const keptId = ({ id, client }: Input): string | undefined =>
  client?.id === id && !id.startsWith("msg_") ? id : undefined;
export const userMessageRow = (at: Placed, input: Input): MessageRow => ({
  ...blank,
  ...at,
  role: "user",
  status: "completed",
  inputId: input.id,
  parts: [...input.parts],
  metadata: { inputId: input.id, ...(input.client === undefined ? {} : { clientId: input.client.id }) },
  author: input.author,
  closedAt: at.createdAt,
});
/** Stands in the branch behind the last message that was there when it was made; its metadata is the compaction. */
export const compactionRow = (at: Placed, done: CompactionDone): MessageRow => ({
  ...blank,
  ...at,
  kind: "entry",
  role: "system",
  status: "completed",
  parts: done.summary === null ? [] : [{ type: "text", text: done.summary }],
  metadata: done,
  label: "compaction",
  closedAt: at.createdAt,
});
/** What an embedder keeps on the branch. Of role `user`: an agent is told its parts. */
export const entryRow = (
  at: Placed,
  { label, parts, metadata, told }: Pick<MessageRow, "label" | "parts" | "metadata"> & { readonly told: boolean },
): MessageRow => ({
  ...blank,
  ...at,
  kind: "entry",
  role: told ? "user" : "system",
  status: "completed",
  parts,
  metadata,
  label,
  closedAt: at.createdAt,
});
export const acceptedRow = (input: Input, position: number, bodyHash: string, at: Millis): InputRow => ({
  id: input.id,
  input,
  state: "queued",
  reason: null,
  turnId: null,
  messageId: null,
  position,
  bodyHash,
  createdAt: at,
  updatedAt: at,
});
export const openTurnRow = (
  row: Pick<TurnRow, "id" | "no" | "origin" | "inputId" | "model" | "startedAt">,
): TurnRow => ({
  ...row,
  status: "open",
  reason: null,
  message: null,
  endedAt: null,
});
