/** Questions that block tool calls, and their answers. */
import { z } from "zod";
import type { ApprovalResult, NewAnswer } from "../../host/api.ts";
import type { Answer } from "../../protocol/input.ts";
import type { ApprovalRow } from "../../protocol/rows.ts";
import { named } from "./named.ts";
import { answerScope, asked, rule } from "./permission.ts";
import { id, idOrNull, textOrNull, time, timeOrNull } from "./values.ts";

const decision = z.enum(["allow", "deny"]);
export const approvalEnd = z.enum([...decision.options, "withdrawn", "interrupted", "expired"]);

export const answer = named(
  "Answer",
  z.object({
    decision,
    input: z.unknown(),
    reason: textOrNull,
    by: z.string(),
    rule: rule.exactOptional(),
  }) satisfies z.ZodType<Answer>,
);
export const newAnswer = named(
  "NewAnswer",
  z.strictObject({
    decision,
    scope: answerScope.exactOptional(),
    input: z.unknown().exactOptional().meta({ description: "Replaces the tool's input." }),
    reason: z.string().exactOptional(),
  }) satisfies z.ZodType<NewAnswer>,
);
export const approval = named(
  "Approval",
  z.object({
    id,
    sessionId: id,
    turnId: idOrNull,
    messageId: idOrNull,
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
    durable: z.boolean(),
    asked: asked.nullable(),
    how: approvalEnd.nullable().meta({ description: "null: open." }),
    answer: answer.nullable(),
    createdAt: time,
    closedAt: timeOrNull,
  }) satisfies z.ZodType<ApprovalRow>,
);
export const approvalList = named("ApprovalList", z.object({ items: z.array(approval) }));
export const approvalResult = named("ApprovalResult", z.object({ approval }) satisfies z.ZodType<ApprovalResult>);
