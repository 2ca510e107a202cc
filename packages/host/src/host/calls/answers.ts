/** Answers to approvals: from anyone, at any time; the first wins and everyone else learns what it was. */
import { MooringError } from "../../protocol/errors.ts";
import type { ApprovalId } from "../../protocol/ids.ts";
import type { Answer } from "../../protocol/input.ts";
import type { ApprovalRow } from "../../protocol/rows.ts";
import type { ApprovalResult, NewAnswer } from "../api.ts";
import type { HostContext } from "../host-context.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { refusal } from "./submit.ts";

/** Durable when it resolves. Rejects with `no-such-approval`, `approval-conflict` (another decision won) or `approval-ended`. */
export async function answerApproval(
  context: HostContext,
  sessions: Sessions,
  id: ApprovalId,
  given: NewAnswer,
): Promise<ApprovalResult> {
  const row = await read(context, id);
  if (row.how !== null) return settled(row, given);
  const { no } = await sessions.find(row.sessionId);
  const session = await sessions.use(no);
  const answer = answerOf(given);
  const said = (await session.ask((to) => ({ type: "answer", to, approval: id, answer }))).answer;
  if (said.kind === "refused" && said.why !== "not-open") throw refusal(said.why);
  const now = await read(context, id);
  if (now.how === null) throw refusal("not-open");
  return said.kind === "done" ? { approval: now } : settled(now, given);
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
function answerOf({ decision, input, reason, by }: NewAnswer): Answer {
  if (decision !== "allow" && decision !== "deny")
    throw new MooringError("bad-input", "A decision is allow or deny.", { detail: { field: "decision" } });
  return { decision, input: input ?? null, reason: reason ?? null, by: by ?? "unknown" };
}
