/** The row of a question as it was when it was asked. Pure. */
import type { ApprovalRow, SessionEvent } from "@mooring/host/protocol";

/** `at`: when it was asked, in ms since the epoch. */
export function approvalRow(
  asked: Extract<SessionEvent, { readonly type: "approval.requested" }>,
  at: number,
): ApprovalRow {
  const { approvalId: id, turnId = null, messageId = null, asked: why = null, type: _, ...call } = asked;
  return { ...call, asked: why, id, turnId, messageId, how: null, answer: null, createdAt: at, closedAt: null };
}
