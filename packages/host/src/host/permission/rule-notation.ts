/** A rule's target as people write it: `tool` or `tool(pattern)`. Reading what was written gives the same target back. */
import { MooringError } from "../../protocol/errors.ts";
import { type AgentRule, type RuleEffect, type RuleTarget, toolCategories } from "../../protocol/permission.ts";

/** Characters of a tool's name and of a pattern. */
const longest = { tool: 200, pattern: 20_000 };

/** `bash(git status*)`, `@write(src/**)`, `mcp__*`, `*`. Throws `bad-rule`. */
export function parseRule(text: string): RuleTarget {
  const open = text.indexOf("(");
  if (open === -1) return checkedTarget(text, null);
  if (!text.endsWith(")"))
    throw badRule("tool", `"${text}" is no rule: write tool(pattern), or the tool alone for every call.`);
  return checkedTarget(text.slice(0, open), text.slice(open + 1, -1));
}
export const formatRule = ({ tool, pattern }: RuleTarget): string => (pattern === null ? tool : `${tool}(${pattern})`);

/** A pattern that stands for everything is none. Throws `bad-rule`. */
export function checkedTarget(tool: string, pattern: string | null): RuleTarget {
  if (typeof tool !== "string" || tool.length > longest.tool || !/^@?[^\s()@]+$/u.test(tool))
    throw badRule(
      "tool",
      `"${String(tool).slice(0, 100)}" is no name of a tool: write it as the driver does, without spaces.`,
    );
  if (tool.startsWith("@") && !toolCategories.some((category) => `@${category}` === tool))
    throw badRule(
      "tool",
      `"${tool}" is no category: use one of ${toolCategories.map((each) => `@${each}`).join(", ")}.`,
    );
  if (pattern === null || pattern === "*" || pattern === "**") return { tool, pattern: null };
  if (typeof pattern !== "string" || pattern.trim() === "")
    throw badRule("pattern", "An empty pattern matches no call: leave it away for every call.");
  if (pattern.length > longest.pattern)
    throw badRule("pattern", `A pattern has at most ${longest.pattern} characters.`);
  return { tool, pattern };
}
/** Throws `bad-rule`. */
export function checkedRule({ effect, tool, pattern = null }: AgentRule): RuleTarget & { readonly effect: RuleEffect } {
  if (!effects.includes(effect)) throw badRule("effect", `The effect of a rule is one of ${effects.join(", ")}.`);
  return { ...checkedTarget(tool, pattern), effect };
}
const effects: readonly RuleEffect[] = ["allow", "ask", "deny"];
export const badRule = (field: string, message: string): MooringError =>
  new MooringError("bad-rule", message, { detail: { field } });
