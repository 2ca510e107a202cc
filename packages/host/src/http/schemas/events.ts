/** What event streams carry in their `data`. `event:` is the type once more. */
import { z } from "zod";
import type { HostEvent } from "../../host/api.ts";
import type { TurnReport } from "../../ports/store.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { SessionEvent, Snapshot } from "../../protocol/events.ts";
import type { TurnRow } from "../../protocol/rows.ts";
import { answer, approval, approvalEnd } from "./approvals.ts";
import { input, inputReason, inputState } from "./inputs.ts";
import { message } from "./messages.ts";
import { named } from "./named.ts";
import { asked } from "./permission.ts";
import { sessionListItem, sessionRow } from "./sessions.ts";
import { tokens, usage } from "./usage.ts";
import { cursor, id, idOrNull, outcome, parts, permissionMode, textOrNull, time, timeOrNull } from "./values.ts";

const text = z.string();
const chunk = named(
  "Chunk",
  z.looseObject({ type: text }),
  "A chunk of the AI SDK's UI message stream.",
) as unknown as z.ZodType<UIMessageChunk>;

/** Each stored event says when it was stored. */
const of = <Type extends SessionEvent["type"], Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), sessionId: id, ...shape, at: time.exactOptional() });
const turnId = id.exactOptional();
const level = z.enum(["info", "warning", "error"]);

const approvalRequested = of("approval.requested", {
  approvalId: id,
  turnId,
  messageId: id.exactOptional(),
  toolCallId: text,
  toolName: text,
  input: z.unknown(),
  durable: z.boolean(),
  asked: asked.exactOptional(),
});
const approvalClosed = of("approval.closed", {
  approvalId: id,
  turnId,
  how: approvalEnd,
  answer: answer.nullable(),
});
const inputEvents = [
  of("input.accepted", { inputId: id, parts, author: textOrNull }),
  of("input.changed", {
    inputId: id,
    state: inputState.exactOptional(),
    reason: inputReason.exactOptional(),
    turnId,
    parts: parts.exactOptional(),
  }),
  of("queue.changed", { order: z.array(id) }),
] as const;
const turnEvents = [
  of("turn.started", {
    turnId: id,
    origin: z.enum(["user", "agent", "steer"]),
    inputId: id.exactOptional(),
    source: text.exactOptional(),
  }),
  of("turn.waiting", { turnId: id }),
  of("turn.resumed", { turnId: id }),
  of("turn.settled", {
    turnId: id,
    outcome,
    error: z.object({ code: text, message: text }).exactOptional(),
    usage: tokens,
    durationMs: z.number(),
  }),
] as const;
const messageEvents = [
  of("message.opened", {
    messageId: id,
    turnId,
    role: z.literal("assistant"),
    parentId: idOrNull,
    flow: z.object({ toolCallId: text }).exactOptional(),
  }),
  of("chunk", { messageId: id, turnId, chunk }),
  of("message.closed", { messageId: id, turnId, message: message.nullable() }),
  of("message.dropped", { messageId: id, turnId }),
] as const;
const otherEvents = [
  of("background.changed", { data: z.unknown() }),
  of("compaction", {
    state: z.enum(["started", "completed", "failed", "stopped"]),
    detail: text,
    messageId: id.exactOptional(),
  }),
  of("context", { usage: z.unknown() }),
  of("retry", {
    turnId,
    attempt: z.number(),
    maxAttempts: z.number(),
    delayMs: z.number(),
    status: z.number().nullable(),
    message: text,
  }),
  of("notice", { turnId, level, code: text, text }),
  of("session.changed", {
    change: z.object({
      title: textOrNull.exactOptional(),
      permissionMode: permissionMode.nullable().exactOptional(),
      leaf: idOrNull.exactOptional(),
      removedAt: timeOrNull.exactOptional(),
      model: text.exactOptional(),
      commands: z.unknown().exactOptional(),
    }),
  }),
] as const;

const turnFields = {
  id,
  no: z.int(),
  origin: z.enum(["user", "agent", "steer"]),
  inputId: idOrNull,
  status: z.enum(["open", "waiting", ...outcome.options]),
  reason: textOrNull,
  message: textOrNull,
  model: textOrNull,
  startedAt: time,
  endedAt: timeOrNull,
};
const turn = named("Turn", z.object(turnFields) satisfies z.ZodType<TurnRow>);
export const turnReports = named(
  "TurnReports",
  z.object({ items: z.array(z.object({ ...turnFields, used: usage }) satisfies z.ZodType<TurnReport>) }),
);
export const snapshot = named(
  "Snapshot",
  z.object({
    type: z.literal("snapshot"),
    sessionId: id,
    cursor,
    session: sessionRow,
    turn: turn.nullable(),
    open: z.array(message),
    inputs: z.array(input),
    approvals: z.array(approval),
    older: idOrNull,
    replay: cursor.nullable(),
  }) satisfies z.ZodType<Snapshot>,
);
export const sessionEvent = named(
  "SessionEvent",
  z.discriminatedUnion("type", [
    ...inputEvents,
    ...turnEvents,
    ...messageEvents,
    approvalRequested,
    approvalClosed,
    ...otherEvents,
    snapshot,
  ]) satisfies z.ZodType<SessionEvent | Snapshot>,
);
export const hostEvent = named(
  "HostEvent",
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("snapshot"),
      sessions: z.array(sessionListItem),
      next: textOrNull,
      approvals: z.array(approval),
    }),
    z.object({ type: z.literal("session.changed"), sessionId: id, session: sessionListItem.nullable() }),
    approvalRequested,
    approvalClosed,
  ]) satisfies z.ZodType<HostEvent>,
);
