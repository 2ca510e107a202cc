/**
 * The one order in which a call is decided, for every driver. Pure: what has to be read from the disk is read before.
 * Invariants: a denial of an earlier step is lifted by nothing in a later one; another allow rule never allows what is
 * denied; a stricter mode, another deny or ask rule, another disabled or always-ask tool never loosens.
 */
import type { PermissionMode, RuleEffect, ToolCategory } from "../../protocol/permission.ts";
import { permissionModes } from "../../protocol/permission.ts";
import { isInside } from "./containment.ts";
import { hardDeny, holdsHostData } from "./hard-denies.ts";
import { coveredBy, isAboutTool, namesTool, restrictsTool, type Toucher, toucherOf } from "./rule-match.ts";
import { type JudgedCall, type Place, type Subject, subjectOf } from "./subject.ts";
import { categoryWords, type JudgedRule, type Policy, ruleVerdict, type Verdict } from "./verdict.ts";

type Case = {
  readonly call: JudgedCall;
  readonly place: Place;
  readonly policy: Policy;
  readonly subject: Subject;
  readonly touch: Toucher;
};
type Step = (one: Case) => Verdict | null;

export const modeTable: { readonly [Mode in PermissionMode]: { readonly [C in ToolCategory]: RuleEffect } } = {
  plan: { read: "allow", write: "deny", shell: "deny", network: "ask", other: "deny" },
  default: { read: "allow", write: "ask", shell: "ask", network: "ask", other: "ask" },
  acceptEdits: { read: "allow", write: "allow", shell: "ask", network: "ask", other: "ask" },
  bypassPermissions: { read: "allow", write: "allow", shell: "allow", network: "allow", other: "allow" },
};
export const stricter = (a: PermissionMode, b: PermissionMode): PermissionMode =>
  permissionModes.indexOf(a) <= permissionModes.indexOf(b) ? a : b;

export function decide(call: JudgedCall, place: Place, policy: Policy): Verdict {
  const subject = subjectOf(call, place);
  const one: Case = { call, place, policy, subject, touch: toucherOf(subject) };
  for (const step of order) {
    const verdict = step(one);
    if (verdict !== null) return verdict;
  }
  return byMode(one);
}

const disabledTool: Step = ({ call, policy }) =>
  policy.disabledTools.includes(call.toolName)
    ? { effect: "deny", by: "disabled-tool", because: `The tool "${call.toolName}" is disabled for this agent.` }
    : null;

const containment: Step = ({ call, place }) => {
  const isKept = (real: string | null): boolean =>
    real !== null && (isInside(real, place.workspace) || isInside(real, place.home));
  const outside = call.paths.find(({ real }) => !isKept(real));
  if (outside === undefined) return null;
  return { effect: "deny", by: "containment", because: `"${outside.given}" is outside the workspace.` };
};

const neverAllowed: Step = ({ call, place }) => {
  const reason = hardDeny(call, place);
  return reason === null ? null : { effect: "deny", by: "hard-deny", because: `Never allowed: ${reason}.` };
};

/** One that may be about the call and cannot be read asks: a person can read it. */
const denyRule: Step = (one) => {
  const rules = touching(one, "deny");
  return rules.sure.length > 0 ? ruleVerdict("deny", rules.sure) : null;
};

/** Before everything that asks or allows: nobody is asked about what cannot be allowed. */
const modeForbids: Step = ({ call, policy }) =>
  modeTable[policy.mode][call.category] === "deny" && !call.needsPerson // a question changes nothing
    ? {
        effect: "deny",
        by: "mode",
        because: `The session is in mode "${policy.mode}", which changes nothing. Propose it instead.`,
      }
    : null;

const alwaysAsk: Step = (one) => {
  const { call, place, policy } = one;
  const ask = (because: string): Verdict => ({ effect: "ask", by: "always-ask", because });
  if (call.needsPerson) return ask("This tool is a question to a person.");
  if (holdsHostData(call, place)) return ask("The directory holds the host's own data: a narrower one would not.");
  const name = policy.alwaysAsk.find((tool) => restrictsTool({ tool, pattern: null }, call));
  if (name === undefined || allowing(one, (rule) => namesTool(rule)) !== null) return null;
  return ask(
    `A person decides every call of "${call.toolName}"${name === call.toolName ? "" : ` (always ask: ${name})`}.`,
  );
};

const askRule: Step = (one) => {
  const asking = touching(one, "ask");
  if (asking.sure.length > 0) return ruleVerdict("ask", asking.sure);
  const unsure = [...touching(one, "deny").unsure, ...asking.unsure];
  return unsure.length > 0 ? ruleVerdict("ask", unsure, " Whether it is about this call cannot be told.") : null;
};

const allowRule: Step = (one) => {
  const rules = allowing(one, () => true);
  return rules === null ? null : ruleVerdict("allow", rules);
};

const order: readonly Step[] = [
  disabledTool,
  containment,
  neverAllowed,
  denyRule,
  modeForbids,
  alwaysAsk,
  askRule,
  allowRule,
];

function byMode({ call, policy }: Case): Verdict {
  const effect = modeTable[policy.mode][call.category];
  const what = `a call that ${categoryWords[call.category]}`;
  return {
    effect,
    by: "mode",
    because: `Mode "${policy.mode}" ${effect === "ask" ? "asks before" : "allows"} ${what}.`,
  };
}

function touching({ call, policy, touch }: Case, effect: RuleEffect) {
  const about = policy.rules.filter((rule) => rule.effect === effect && restrictsTool(rule, call));
  const found = about.map((rule) => ({ rule, touches: touch(rule) }));
  const that = (wanted: "yes" | "unclear"): readonly JudgedRule[] =>
    found.flatMap(({ rule, touches }) => (touches === wanted ? [rule] : []));
  return { sure: that("yes").slice(0, 3), unsure: that("unclear").slice(0, 3) };
}
function allowing({ call, policy, subject }: Case, counts: (rule: JudgedRule) => boolean) {
  const about = policy.rules.filter((rule) => rule.effect === "allow" && isAboutTool(rule, call) && counts(rule));
  return about.length === 0 ? null : coveredBy(about, subject);
}
