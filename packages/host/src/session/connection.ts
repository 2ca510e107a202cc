/** The life of a connection as the session sees it: opened, reconciled, over. One at a time, each with its number. */
import type { GenerationEvent } from "../protocol/agent-events.ts";
import type { ConnectionNo, Generation, InputId } from "../protocol/ids.ts";
import { dieWith } from "./approvals.ts";
import { compactionStop, dropCompaction, endCompaction } from "./compaction.ts";
import type { Draft } from "./draft.ts";
import { rejoin } from "./ends.ts";
import type { LinkEvent, Verdict } from "./events.ts";
import { closeFlows } from "./flows.ts";
import { closeLink } from "./link.ts";
import { isOccupied, turnOf } from "./look.ts";
import type { OpenLink, Session, Turn } from "./state.ts";
import { endTurn } from "./turns.ts";
import { endOffers, nextWaiting } from "./waiting-list.ts";

type Of<T extends LinkEvent["type"]> = Extract<LinkEvent, { type: T }>;

export function connected(d: Draft, e: Of<"connected">): void {
  if (d.s.link.kind !== "connecting") return;
  d.link({
    kind: "open",
    connection: e.connection,
    revision: d.s.link.revision,
    abilities: e.abilities,
    rebuild: false,
    reconciling: null,
    background: { active: false, awaitingReply: false },
    compacting: false,
    reading: true,
  });
  if (d.s.resume === "token") return;
  d.set({ resume: "token" });
  if (d.s.token === null) return;
  d.set({ token: null }); // the fresh native session will name its own
  d.save({ op: "token", token: null });
}
export function connectFailed(d: Draft, e: Of<"connect-failed">): void {
  if (d.s.link.kind !== "connecting") return;
  d.link({ kind: "none" });
  const how = d.s.target.onResumeFailed;
  if (e.reason === "resume-failed" && how !== "ask" && d.s.resume === "token") return beginFresh(d, how, e.message);
  dropCompaction(d, e.message);
  if (d.s.phase.kind === "preparing")
    endTurn(d, d.s.phase.turn, { outcome: "failed", reason: e.reason, message: e.message });
}
/** The agent's policy said so beforehand, and people are told. */
function beginFresh(d: Draft, how: "fresh" | "fresh-with-transcript", message: string): void {
  d.set({ resume: how });
  const text = `The native session could not be continued (${message}); a new one begins${how === "fresh" ? "" : " and is told the transcript"}.`;
  d.save({ op: "note", note: { kind: "notice", level: "warning", code: "resumed-fresh", text }, turn: null });
}
export function sendFailed(d: Draft, e: Of<"send-failed">): void {
  if (turnOf(d.s, e.generation)) closeLink(d, "send-failed");
}

// --- the end of a connection --------------------------------------------------------------------------------------

/** What it had heard of ends; what it had not heard of may use the next one. */
export function connectionOver(d: Draft, returned: readonly InputId[]): void {
  const link = d.s.link;
  if (link.kind !== "closing") return;
  dieWith(d, (a) => a.connection === link.connection);
  closeFlows(d, link.reason === "stop" ? "stopped" : "interrupted");
  if (link.compacting) endCompaction(d, "The connection ended.");
  endKept(d, link.connection, link.reason);
  for (const turn of [d.s.parked, "turn" in d.s.phase ? d.s.phase.turn : null])
    if (turn) markReturned(d, turn, returned);
  endReached(d, link.connection, link.reason);
  d.link({ kind: "none" });
  endOffers(d, returned, link.idempotent);
  const calm = link.reason === "idle" || link.reason === "reap";
  if (!calm) dropCompaction(d, "The connection ended."); // a wish that came while it closed gets a connection of its own
  if (calm && d.s.token !== null && rests(d.s)) d.emit({ type: "prewarm", token: d.s.token });
}
/** Nothing starts now that would need a connection anyway. */
const rests = (s: Session): boolean => s.phase.kind === "idle" && s.compact === null && nextWaiting(s) === null;
/** Steers the connection gave back are surely untaken. */
function markReturned(d: Draft, turn: Turn, returned: readonly InputId[]): void {
  if (!turn.steers.some((x) => returned.includes(x.input.id))) return;
  d.patchTurn(turn, { steers: turn.steers.map((x) => (returned.includes(x.input.id) ? { ...x, sent: false } : x)) });
}
function endReached(d: Draft, connection: ConnectionNo, reason: string): void {
  const phase = d.s.phase;
  if (phase.kind === "preparing") {
    const planned = reason === "rewind" || reason === compactionStop;
    if (phase.turn.attempts >= d.s.limits.attempts && !planned) endTurn(d, phase.turn, lost(reason));
    return;
  }
  if (phase.kind === "concluding") return endTurn(d, phase.turn, phase.end);
  if (phase.kind !== "streaming" && phase.kind !== "waiting") return;
  if (phase.turn.connection !== connection) return; // it rests without one
  endTurn(d, phase.turn, phase.turn.latched ?? lost(reason));
}
const lost = (reason: string) =>
  ({ outcome: "failed", reason, message: `The connection to the agent ended (${reason}).` }) as const;
