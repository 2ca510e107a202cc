/** The life of one turn: its rows, its open message, a roll, its end. A settled turn is never touched again. */
import type { UIMessageChunk } from "../protocol/chunks.ts";
import type { Generation, InputId, TurnNo } from "../protocol/ids.ts";
import type { End, HeldReason, Outcome } from "../protocol/input.ts";
import type { Op } from "../protocol/ops.ts";
import { dieWith } from "./approvals.ts";
import type { Draft } from "./draft.ts";
import { closingChunks, isContent, trackParts, unknownOutcome } from "./live-parts.ts";
import { answeredSteers, answersStored, isReached, nothingLive, rollsAreHeld } from "./look.ts";
import type { Offer, Steer, Turn, Waiting } from "./state.ts";
import { giveBack, heldFor, holdQueue, insertReturned } from "./waiting-list.ts";

export function newTurn(no: TurnNo, generation: Generation, change: Partial<Turn>): Turn {
  return {
    no,
    generation,
    joined: null,
    input: null,
    midTurn: false,
    told: false,
    message: 1,
    open: true,
    written: false,
    live: nothingLive,
    produced: false,
    sent: false,
    connection: 0,
    steers: [],
    taken: [],
    answered: [],
    stop: null,
    latched: null,
    anchor: null,
    heard: false,
    beat: 0,
    attempts: 0,
    hook: "unasked",
    context: [],
    ...change,
  };
}

/** The only place a user's turn starts. Its rows are one transaction; the agent hears nothing before they are safe. */
export function openTurn(d: Draft, waiting: Waiting): void {
  const no = d.s.turns + 1;
  const { input, midTurn, told } = waiting;
  const turn = newTurn(no, `t${no}`, { input, midTurn, told });
  d.set({ turns: no, queue: d.s.queue.filter((w) => w !== waiting), phase: { kind: "opening", turn } });
  d.save({ op: "turn-opened", turn: no, origin: "user", input: input.id, source: null });
  d.save({ op: "input", id: input.id, state: "started", reason: null, turn: no });
  if (input.branch) d.save({ op: "branch", turn: no, branch: input.branch });
  if (!told && !answersStored(input)) d.save({ op: "user-message", turn: no, input: input.id });
  d.save({ op: "message-opened", turn: no, message: 1 });
  d.fact({ type: "opened", turn: no });
}

// --- the open message ---------------------------------------------------------------------------------------------

export function writeChunk(d: Draft, turn: Turn, chunk: UIMessageChunk): void {
  const live = trackParts(turn.live, chunk);
  const content = isContent(chunk);
  const changed = live !== turn.live || !turn.written || (content && !turn.produced);
  if (changed) d.patchTurn(turn, { live, written: true, produced: turn.produced || content });
  d.save({ op: "chunk", to: { turn: turn.no, message: turn.message }, chunk });
}
/** Chunks of our own that finish parts nobody else will finish. */
export function finishParts(d: Draft, turn: Turn, chunks: readonly UIMessageChunk[]): Turn {
  let live = turn.live;
  for (const chunk of chunks) {
    live = trackParts(live, chunk);
    d.save({ op: "chunk", to: { turn: turn.no, message: turn.message }, chunk });
  }
  return live === turn.live ? turn : d.patchTurn(turn, { live });
}
/** A message nothing was written to is dropped, not closed, when another follows it in its turn. */
function closeMessage(d: Draft, turn: Turn, status: Outcome, anotherFollows: boolean): void {
  const now = finishParts(d, turn, closingChunks(turn.live, unknownOutcome));
  if (anotherFollows && !now.written) return d.save({ op: "message-dropped", turn: now.no, message: now.message });
  d.save({
    op: "message-closed",
    turn: now.no,
    message: now.message,
    status,
    token: d.s.token,
    anchor: anotherFollows ? null : now.anchor,
  });
}

// --- a roll -------------------------------------------------------------------------------------------------------

/** The agent took steers: the open message closes, theirs follow in the agent's order, the next one opens. One commit. */
export function roll(d: Draft, turn: Turn, ids: readonly InputId[]): void {
  const taken = ids.filter((id) => turn.steers.some((x) => x.sent && x.input.id === id));
  if (taken.length !== ids.length) d.violation("boundary-unknown-steer");
  if (taken.length === 0) return;
  if (turn.live.tools.length > 0) d.violation("boundary-live-tool");
  dieWith(d, (a) => a.turn === turn.no); // its call was closed as unknown
  closeMessage(d, turn, "completed", true);
  const wait = rollsAreHeld(d.s) && turn.stop === null;
  const next: Turn = {
    ...(turnNow(d, turn) ?? turn),
    steers: turn.steers.filter((x) => !taken.includes(x.input.id)),
    taken: [...turn.taken, ...taken],
    message: turn.message + 1,
    open: !wait,
    written: false,
    live: nothingLive,
  };
  take(d, turn, taken);
  if (!wait) d.save({ op: "message-opened", turn: turn.no, message: next.message });
  d.phase({ kind: wait ? "gated" : "streaming", turn: next });
}
const turnNow = (d: Draft, turn: Turn): Turn | null =>
  "turn" in d.s.phase && d.s.phase.turn.no === turn.no ? d.s.phase.turn : null;
