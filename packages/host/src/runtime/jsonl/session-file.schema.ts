/** Lines of a session file from outside. What a line has beside this is kept with it, as it is. */
import { z } from "zod";

export const header = z.looseObject({
  type: z.literal("session"),
  version: z.number().int().min(1).default(1),
  id: z.string().min(1).max(256),
  timestamp: z.string().optional(),
  cwd: z.string().optional(),
  parentSession: z.string().optional(),
});
export type SessionFileHeader = z.infer<typeof header>;
export const entry = z.looseObject({
  type: z.string().min(1).max(64),
  id: z.string().min(1).max(256).optional(),
  parentId: z.string().max(256).nullish(),
  timestamp: z.string().optional(),
});
export type FileEntry = z.infer<typeof entry> & { readonly id: string; readonly parentId: string | null };

const block = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal("toolCall"), id: z.string(), name: z.string(), arguments: z.unknown() }),
  z.object({ type: z.string() }).transform(() => ({ type: "unknown" as const })),
]);
export type Block = z.infer<typeof block>;
const content = z.union([
  z.string().transform((text): Block[] => (text === "" ? [] : [{ type: "text", text }])),
  z.array(block),
]);
export const message = z.object({
  role: z.string(),
  content: content.default([]),
  model: z.string().optional(),
  stopReason: z.string().optional(),
  toolCallId: z.string().optional(),
  isError: z.boolean().default(false),
  customType: z.string().optional(),
  display: z.boolean().default(true),
  command: z.string().optional(),
  output: z.string().optional(),
});
export type FileMessage = z.infer<typeof message>;
export const customMessage = z.object({ customType: z.string(), content, display: z.boolean().default(true) });
export const compaction = z.object({ summary: z.string(), firstKeptEntryId: z.string().optional() });
export const branchSummary = z.object({ summary: z.string(), fromId: z.string().optional() });