/**
 * Generations that wait (parked, gated, not begun) get an end of their own, behind what they said. An agent may give one
 * the name that one of an earlier connection had.
 */
function endKept(d: Draft, connection: ConnectionNo, reason: string): void {
  const said = d.s.kept.filter((k) => k.connection === connection);
  const waiting = new Set<Generation>(said.map((k) => k.generation));
  if (d.s.parked?.sent) waiting.add(d.s.parked.generation);
  if (d.s.phase.kind === "gated") waiting.add(d.s.phase.turn.generation);
  const over = new Set(
    said.filter((k) => k.type === "turn-complete" || k.type === "agent-error").map((k) => k.generation),
  );
  const ends = [...waiting]
    .filter((generation) => !over.has(generation))
    .map(
      (generation): GenerationEvent => ({
        type: "agent-error",
        connection,
        generation,
        code: reason,
        message: lost(reason).message,
      }),
    );
  if (ends.length > 0) d.set({ kept: [...d.s.kept, ...ends] });
}

// --- configuration ------------------------------------------------------------------------------------------------

/** Tightening reaches a working agent at once; anything else waits until no turn is with the agent. */
export function wantsReconcile(s: Session, link: OpenLink): boolean {
  if (link.revision >= s.target.revision || link.reconciling !== null) return false;
  return s.target.tighten || !isOccupied(s);
}
export function reconcile(d: Draft, link: OpenLink): void {
  d.patchLink({ reconciling: d.s.target.revision });
  d.emit({ type: "reconcile", connection: link.connection, revision: d.s.target.revision });
}
export function reconciled(d: Draft, e: Of<"reconciled">): void {
  if (d.s.link.kind !== "open" || d.s.link.reconciling !== e.revision) return;
  d.patchLink({ reconciling: null });
  applyVerdict(d, e.verdict, e.revision);
}
function applyVerdict(d: Draft, verdict: Verdict, revision: number): void {
  switch (verdict) {
    case "failed":
      return closeLink(d, "policy-failed"); // never work on under an old policy
    case "invalid":
      return closeLink(d, "config-invalid");
    case "rebuild":
    case "current":
    case "patched":
      d.patchLink({ rebuild: verdict === "rebuild", revision });
  }
  if (revision === d.s.target.revision) d.set({ target: { ...d.s.target, tighten: false } });
}
/** A rebuild may happen when the agent holds nothing of ours and works on nothing of its own. */
export const mayRebuild = (s: Session, link: OpenLink): boolean =>
  link.rebuild &&
  !isOccupied(s) &&
  s.kept.length === 0 &&
  !link.background.active &&
  !link.compacting &&
  link.reconciling === null;

// --- background work ----------------------------------------------------------------------------------------------

export function background(d: Draft, active: boolean, awaitingReply: boolean): void {
  d.patchLink({ background: { active, awaitingReply } });
  if (!active) closeFlows(d, "completed");
  if (d.s.phase.kind === "streaming") rejoin(d, d.s.phase.turn);
}
