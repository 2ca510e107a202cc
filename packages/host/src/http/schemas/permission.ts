/** Rules about tools, and why a person was asked. */
import { z } from "zod";
import type { NewRule } from "../../host/api.ts";
import {
  type AgentRule,
  type Asked,
  type RuleRow,
  type RuleTarget,
  toolCategories,
} from "../../protocol/permission.ts";
import { named } from "./named.ts";
import { id, idOrNull, textOrNull, time } from "./values.ts";

const text = z.string();
const effect = z.enum(["allow", "ask", "deny"]);
const scopes = ["session", "agent", "host"] as const;
const scope = z.enum(scopes);
export const answerScope = z.enum(["once", ...scopes]);
export const toolCategory = z.enum(toolCategories as ["read", ...typeof toolCategories]);
const target = { tool: text, pattern: textOrNull };

export const agentRule = named(
  "AgentRule",
  z.strictObject({ effect, tool: text, pattern: textOrNull.exactOptional() }) satisfies z.ZodType<AgentRule>,
);
export const rule = named(
  "Rule",
  z.object({
    ...target,
    id,
    scope,
    sessionId: idOrNull,
    agentId: idOrNull,
    effect,
    approvalId: idOrNull,
    createdAt: time,
    by: text,
  }) satisfies z.ZodType<RuleRow>,
);
export const ruleList = named("RuleList", z.object({ items: z.array(rule) }));
export const newRule = named(
  "NewRule",
  z.strictObject({
    effect,
    tool: text,
    pattern: textOrNull.exactOptional(),
    scope,
    sessionId: id.exactOptional(),
    agent: text.exactOptional(),
  }) satisfies z.ZodType<NewRule>,
);
export const asked = named(
  "Asked",
  z.object({
    because: text,
    category: toolCategory,
    paths: z.array(text),
    rule: (z.object(target) satisfies z.ZodType<RuleTarget>).nullable(),
  }) satisfies z.ZodType<Asked>,
  "Why a person was asked, and what is known of the call.",
);
