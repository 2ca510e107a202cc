/** Stored rules, as callers see and change them. Stored before anyone is judged by them. */
import { MooringError } from "../../protocol/errors.ts";
import type { RuleId } from "../../protocol/ids.ts";
import type { RuleRow, RuleTarget } from "../../protocol/permission.ts";
import type { NewRule, SessionHost } from "../api.ts";
import type { HostContext } from "../host-context.ts";
import { ofAgent, ofHost, ofSession } from "../permission/rule-book.ts";
import { badRule, checkedRule } from "../permission/rule-notation.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { answerByRule } from "./answer-by-rule.ts";

type Place = Pick<RuleRow, "scope" | "sessionId" | "agentId">;
type Made = RuleTarget & Pick<RuleRow, "effect" | "approvalId" | "by">;

export function rulesOf(context: HostContext, sessions: Sessions): SessionHost["rules"] {
  const { rules, agents } = context;
  return {
    list: async ({ sessionId, agent } = {}) => {
      if (sessionId !== undefined) {
        const { row } = await sessions.find(sessionId);
        return rules.holding(row.id, row.agentId);
      }
      return agent === undefined ? rules.list() : rules.of(ofAgent(agents.get(agent).id));
    },
    add: async (rule) => {
      const made = { ...checkedRule(rule), approvalId: null, by: rule.by ?? "unknown" };
      const row = ruleFor(context, await placeOf(context, sessions, rule), made);
      await context.store.change([{ write: "rule", row }]);
      rules.add(row);
      await answerByRule(context, sessions, row);
      return row;
    },
    remove: (id) => removeRule(context, id),
  };
}
async function removeRule({ rules, store }: HostContext, id: RuleId): Promise<void> {
  if (!rules.get(id))
    throw new MooringError("no-such-rule", `There is no rule "${id}". List them to see which there are.`, {
      detail: { rule: id },
    });
  await store.change([{ write: "rule-remove", id }]);
  rules.remove(id);
}
/** The row to store; the one that says the same there, if there is one. Throws `too-many-rules`. */
export function ruleFor({ rules, ids, clock, limits }: HostContext, place: Place, made: Made): RuleRow {
  const there = rules.of(place);
  const { tool, pattern, effect } = made;
  const same = there.find((row) => row.tool === tool && row.pattern === pattern && row.effect === effect);
  if (same) return same;
  if (there.length >= limits.rules)
    throw new MooringError("too-many-rules", `At most ${limits.rules} rules hold in one place. Remove some first.`, {
      detail: { scope: place.scope, limit: limits.rules },
    });
  return { id: ids.make("rul"), ...place, ...made, createdAt: clock.now() };
}
async function placeOf({ agents }: HostContext, sessions: Sessions, rule: NewRule): Promise<Place> {
  const { scope, sessionId, agent } = rule;
  if (scope === "host") return ofHost;
  if (scope === "session" && sessionId !== undefined) return ofSession((await sessions.find(sessionId)).row.id);
  if (scope === "agent" && agent !== undefined) return ofAgent(agents.get(agent).id);
  if (scope === "session") throw badRule("sessionId", "A rule of scope session names its session.");
  if (scope === "agent") throw badRule("agent", "A rule of scope agent names its agent.");
  throw badRule("scope", "The scope of a rule is session, agent or host.");
}
