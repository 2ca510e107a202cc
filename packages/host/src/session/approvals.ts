/**
 * Questions that block a tool call. The answer's row is written first, then the agent is released. An approval ends
 * once, and dies with its turn; one asked outside a turn dies with its connection.
 */
import type { ApprovalRequest } from "../protocol/agent-events.ts";
import type { ApprovalId, ConnectionNo } from "../protocol/ids.ts";
import type { Answer, ApprovalEnd } from "../protocol/input.ts";
import type { Draft } from "./draft.ts";
import type { Command } from "./events.ts";
import type { Approval, Session, Turn } from "./state.ts";

const by = (who: string, reason: string): Answer => ({ decision: "deny", input: null, reason, by: who });

export function requestApproval(d: Draft, connection: ConnectionNo, request: ApprovalRequest, turn: Turn | null): void {
  const known = d.s.approvals.find((a) => a.request.approval === request.approval);
  if (known) return askedAgain(d, connection, known);
  if (d.s.link.kind === "none" || d.s.link.connection !== connection) return; // it was kept, and who asked is gone
  if (d.s.approvals.length >= d.s.limits.approvals)
    return release(d, connection, request.approval, by("host", "Too many questions are open."));
  if (turn?.stop) return release(d, connection, request.approval, by("host", "The turn is being stopped."));
  const asked: Approval = { request, connection, turn: turn?.no ?? null, answer: null, saved: false };
  d.set({ approvals: [...d.s.approvals, asked] });
  d.save({ op: "approval-opened", request, turn: asked.turn });
  if (turn?.input?.headless && d.s.target.unattended === "deny")
    closeApproval(d, asked, by("unattended", "Nobody can answer: the turn runs unattended."));
}
/** A reconnected agent asks what it asked before; what a person decided meanwhile is told at once. */
function askedAgain(d: Draft, connection: ConnectionNo, known: Approval): void {
  if (known.connection !== null) return d.violation("approval-twice");
  if (known.answer === null || !known.saved) return replace(d, known, { ...known, connection });
  d.set({ approvals: d.s.approvals.filter((a) => a !== known) });
  release(d, connection, known.request.approval, known.answer);
}
const release = (d: Draft, connection: ConnectionNo, approval: ApprovalId, answer: Answer): void =>
  d.emit({ type: "release-approval", connection, approval, answer });
const replace = (d: Draft, old: Approval, next: Approval): void =>
  d.set({ approvals: d.s.approvals.map((a) => (a === old ? next : a)) });

/** First answer wins; the loser learns the winner's, after it is durable. */
export function answerApproval(d: Draft, e: Extract<Command, { type: "answer" }>): void {
  const found = d.s.approvals.find((a) => a.request.approval === e.approval);
  if (!found) return d.refuse(e.to, "not-open");
  if (found.answer) return d.reply(e.to, { kind: "conflict", answer: found.answer });
  closeApproval(d, found, e.answer);
  d.reply(e.to, { kind: "done", state: "answered" });
}
function closeApproval(d: Draft, found: Approval, answer: Answer, how: ApprovalEnd = answer.decision): void {
  replace(d, found, { ...found, answer });
  const approval = found.request.approval;
  d.save({ op: "approval-closed", approval, how, answer });
  d.fact({ type: "approval-saved", approval });
}
/** The row is safe: release the agent that asked. One whose connection is gone is told when it asks again. */
export function approvalSaved(d: Draft, id: ApprovalId): void {
  const found = d.s.approvals.find((a) => a.request.approval === id);
  if (!found?.answer) return;
  if (found.connection === null) return replace(d, found, { ...found, saved: true });
  d.set({ approvals: d.s.approvals.filter((a) => a !== found) });
  if (d.s.link.kind === "open" && d.s.link.connection === found.connection)
    release(d, found.connection, id, found.answer);
}
/** The agent took its question back. */
export function withdrawn(d: Draft, connection: ConnectionNo, id: ApprovalId): void {
  const found = d.s.approvals.find((a) => a.request.approval === id);
  if (!found) return d.violation("withdrawn-unknown");
  if (found.connection !== connection) return; // it outlives the connection that asked
  endApproval(d, found, "withdrawn");
  d.set({ approvals: d.s.approvals.filter((a) => a !== found) });
}
export function dieWith(d: Draft, dead: (a: Approval) => boolean): void {
  const gone = d.s.approvals.filter(dead);
  if (gone.length === 0) return;
  for (const a of gone) endApproval(d, a, "interrupted");
  d.set({ approvals: d.s.approvals.filter((a) => !gone.includes(a)) });
}
function endApproval(d: Draft, a: Approval, how: "withdrawn" | "interrupted"): void {
  if (a.answer === null) d.save({ op: "approval-closed", approval: a.request.approval, how, answer: null });
}
export function overdue(d: Draft, id: ApprovalId): void {
  const found = d.s.approvals.find((a) => a.request.approval === id && a.answer === null);
  if (found) closeApproval(d, found, by("deadline", "Nobody answered in time."), "expired");
}
/** A person may take for ever; whoever runs unattended may not. */
export function hasDeadline(s: Session, a: Approval): boolean {
  const turn = ["turn" in s.phase ? s.phase.turn : null, s.parked].find((each) => each?.no === a.turn);
  return a.answer === null && turn?.input?.headless === true;
}

// --- what a turn waits for ----------------------------------------------------------------------------------------

const openOf = (s: Session, turn: Turn): readonly Approval[] =>
  s.approvals.filter((a) => a.turn === turn.no && a.answer === null);
/** Everything unfinished in the open message is a question a person has not answered. */
export function waitsForPerson(s: Session, turn: Turn): boolean {
  if (turn.stop !== null || turn.latched !== null || turn.live.texts.length > 0 || turn.live.tools.length === 0)
    return false;
  const asked = openOf(s, turn).map((a) => a.request.toolCallId);
  return turn.live.tools.every((id) => asked.includes(id));
}
/** The questions outlive the connection, so none need be held open for them. */
export const isDurable = (s: Session, turn: Turn): boolean => {
  const open = openOf(s, turn);
  return open.length > 0 && open.every((a) => a.request.durable) && waitsForPerson(s, turn);
};
/** The connection is over, the questions stay. */
export const unbind = (d: Draft, turn: Turn): void =>
  d.set({ approvals: d.s.approvals.map((a) => (a.turn === turn.no ? { ...a, connection: null } : a)) });
