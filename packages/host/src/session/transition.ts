/**
 * What one session does next: `transition(session, event) -> [session, effects]`. Pure: no clock, no randomness, no I/O.
 * SPEC.md numbers states, events, effects and invariants. One guard drops news of what the session no longer has; the
 * switch hands each event to the rule that owns it; `advance` derives what follows.
 */
import { advance } from "./advance.ts";
import {
  answerApproval,
  approvalSaved,
  withdrawn as approvalWithdrawn,
  isDurable,
  requestApproval,
} from "./approvals.ts";
import {
  askCompaction,
  compactionCompleted,
  compactionStarted,
  endCompaction,
  produced,
  stopCompaction,
} from "./compaction.ts";
import { changeHolds, changeTarget } from "./configuration.ts";
import { background, connected, connectFailed, connectionOver, reconciled, sendFailed } from "./connection.ts";
import { Draft } from "./draft.ts";
import type { Command, Event, Next } from "./events.ts";
import { fired, reap } from "./fired.ts";
import { flowChunk } from "./flows.ts";
import { fromAgent } from "./generation.ts";
import { afterBeforeSettle, afterBeforeTurn } from "./hooks.ts";
import { closeLink, connect } from "./link.ts";
import { answersStored, findSteer, isHeld, isIdle, turnNo, writes } from "./look.ts";
import { cancel, disposition, edit, move, offered, release, submit, withdrawn } from "./queue.ts";
import { loseLease, saveRefused, whileUnreadable } from "./refused-save.ts";
import type { Session } from "./state.ts";
import { interrupted, stopTurn } from "./stop.ts";
import { refused, stateOf } from "./waiting-list.ts";

type Of<T extends Event["type"]> = Extract<Event, { type: T }>;

export function transition(s: Session, e: Event): Next {
  if (e.type === "chunk") {
    const next = appendText(s, e);
    if (next) return next;
  }
  if (e.type === "saved" && e.save > s.saved && streamsFreely(s)) return [{ ...s, saved: e.save }, []];
  if (isStale(s, e)) return [s, []];
  const d = new Draft(s);
  if (s.phase.kind === "reloading" || s.phase.kind === "gone") whileUnreadable(d, e);
  else apply(d, e);
  if (d.s === s && d.unsaved === s.saves - s.saved) return d.finish(); // nothing changed, nothing follows
  advance(d);
  if (e.type === "submit" && d.s.accepted > s.accepted) d.reply(e.to, disposition(d.s, e.input.id));
  return d.finish();
}
/** The hot path: more text of a turn that streams and is known to live changes nothing but the save counter. */
function appendText(s: Session, e: Of<"chunk">): Next | null {
  if (s.phase.kind !== "streaming" || s.kept.length > 0 || s.parked !== null || s.link.kind !== "open") return null;
  const { type } = e.chunk;
  if (type !== "text-delta" && type !== "reasoning-delta" && type !== "tool-input-delta") return null;
  const turn = s.phase.turn;
  const save = s.saves + 1;
  if (!writes(turn, e.generation) || turn.connection !== e.connection || s.link.connection !== e.connection)
    return null;
  if (!turn.heard || !turn.produced || !turn.written || save - s.saved >= s.limits.unsaved) return null;
  const op = { op: "chunk", to: { turn: turn.no, message: turn.message }, chunk: e.chunk } as const;
  return [{ ...s, saves: save }, [{ type: "save", save, ops: [op], replies: [], facts: [] }]];
}

/** Nothing waits for the store: while the agent is read, a save that is safe changes nothing but the counter. */
const streamsFreely = (s: Session): boolean =>
  s.phase.kind === "streaming" && s.kept.length === 0 && s.parked === null && s.link.kind === "open" && s.link.reading;

/** News of what this session no longer has: the one guard that replaces every check after an await. */
function isStale(s: Session, e: Event): boolean {
  switch (e.type) {
    case "fired":
      return !s.timers.includes(e.key);
    case "saved":
    case "refused":
      return e.save <= s.saved;
    case "opened":
    case "offered":
    case "before-turn-answered":
      return turnNo(s, e.turn) === null;
    case "settled":
      return s.phase.kind !== "settling" || s.phase.turn.no !== e.turn;
    case "before-settle-answered":
      return s.phase.kind !== "concluding" || s.phase.turn.no !== e.turn;
    case "approval-saved":
      return !s.approvals.some((a) => a.request.approval === e.approval);
    default:
      return "connection" in e && (s.link.kind === "none" || s.link.connection !== e.connection);
  }
}

