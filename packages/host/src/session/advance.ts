/**
 * What follows from a state alone, in one place and after every event: which turn starts, which waits, what is sent,
 * reconciled, rebuilt, and whether a connection is read. No other code starts a turn.
 */
import { isDurable, unbind, waitsForPerson } from "./approvals.ts";
import { unpark } from "./autonomous.ts";
import { orderCompaction } from "./compaction.ts";
import { mayRebuild, reconcile, wantsReconcile } from "./connection.ts";
import type { Draft } from "./draft.ts";
import { replayKept } from "./generation.ts";
import { closeLink, connect } from "./link.ts";
import { isHeld, isReached, rollsAreHeld } from "./look.ts";
import type { OpenLink, Turn } from "./state.ts";
import { tuneTimers } from "./timers.ts";
import { leaveSteers, openTurn, ungate } from "./turns.ts";
import { nextWaiting } from "./waiting-list.ts";

export function advance(d: Draft): void {
  if (d.s.phase.kind === "gated" && !rollsAreHeld(d.s)) ungate(d, d.s.phase.turn);
  if (d.s.phase.kind === "idle" && d.s.parked) unpark(d, d.s.parked);
  if (d.s.kept.length > 0) replayKept(d);
  restOrResume(d);
  orderCompaction(d);
  const waiting = nextWaiting(d.s);
  if (waiting) openTurn(d, waiting);
  if (d.s.link.kind === "open") tuneLink(d, d.s.link);
  if (d.s.phase.kind === "preparing") prepare(d, d.s.phase.turn);
  if (d.s.link.kind === "open") tuneReading(d, d.s.link);
  tuneTimers(d);
}

/** `waiting` is a fact about the open message: everything unfinished in it is a question to a person. */
function restOrResume(d: Draft): void {
  const phase = d.s.phase;
  if (phase.kind === "streaming" && waitsForPerson(d.s, phase.turn)) {
    d.save({ op: "turn-waiting", turn: phase.turn.no });
    d.phase({ kind: "waiting", turn: phase.turn });
  }
  if (d.s.phase.kind !== "waiting") return;
  const turn = d.s.phase.turn;
  if (waitsForPerson(d.s, turn)) return letGo(d, turn);
  d.save({ op: "turn-resumed", turn: turn.no });
  const reached = isReached(d.s, turn) || (d.s.link.kind === "closing" && d.s.link.connection === turn.connection);
  d.phase({ kind: reached ? "streaming" : "preparing", turn: { ...turn, attempts: 0 } });
}
/** Durable questions do not need the connection that asked: a turn that waits for them survives its end. */
function letGo(d: Draft, turn: Turn): void {
  if (d.s.parked) return; // the parked turn ends with the connection, and it ends first what stands before it
  if (d.s.link.kind !== "closing" || d.s.link.connection !== turn.connection || !isDurable(d.s, turn)) return;
  unbind(d, turn);
  d.patchTurn(turn, { connection: 0, generation: `t${turn.no}`, steers: [] }); // whoever goes on with it is told its number
  leaveSteers(d, turn, turn.steers, null); // what the agent held comes back, or is uncertain, with its connection
}

function tuneLink(d: Draft, link: OpenLink): void {
  if (wantsReconcile(d.s, link)) return reconcile(d, link);
  if (mayRebuild(d.s, link)) closeLink(d, "rebuild");
}

// --- sending ------------------------------------------------------------------------------------------------------

/** The only place a turn is sent, once, to a connection that is up to date and free. */
function prepare(d: Draft, asked: Turn): void {
  const turn = askBeforeTurn(d, asked);
  const link = d.s.link;
  if (link.kind === "none") return connectFor(d, turn);
  if (link.kind !== "open") return;
  if (turn.sent) return d.phase({ kind: "streaming", turn: { ...turn, connection: link.connection } }); // it goes on; nothing is sent
  if (turn.input?.branch && turn.attempts === 0) return closeLink(d, "rewind"); // the agent must begin from the branch
  const busy = link.compacting || link.reconciling !== null; // `tuneLink` ordered what the configuration needs
  if (busy || turn.hook === "asked" || turn.input === null) return;
  d.phase({ kind: "streaming", turn: { ...turn, sent: true, connection: link.connection } });
  const { generation, no, input, context, midTurn } = turn;
  d.emit({ type: "send", connection: link.connection, generation, turn: no, input, context, midTurn });
}
function askBeforeTurn(d: Draft, turn: Turn): Turn {
  if (turn.hook !== "unasked" || turn.sent || turn.input === null || !d.s.target.hooks.beforeTurn) return turn;
  d.emit({ type: "ask-before-turn", turn: turn.no, input: turn.input });
  return d.patchTurn(turn, { hook: "asked" });
}
function connectFor(d: Draft, turn: Turn): void {
  d.patchTurn(turn, { attempts: turn.attempts + 1 });
  const approvals = d.s.approvals.filter((a) => a.turn === turn.no).map((a) => a.request);
  connect(d, turn.sent ? { turn: turn.no, approvals } : null);
}

/**
 * Backpressure: stop pulling the agent's events while the store lags or a hold makes them pile up. Only what ends
 * without the agent may stop the reading; events that wait for its other events overflow instead.
 */
function tuneReading(d: Draft, link: OpenLink): void {
  const full = d.s.kept.length >= d.s.limits.kept || d.s.keptSize >= d.s.limits.keptSize;
  const fromOutside = isHeld(d.s) || d.s.phase.kind === "settling" || d.s.phase.kind === "concluding";
  const on = d.unsaved < d.s.limits.unsaved && !(full && fromOutside);
  if (on === link.reading) return;
  d.patchLink({ reading: on });
  d.emit({ type: "read", connection: link.connection, on });
}