function take(d: Draft, turn: Turn, ids: readonly InputId[]): void {
  for (const id of ids)
    d.save(
      { op: "input", id, state: "taken", reason: null, turn: turn.no },
      { op: "user-message", turn: turn.no, input: id },
    );
}
/** The continuation of a roll that a hold had stopped. */
export function ungate(d: Draft, turn: Turn): void {
  d.save({ op: "message-opened", turn: turn.no, message: turn.message });
  d.phase({ kind: "streaming", turn: { ...turn, open: true } });
}

// --- the end ------------------------------------------------------------------------------------------------------

/** The driver's outcome becomes the durable one. Only its commit (`settled`) frees the session. */
export function endTurn(d: Draft, turn: Turn, asked: End): void {
  const end = verdict(turn, asked);
  dieWith(d, (a) => a.turn === turn.no);
  const merged = answeredSteers(d.s, turn);
  if (turn.open) closeMessage(d, turn, end.outcome, false);
  take(d, turn, merged); // without a boundary: their messages stand behind the answer to all
  endInputs(d, turn, [...turn.taken, ...merged], end);
  const reason = holdReason(turn, end);
  leaveSteers(
    d,
    turn,
    turn.steers.filter((x) => !merged.includes(x.input.id)),
    reason,
  );
  if (reason !== null) holdQueue(d, reason);
  if (end.reason === "resume-failed") returnStarted(d, turn);
  d.save({ op: "turn-settled", turn: turn.no, end });
  d.fact({ type: "settled", turn: turn.no });
  const over = { ...turn, steers: [], live: nothingLive };
  if (d.s.parked?.no === turn.no) d.set({ parked: null });
  else d.phase({ kind: "settling", turn: over });
}
export function verdict(turn: Turn, asked: End): End {
  if (turn.stop === "shutdown") return { outcome: "interrupted", reason: "shutdown", message: "The host shut down." };
  if (turn.stop === "superseded")
    return { outcome: "stopped", reason: "superseded", message: "Another input took its place." };
  if (turn.stop === "person") return { outcome: "stopped", reason: "stop", message: "Stopped by a person." };
  if (asked.outcome === "completed" && !turn.produced && turn.input !== null)
    return {
      outcome: "failed",
      reason: "no-content",
      message: "The agent ended its turn without saying or doing anything.",
    };
  return asked;
}
function endInputs(d: Draft, turn: Turn, taken: readonly InputId[], end: End): void {
  const goesBack = end.reason === "resume-failed" && turn.input !== null && !turn.sent;
  const own = turn.input !== null && !goesBack ? [turn.input.id] : [];
  for (const id of [...own, ...taken])
    d.save(
      end.outcome === "completed"
        ? { op: "input", id, state: "answered", reason: null, turn: turn.no }
        : { op: "input", id, state: "unanswered", reason: end.outcome, turn: turn.no },
    );
}
/** The one started input that does not end with its turn: nothing was sent, a person decides how to go on. */
function returnStarted(d: Draft, turn: Turn): void {
  if (turn.input === null || turn.sent) return;
  const back: Waiting = {
    input: turn.input,
    held: "failed",
    returned: 0, // behind inputs that interrupt, ahead of steers that come back
    midTurn: turn.midTurn,
    told: !answersStored(turn.input),
  };
  insertReturned(d, [back]);
}
/** Why what waits is held when this turn ends so; null: the queue goes on. */
function holdReason(turn: Turn, end: End): HeldReason | null {
  if (end.outcome === "completed" || turn.stop === "superseded") return null;
  return end.outcome;
}
/** Untaken steers: those the agent never heard of go back; the rest stay offered until the agent or its end names them. */
export function leaveSteers(d: Draft, turn: Turn, steers: readonly Steer[], reason: HeldReason | null): void {
  const held = reason === null ? null : heldFor(d.s, reason);
  const open = isReached(d.s, turn) || d.s.link.kind === "closing";
  const lost = steers.filter((x) => x.sent);
  const offers = lost.map((x): Offer => ({ ...x, held }));
  if (open) d.set({ offers: [...d.s.offers, ...offers] });
  else giveBack(d, lost, "uncertain");
  giveBack(
    d,
    steers.filter((x) => !x.sent),
    held,
  );
}
/** Ends of rows of a turn that recovery finds open. */
export const settledOp = (no: TurnNo, end: End): Op => ({ op: "turn-settled", turn: no, end });