function apply(d: Draft, e: Event): void {
  switch (e.type) {
    case "submit":
      return submit(d, e);
    case "edit":
      return edit(d, e);
    case "cancel":
      return cancel(d, e);
    case "move":
      return move(d, e);
    case "release":
      return release(d, e);
    case "stop":
      return stop(d, e);
    case "answer":
      return answerApproval(d, e);
    case "resume":
      return resume(d, e);
    case "compact":
      return askCompaction(d, e);
    case "stop-compaction":
      return stopCompaction(d, e);
    case "close":
      return close(d, e);
    case "hold":
    case "unhold":
      return changeHolds(d, e);
    case "target":
      return changeTarget(d, e);
    case "prime":
      return prime(d);
    case "reap":
      return reap(d, "reap");
    case "shutdown":
      return shutdown(d);
    default:
      return applyNews(d, e);
  }
}
function applyNews(d: Draft, e: Exclude<Event, Command>): void {
  switch (e.type) {
    case "opened":
      return opened(d, e.turn);
    case "offered":
      return offered(d, e.turn, e.input);
    case "settled":
      return d.phase({ kind: "idle" });
    case "approval-saved":
      return approvalSaved(d, e.approval);
    case "recovered":
      return changeHolds(d, { type: "unhold", reason: "recovery" });
    case "saved":
      return d.set({ saved: e.save });
    case "refused":
      return saveRefused(d, e.reason);
    case "lease-lost":
      return loseLease(d);
    case "reloaded":
      return d.violation("reloaded-unasked");
    case "before-turn-answered":
      return afterBeforeTurn(d, e.turn, e.context);
    case "before-settle-answered":
      return afterBeforeSettle(d, e.turn, e.input);
    case "fired":
      return fired(d, e.key);
    default:
      return applyFromLink(d, e);
  }
}
type FromLink = Extract<Event, { readonly connection: number }>;
function applyFromLink(d: Draft, e: Exclude<FromLink, Command>): void {
  switch (e.type) {
    case "connected":
      return connected(d, e);
    case "connect-failed":
      return connectFailed(d, e);
    case "send-failed":
      return sendFailed(d, e);
    case "redirect-refused":
      return findSteer(d.s, e.input) ? refused(d, e.input) : undefined; // it was withdrawn meanwhile
    case "withdrawn":
      return withdrawn(d, e.input, e.ok);
    case "interrupted":
      return interrupted(d, e);
    case "reconciled":
      return reconciled(d, e);
    case "driver-ended":
      return closeLink(d, "driver-ended");
    case "closed":
      return connectionOver(d, e.returned);
    default:
      return d.s.link.kind === "connecting" ? d.violation("early") : applyFromAgent(d, e);
  }
}
function applyFromAgent(
  d: Draft,
  e: Exclude<
    FromLink,
    | Command
    | Of<
        | "connected"
        | "connect-failed"
        | "send-failed"
        | "redirect-refused"
        | "withdrawn"
        | "interrupted"
        | "reconciled"
        | "driver-ended"
        | "closed"
      >
  >,
): void {
  switch (e.type) {
    case "loose-approval-request":
      return requestApproval(d, e.connection, e.request, null);
    case "approval-withdrawn":
      return approvalWithdrawn(d, e.connection, e.approval);
    case "resume-token":
      return token(d, e.token);
    case "background-work":
      return background(d, e.active, e.awaitingReply);
    case "flow-chunk":
      return flowChunk(d, e.connection, e.root, e.chunk);
    case "compaction-start":
      return compactionStarted(d, e);
    case "compaction-complete":
      return compactionCompleted(d, e);
    case "compaction-error":
      return endCompaction(d, e.message);
    case "loose-usage":
      return d.save({ op: "usage", usage: e.usage, turn: null, message: null });
    case "note":
      return note(d, e);
    case "unknown":
      return d.violation(`unknown:${e.name}`);
    default:
      return fromAgent(d, e);
  }
}

function stop(d: Draft, e: Of<"stop">): void {
  const turn = turnNo(d.s, e.turn);
  if (turn === null) return d.refuse(e.to, "not-running"); // a late stop changes nothing
  stopTurn(d, turn, "person");
  d.reply(e.to, { kind: "done", state: "stopping" });
}
/** Applies to the next connect, and frees what a failed resume gave back. */
function resume(d: Draft, e: Of<"resume">): void {
  d.set({ resume: e.how });
  const gaveBack = d.s.queue.filter((w) => w.held === "failed" && (w.told || answersStored(w.input)));
  const freed = new Map(gaveBack.map((w) => [w, { ...w, held: null }]));
  d.set({ queue: d.s.queue.map((w) => freed.get(w) ?? w) });
  for (const w of freed.values()) d.save(stateOf(w));
  d.reply(e.to, { kind: "done", state: "resuming" });
}
function close(d: Draft, e: Of<"close">): void {
  if (d.s.link.kind === "open" && !isIdle(d.s, d.s.link)) return d.refuse(e.to, "session-busy");
  reap(d, "reap");
  d.reply(e.to, { kind: "done", state: "closed" });
}
function prime(d: Draft): void {
  if (d.s.phase.kind === "idle" && d.s.link.kind === "none" && !isHeld(d.s)) connect(d);
}
/** Whatever runs is interrupted and the connection closed; a turn that waits with durable questions stays. */
function shutdown(d: Draft): void {
  const { phase, parked } = d.s;
  if (parked) stopTurn(d, parked, "shutdown");
  if (phase.kind === "concluding") afterBeforeSettle(d, phase.turn.no, null);
  else if (phase.kind === "waiting" && !parked && isDurable(d.s, phase.turn)) return closeLink(d, "shutdown");
  else if ("turn" in phase && phase.kind !== "settling") stopTurn(d, phase.turn, "shutdown");
  closeLink(d, "shutdown");
}
function opened(d: Draft, no: number): void {
  const phase = d.s.phase;
  if (phase.kind === "opening" && phase.turn.no === no) d.phase({ kind: "preparing", turn: phase.turn });
}
/** Saved when heard, not at the turn's end: a crash in the first turn must not lose the only anchor. */
function token(d: Draft, value: string): void {
  if (value === d.s.token) return;
  d.set({ token: value });
  d.save({ op: "token", token: value });
}
function note(d: Draft, e: Of<"note">): void {
  if (e.note.kind === "config" || e.note.kind === "commands") produced(d);
  d.save({ op: "note", note: e.note, turn: turnNoOfWriting(d.s) });
}
const turnNoOfWriting = (s: Session): number | null =>
  s.phase.kind === "streaming" || s.phase.kind === "waiting" ? s.phase.turn.no : null;
