/**
 * Answers to approvals: from anyone, at any time; the first wins and everyone else learns what it was. Invariants: nobody
 * can allow what the engine denies at that moment; the rule an answer makes is stored in the transaction of the answer,
 * and says exactly the call that was asked about.
 */
import { carriable } from "../../protocol/carriable.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { ApprovalId } from "../../protocol/ids.ts";
import type { Answer } from "../../protocol/input.ts";
import type { AnswerScope, RuleRow } from "../../protocol/permission.ts";
import type { ApprovalRow } from "../../protocol/rows.ts";
import type { ApprovalResult, NewAnswer } from "../api.ts";
import type { HostContext } from "../host-context.ts";
import { askedCall, editedCall } from "../permission/edited-call.ts";
import { judgeNow } from "../permission/judge-call.ts";
import { ofAgent, ofHost, ofSession } from "../permission/rule-book.ts";
import { formatRule } from "../permission/rule-notation.ts";
import { storedRule } from "../permission/verdict.ts";
import type { LoadedSession } from "../sessions/loaded-session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { answerByRule } from "./answer-by-rule.ts";
import { ruleFor } from "./rules.ts";
import { refusal } from "./submit.ts";

/** Durable when it resolves. What it rejects with: `SessionHost.answer`. */
export async function answerApproval(
  context: HostContext,
  sessions: Sessions,
  id: ApprovalId,
  given: NewAnswer,
): Promise<ApprovalResult> {
  checkAnswer(given);
  const row = await read(context, id);
  if (row.how !== null) return settled(row, given);
  const session = await sessions.use((await sessions.find(row.sessionId)).no);
  if (given.decision === "allow") await checkAllowed(session, row, given.input);
  const answer = await answerOf(context, session, row, given);
  const said = (await session.ask((to) => ({ type: "answer", to, approval: id, answer }))).answer;
  if (said.kind === "refused" && said.why !== "not-open") throw refusal(said.why);
  const now = await read(context, id);
  if (now.how === null) throw refusal("not-open");
  if (said.kind !== "done") return settled(now, given);
  if (answer.rule) await answerByRule(context, sessions, answer.rule);
  return { approval: now };
}
async function read({ store }: HostContext, id: ApprovalId): Promise<ApprovalRow> {
  const row = await store.query.approval(id);
  if (row) return row;
  throw new MooringError("no-such-approval", `There is no approval "${id}".`, { detail: { approval: id } });
}
/** It was over already: the same decision is no error. */
function settled(approval: ApprovalRow, { decision }: NewAnswer): ApprovalResult {
  if (approval.how === decision) return { approval };
  const { id, how, answer } = approval;
  if (how === "allow" || how === "deny")
    throw new MooringError(
      "approval-conflict",
      `The approval was answered already: ${how}, by ${answer?.by ?? "someone"}.`,
      {
        detail: { approval: id, decision: how, by: answer?.by ?? null, reason: answer?.reason ?? null },
      },
    );
  throw new MooringError("approval-ended", "What asked is over; nothing can be decided any more.", {
    detail: { approval: id, how },
  });
}

const scopes: readonly AnswerScope[] = ["once", "session", "agent", "host"];
function checkAnswer({ decision, scope = "once", input }: NewAnswer): void {
  const bad = (field: string, message: string) => new MooringError("bad-input", message, { detail: { field } });
  if (decision !== "allow" && decision !== "deny") throw bad("decision", "A decision is allow or deny.");
  if (!scopes.includes(scope)) throw bad("scope", `The scope of an answer is one of ${scopes.join(", ")}.`);
  const isEdited = input !== undefined && input !== null;
  if (isEdited && decision === "deny") throw bad("input", "A call that is denied has no other input: leave it away.");
  if (isEdited && scope !== "once")
    throw bad("scope", "A call with another input is allowed once: answer it, then make a rule of what you mean.");
}

/** A person lifts a question, not a denial. */
async function checkAllowed(session: LoadedSession, row: ApprovalRow, input: unknown): Promise<void> {
  const isEdited = input !== undefined && input !== null;
  const call = isEdited ? await editedCall(row, input, session.config.row.workspace) : askedCall(row);
  const denied = (because: string) =>
    new MooringError("call-denied", `This call cannot be allowed. ${because}`, {
      detail: { approval: row.id, because },
    });
  if (call === null) throw denied("Which files it would touch cannot be told from the input you gave.");
  const { verdict } = await judgeNow(call, () => session.config.bounds(row.turnId));
  if (verdict.effect === "deny") throw denied(verdict.because);
}

async function answerOf(
  context: HostContext,
  session: LoadedSession,
  row: ApprovalRow,
  { decision, scope = "once", input, reason, by = "unknown" }: NewAnswer,
): Promise<Answer> {
  const answer = { decision, input: carriable(input ?? null), reason: carriable(reason ?? null), by };
  if (scope === "once") return answer;
  const target = row.asked?.rule ?? null;
  if (target === null) throw unavailable(row, "No rule says exactly this call and no other.");
  const { id, agentId } = session.config.row;
  const place = { session: ofSession(id), agent: ofAgent(agentId), host: ofHost }[scope];
  const rule = ruleFor(context, place, { ...target, effect: decision, approvalId: row.id, by });
  if (decision === "allow") await checkEffect(session, row, rule);
  return { ...answer, rule };
}
/** A rule that would not be heard is not made. */
async function checkEffect({ config }: LoadedSession, row: ApprovalRow, rule: RuleRow): Promise<void> {
  const { verdict } = await judgeNow(askedCall(row), () => {
    const { now, place } = config.bounds(row.turnId);
    return { now: { ...now, rules: [...now.rules, storedRule(rule)] }, atStart: null, place };
  });
  if (verdict.effect !== "allow")
    throw unavailable(row, `The rule ${formatRule(rule)} would change nothing. ${verdict.because}`);
}
const unavailable = ({ id }: ApprovalRow, why: string): MooringError =>
  new MooringError("scope-unavailable", `${why} Answer it once.`, { detail: { approval: id, field: "scope" } });
