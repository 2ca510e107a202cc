/**
 * Stored rows -> a session. Nothing is replayed: what was with an agent ends visibly, what was not stays where it was.
 * One exception: a turn whose only unfinished parts are open durable approvals goes on waiting for a person.
 */
import type { InputId } from "../protocol/ids.ts";
import type { End, HeldReason, InputState } from "../protocol/input.ts";
import type { Op } from "../protocol/ops.ts";
import { compactionEnded } from "./compaction.ts";
import { Draft } from "./draft.ts";
import type { Next } from "./events.ts";
import { closingChunks, unknownOutcome } from "./live-parts.ts";
import type { Approval, Phase, Session, Waiting } from "./state.ts";
import type { StoredFacts, StoredInput } from "./stored-facts.ts";
import { newTurn, settledOp } from "./turns.ts";

/** What outlives the rows when a host reloads a session it already had. */
export type Carry = Pick<Session, "link" | "connections" | "holds" | "target" | "violations" | "timers" | "limits">;
export const freshCarry = (target: Session["target"], limits: Session["limits"], holds: Session["holds"]): Carry => ({
  link: { kind: "none" },
  connections: 0,
  holds,
  target,
  violations: {},
  timers: [],
  limits,
});
const restarted: End = {
  outcome: "interrupted",
  reason: "host-restarted",
  message: "The host restarted during this turn.",
};

/** Begins under the hold `recovery`, which the commit of the repairs releases (fact `recovered`). */
export function start(stored: StoredFacts, carry: Carry): Next {
  const { session, ops } = recover(stored, carry);
  const d = new Draft(session);
  d.save(...ops);
  d.fact({ type: "recovered" });
  return d.finish();
}

export function recover(stored: StoredFacts, carry: Carry): { readonly session: Session; readonly ops: readonly Op[] } {
  const rests = restingTurn(stored);
  const interrupted = stored.openTurns.filter((t) => t.no !== rests);
  const hold = interrupted.length > 0 && carry.target.queueAfter === "hold";
  const continuation = interrupted.some((t) => t.input !== null) ? stored.continuation : null;
  const queue = waitingOf(stored, hold ? "interrupted" : null, rests);
  const ops = [
    ...closeParts(stored, rests),
    ...closeApprovals(stored, rests),
    ...fates(stored, hold, rests),
    ...interrupted.map((t) => settledOp(t.no, restarted)),
    ...(stored.compacting ? [compactionEnded("failed", "The host restarted.")] : []),
    ...stored.openTurns
      .filter((t) => t.no === rests && !t.waiting)
      .map((t): Op => ({ op: "turn-waiting", turn: t.no })), // it was parked
  ];
  if (!continuation) return { session: sessionOf(stored, carry, queue, rests), ops };
  const all: readonly Waiting[] = [
    { input: continuation, held: null, returned: -1, midTurn: false, told: false },
    ...queue,
  ];
  const next: readonly Op[] = [
    { op: "accepted", input: continuation },
    { op: "order", ids: all.map((w) => w.input.id) },
  ];
  return { session: sessionOf(stored, carry, all, rests), ops: [...ops, ...next] };
}

/** The turn that may go on waiting: every unfinished part of its open message is an open durable approval. */
function restingTurn(stored: StoredFacts): number | null {
  for (const turn of stored.openTurns) {
    const message = stored.openMessages.find((m) => m.turn === turn.no);
    if (!message || message.live.texts.length > 0 || message.live.tools.length === 0) continue;
    const asked = stored.openApprovals.filter((a) => a.turn === turn.no);
    const ids = asked.filter((a) => a.request.durable).map((a) => a.request.toolCallId);
    if (asked.length === ids.length && message.live.tools.every((id) => ids.includes(id))) return turn.no;
  }
  return null;
}
function closeParts(stored: StoredFacts, rests: number | null): readonly Op[] {
  const messages = stored.openMessages
    .filter((m) => m.turn !== rests)
    .flatMap((m): Op[] => [
      ...closingChunks(m.live, unknownOutcome).map(
        (chunk): Op => ({ op: "chunk", to: { turn: m.turn, message: m.message }, chunk }),
      ),
      {
        op: "message-closed",
        turn: m.turn,
        message: m.message,
        status: "interrupted",
        token: stored.token,
        anchor: null,
      },
    ]);
  const flows = stored.openFlows.flatMap((f): Op[] => [
    ...closingChunks(f.live, unknownOutcome).map((chunk): Op => ({ op: "chunk", to: { flow: f.flow }, chunk })),
    { op: "flow-closed", flow: f.flow, status: "interrupted" },
  ]);
  return [...messages, ...flows];
}
const closeApprovals = (stored: StoredFacts, rests: number | null): readonly Op[] =>
  stored.openApprovals
    .filter((a) => a.turn === null || a.turn !== rests)
    .map((a): Op => ({ op: "approval-closed", approval: a.request.approval, how: "interrupted", answer: null }));

