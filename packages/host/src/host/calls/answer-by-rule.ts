/**
 * What a new rule decides of the questions that are open already. Who allowed a call from now on did not mean to be asked
 * about it again, and what is denied from now on cannot be allowed by an answer either.
 */
import { messageOf } from "../../protocol/errors.ts";
import type { RuleRow } from "../../protocol/permission.ts";
import type { ApprovalRow } from "../../protocol/rows.ts";
import type { HostContext } from "../host-context.ts";
import { askedCall } from "../permission/edited-call.ts";
import { judgeNow } from "../permission/judge-call.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** Open questions looked at, the newest first. */
const most = 1_000;

/** Never rejects: a question that cannot be answered now stays open, and is reported. */
export async function answerByRule(context: HostContext, sessions: Sessions, rule: RuleRow): Promise<void> {
  const { store, log } = context;
  const warn = (cause: unknown): void =>
    log.warn("answer-by-rule-failed", { rule: rule.id, message: messageOf(cause) });
  const of = rule.sessionId === null ? {} : { sessionId: rule.sessionId };
  const open = await store.query.approvals({ open: true, limit: most, ...of }).catch((cause: unknown) => {
    warn(cause);
    return [];
  });
  for (const row of open) if (row.asked !== null) await answerOne(sessions, rule, row).catch(warn);
}
async function answerOne(sessions: Sessions, rule: RuleRow, row: ApprovalRow): Promise<void> {
  const { no, row: of } = await sessions.find(row.sessionId, "included");
  if (rule.agentId !== null && rule.agentId !== of.agentId) return;
  const session = await sessions.use(no);
  const { verdict } = await judgeNow(askedCall(row), () => session.config.bounds(row.turnId));
  const { effect, because, rules = [] } = verdict;
  if (effect === "ask" || !rules.includes(rule.id)) return;
  const answer = { decision: effect, input: null, reason: because, by: "rule" };
  await session.ask((to) => ({ type: "answer", to, approval: row.id, answer }));
}
