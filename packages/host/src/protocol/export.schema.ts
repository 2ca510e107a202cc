/**
 * A session's document from outside, checked row by row: the caller says which list a row is of. What is absent and may
 * be null is null; what is not known is left out.
 */
import { z } from "zod";
import { type SessionDocument, sessionFormat, sessionFormatVersion } from "./export.ts";
import { anyParts, parts } from "./parts.schema.ts";

/** Characters. */
const id = z.string().min(1).max(256);
const idOrNull = id.nullable().default(null);
const textOrNull = z.string().nullable().default(null);
/** Until the end of the year 9999. */
const time = z.int().min(0).max(253_402_300_799_999);
const timeOrNull = time.nullable().default(null);
const anything = z.unknown().default(null);
const count = z.int().min(0);
const outcome = z.enum(["completed", "failed", "stopped", "interrupted"]);

/** The lists as they are: their rows are checked one by one. */
export const envelope = z.object({
  format: z.literal(sessionFormat),
  version: z.literal(sessionFormatVersion),
  session: z.object({ id, title: textOrNull, leaf: idOrNull }),
  messages: z.array(z.unknown()),
  inputs: z.array(z.unknown()).default([]),
  turns: z.array(z.unknown()).default([]),
  approvals: z.array(z.unknown()).default([]),
  usage: z.array(z.unknown()).default([]),
});
export type DocumentHead = z.infer<typeof envelope>;

const placed = { id, parentId: idOrNull, turnId: idOrNull, inputId: idOrNull, model: textOrNull, author: textOrNull };
const closed = { originId: idOrNull, timing: anything, createdAt: time, closedAt: timeOrNull };
const message = z.object({
  ...placed,
  ...closed,
  kind: z.enum(["message", "flow"]),
  role: z.enum(["user", "assistant", "system"]),
  status: z.enum(["open", ...outcome.options]),
  ordinal: count.nullable().default(null),
  parts,
  metadata: anything,
  label: textOrNull,
});
const compaction = z.object({
  trigger: z.string(),
  summary: textOrNull,
  covers: textOrNull,
  data: anything,
});
/** Of a kind we do not know: an entry all the same, labelled with it. */
const entryWith = (
  contents: { readonly parts: typeof parts | typeof anyParts; readonly metadata: z.ZodType },
  role: "user" | "system" = "system",
) =>
  z
    .object({
      ...placed,
      ...closed,
      kind: z.string().min(1),
      label: textOrNull,
      parts: contents.parts.default([]),
      metadata: contents.metadata,
    })
    .transform((row) => ({
      ...row,
      kind: "entry" as const,
      label: row.label ?? row.kind,
      role,
      status: "completed" as const,
      ordinal: null,
    }));
const entry = entryWith({ parts: anyParts, metadata: anything });
/** An agent is told it: its parts have to be such as an agent can be told. */
const toldEntry = entryWith({ parts, metadata: anything }, "user");
const compactionEntry = entryWith({ parts, metadata: compaction });

const input = z.object({
  id,
  input: z.object({
    id,
    agentKey: z.string(),
    delivery: z.enum(["steer", "queue", "interrupt", "reject"]),
    parts,
    model: textOrNull,
    effort: textOrNull,
    headless: z.boolean(),
    branch: z
      .object({ messageId: id, position: z.enum(["before", "at"]) })
      .nullable()
      .default(null),
    author: textOrNull,
    origin: z.enum(["user", "hook", "continue"]),
    client: z.object({ id, hash: z.string() }).exactOptional(),
  }),
  state: z.enum(["queued", "held", "offered", "taken", "started", "answered", "unanswered", "cancelled"]),
  reason: z.enum(["failed", "stopped", "interrupted", "uncertain"]).nullable().default(null),
  turnId: idOrNull,
  messageId: idOrNull,
  position: count.nullable().default(null),
  bodyHash: z.string(),
  createdAt: time,
  updatedAt: time,
});
const turn = z.object({
  id,
  no: z.int().min(1),
  origin: z.enum(["user", "agent", "steer"]),
  inputId: idOrNull,
  status: z.enum(["open", "waiting", ...outcome.options]),
  reason: textOrNull,
  message: textOrNull,
  model: textOrNull,
  startedAt: time,
  endedAt: timeOrNull,
});
const decision = z.enum(["allow", "deny"]);
const asked = z.object({
  because: z.string(),
  category: z.enum(["read", "write", "shell", "network", "other"]),
  paths: z.array(z.string()),
  rule: z.object({ tool: z.string(), pattern: textOrNull }).nullable().default(null),
  needsPerson: z.boolean().optional(),
});
const approval = z.object({
  id,
  sessionId: id,
  turnId: idOrNull,
  messageId: idOrNull,
  toolCallId: z.string(),
  toolName: z.string(),
  input: anything,
  durable: z.boolean(),
  asked: asked.nullable().default(null),
  how: z
    .enum([...decision.options, "withdrawn", "interrupted", "expired"])
    .nullable()
    .default(null),
  answer: z.object({ decision, input: anything, reason: textOrNull, by: z.string() }).nullable().default(null),
  createdAt: time,
  closedAt: timeOrNull,
});
const usage = z.object({
  sessionId: id,
  turnId: idOrNull,
  messageId: idOrNull,
  report: z.object({
    requestId: id,
    model: z.string(),
    tokens: z.object({ input: count, output: count, reasoning: count, cacheRead: count, cacheWrite: count }),
    timing: z.object({ firstTokenMs: z.number().nullable(), totalMs: z.number().nullable() }),
    cost: z.object({ amount: z.number(), currency: z.string() }).nullable().default(null),
  }),
  at: time,
});

type Lists = Pick<SessionDocument, "messages" | "inputs" | "turns" | "approvals" | "usage">;
export type DocumentList = keyof Lists;
export type DocumentRow<List extends DocumentList> = Lists[List][number];

const simple = { inputs: input, turns: turn, approvals: approval, usage };

export function rowSchema(list: DocumentList, row: unknown): z.ZodType {
  if (list !== "messages") return simple[list];
  const { kind, label, role } = z.looseObject({}).safeParse(row).data ?? {};
  if (kind === "message" || kind === "flow") return message;
  if (kind === "entry" && label === "compaction") return compactionEntry;
  return kind === "entry" && role === "user" ? toldEntry : entry;
}
