/** What was decided about a call, and why. */
import type {
  AgentRule,
  PermissionMode,
  RuleEffect,
  RuleRow,
  RuleTarget,
  ToolCategory,
} from "../../protocol/permission.ts";
import { checkedRule, formatRule } from "./rule-notation.ts";

/** The steps of the one order, as `docs/permissions.md` names them; and who else may decide: a hook, a person, the agent. */
export type VerdictBy =
  | "disabled-tool"
  | "containment"
  | "hard-deny"
  | "rule"
  | "always-ask"
  | "mode"
  | "hook"
  | "person"
  | "agent";
export type Verdict = {
  readonly effect: RuleEffect;
  readonly by: VerdictBy;
  /** For people and for the agent: one sentence. */
  readonly because: string;
  /** Ids of stored rules it rests on. */
  readonly rules?: readonly string[];
};

/** A rule with where it comes from. */
export type JudgedRule = RuleTarget & {
  readonly effect: RuleEffect;
  /** Null: of the agent's configuration. */
  readonly stored: Pick<RuleRow, "id" | "scope" | "approvalId"> | null;
};
/** Everything configured that a verdict depends on. */
export type Policy = {
  readonly mode: PermissionMode;
  readonly disabledTools: readonly string[];
  readonly alwaysAsk: readonly string[];
  readonly rules: readonly JudgedRule[];
};

export const storedRule = ({ id, scope, approvalId, effect, tool, pattern }: RuleRow): JudgedRule => ({
  effect,
  tool,
  pattern,
  stored: { id, scope, approvalId },
});
export const configuredRule = (rule: AgentRule): JudgedRule => ({ ...checkedRule(rule), stored: null });

const ranks: Readonly<Record<RuleEffect, number>> = { allow: 0, ask: 1, deny: 2 };
/** The first, when both are as strict. */
export const stricterVerdict = (a: Verdict, b: Verdict): Verdict => (ranks[a.effect] >= ranks[b.effect] ? a : b);

export function ruleVerdict(effect: RuleEffect, rules: readonly JudgedRule[], hint = ""): Verdict {
  const verb = { allow: "Allowed", ask: "Asked", deny: "Denied" }[effect];
  const named = rules.map((rule) => `${short(formatRule(rule))} ${placeName(rule)}`).join(", ");
  const ids = rules.flatMap(({ stored }) => (stored === null ? [] : [stored.id]));
  const because = `${verb} by the rule${rules.length > 1 ? "s" : ""} ${named}.${hint}`;
  return { effect, by: "rule", because, ...(ids.length === 0 ? {} : { rules: ids }) };
}
const placeName = ({ stored }: JudgedRule): string =>
  stored === null ? "of the agent's configuration" : `of this ${stored.scope}`;
const short = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

export const categoryWords: Readonly<Record<ToolCategory, string>> = {
  read: "reads",
  write: "writes files",
  shell: "runs a command",
  network: "uses the network",
  other: "does something the host does not know",
};