/** What was with an agent: an offered steer may or may not have been taken; a started or taken input ends with its turn. */
function fateOf(row: StoredInput, rests: number | null): InputState {
  if (row.state === "offered") return "held";
  if (row.state !== "started" && row.state !== "taken") return row.state;
  return row.turn !== null && row.turn === rests ? row.state : "unanswered";
}
function heldOf(row: StoredInput, hold: HeldReason | null): HeldReason | null {
  if (row.state === "offered") return "uncertain";
  if (row.state !== "held") return hold;
  const reason = row.reason;
  return reason === "failed" || reason === "stopped" || reason === "interrupted" ? reason : "uncertain";
}
/** Offered ones come first in the order they came, as untaken steers do. */
function waitingOf(stored: StoredFacts, hold: HeldReason | null, rests: number | null): readonly Waiting[] {
  const waits = stored.inputs.filter((row) => ["queued", "held"].includes(fateOf(row, rests)));
  const offered = waits.filter((row) => row.state === "offered");
  return [...offered, ...waits.filter((row) => row.state !== "offered")].map((row) => ({
    input: row.input,
    held: heldOf(row, hold),
    returned: null,
    midTurn: false,
    told: row.told,
  }));
}
function fates(stored: StoredFacts, hold: boolean, rests: number | null): readonly Op[] {
  const queue = waitingOf(stored, hold ? "interrupted" : null, rests);
  const ops: Op[] = [];
  for (const row of stored.inputs) {
    const state = fateOf(row, rests);
    const held = queue.find((w) => w.input.id === row.input.id)?.held ?? null;
    if (state === "unanswered")
      ops.push({ op: "input", id: row.input.id, state, reason: "interrupted", turn: row.turn });
    else if (held !== null && row.state !== "held")
      ops.push({ op: "input", id: row.input.id, state: "held", reason: held, turn: null });
  }
  if (stored.inputs.some((row) => row.state === "offered"))
    ops.push({ op: "order", ids: queue.map((w) => w.input.id) });
  return ops;
}

function phaseOf(stored: StoredFacts, rests: number | null): Phase {
  const row = stored.openTurns.find((t) => t.no === rests);
  const message = stored.openMessages.find((m) => m.turn === rests);
  if (!row || !message) return { kind: "idle" };
  const input = stored.inputs.find((i) => i.input.id === row.input)?.input ?? null;
  const taken: readonly InputId[] = stored.inputs
    .filter((i) => i.turn === row.no && i.state === "taken")
    .map((i) => i.input.id);
  const change = { input, taken, message: message.message, written: true, produced: true, live: message.live };
  return { kind: "waiting", turn: newTurn(row.no, `t${row.no}`, { ...change, sent: true, hook: "passed" }) };
}
function sessionOf(stored: StoredFacts, carry: Carry, queue: readonly Waiting[], rests: number | null): Session {
  const approvals = stored.openApprovals
    .filter((a) => a.turn !== null && a.turn === rests)
    .map((a): Approval => ({ request: a.request, turn: a.turn, connection: null, answer: null, saved: false }));
  return {
    ...carry,
    phase: phaseOf(stored, rests),
    parked: null,
    queue,
    offers: [],
    kept: [],
    keptSize: 0,
    approvals,
    flows: [],
    token: stored.token,
    resume: "token",
    compact: null,
    holds: { ...carry.holds, recovery: 1 },
    turns: stored.lastTurn,
    flowCount: stored.lastFlow,
    accepted: stored.inputs.length,
    saves: 0,
    saved: 0,
  };
}
