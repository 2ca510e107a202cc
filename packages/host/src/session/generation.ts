/**
 * What one generation of the agent says. Events that may not be applied yet are kept as events, per generation and in
 * order, in three cases only: a boundary or a start of the agent's own under a hold; the generation of a parked turn; a
 * start while another turn settles, concludes or stops.
 */
import type { GenerationEvent } from "../protocol/agent-events.ts";
import type { Generation } from "../protocol/ids.ts";
import { requestApproval } from "./approvals.ts";
import { finishedItself, mayStartItself, startedItself, startsInside } from "./autonomous.ts";
import type { Draft } from "./draft.ts";
import { complete, failed } from "./ends.ts";
import { closeLink } from "./link.ts";
import { abandonedChunks } from "./live-parts.ts";
import { findSteer, writes, writingTurn } from "./look.ts";
import type { Session } from "./state.ts";
import { finishParts, roll, writeChunk } from "./turns.ts";
import { refused } from "./waiting-list.ts";

type Of<T extends GenerationEvent["type"]> = Extract<GenerationEvent, { type: T }>;

export function fromAgent(d: Draft, e: GenerationEvent): void {
  if (e.type === "autonomous-started" && d.s.link.kind !== "open") return; // its connection is being closed: nothing begins on it
  if (e.type === "autonomous-started" && startsInside(d.s, e)) return d.violation("autonomous-inside");
  const behind = d.s.kept.some((k) => k.generation === e.generation);
  if (!behind && !isBlocked(d.s, e)) return apply(d, e);
  const keptSize = d.s.keptSize + sizeOf(e);
  if (d.s.kept.length < d.s.limits.kept && keptSize <= d.s.limits.keptSize)
    return d.set({ kept: [...d.s.kept, e], keptSize });
  d.violation("kept-overflow");
  closeLink(d, "overflow");
}
/** Characters an event holds in memory, roughly; what grows without bound is text. */
function sizeOf(e: GenerationEvent): number {
  if (e.type !== "chunk") return 100;
  const { chunk } = e;
  if ("delta" in chunk) return 100 + chunk.delta.length;
  if ("inputTextDelta" in chunk) return 100 + chunk.inputTextDelta.length;
  return 200 + JSON.stringify(chunk).length;
}
function isBlocked(s: Session, e: GenerationEvent): boolean {
  if (s.parked && writes(s.parked, e.generation)) return true;
  if (s.phase.kind === "gated" && writes(s.phase.turn, e.generation)) return true;
  return e.type === "autonomous-started" && !mayStartItself(s, e);
}
/** Feeds back the first event of each generation that no longer has to wait. */
export function replayKept(d: Draft): void {
  for (let e = firstReady(d.s); e; e = firstReady(d.s)) {
    const next: GenerationEvent = e;
    d.set({ kept: d.s.kept.filter((k) => k !== next), keptSize: Math.max(0, d.s.keptSize - sizeOf(next)) });
    apply(d, next);
  }
}
function firstReady(s: Session): GenerationEvent | undefined {
  const behind = new Set<Generation>(); // generations with an earlier event that still waits
  for (const e of s.kept) {
    if (!behind.has(e.generation) && !isBlocked(s, e)) return e;
    behind.add(e.generation);
  }
  return undefined;
}

function apply(d: Draft, e: GenerationEvent): void {
  if (e.type === "autonomous-started") return startedItself(d, e);
  if (e.type === "steer-undelivered") return undelivered(d, e);
  const turn = writingTurn(d.s);
  if (!turn || !writes(turn, e.generation) || turn.connection !== e.connection)
    return e.type === "autonomous-finished" ? undefined : stray(d, e); // a finish behind the terminal event says nothing new
  const now = turn.heard ? turn : d.patchTurn(turn, { heard: true });
  switch (e.type) {
    case "chunk":
      return writeChunk(d, now, e.chunk);
    case "steer-boundary":
      return roll(d, now, e.taken);
    case "turn-complete":
      return complete(d, now, e);
    case "agent-error":
      return failed(d, now, e);
    case "approval-request":
      return requestApproval(d, e.connection, e.request, now);
    case "part-abandoned":
      return void finishParts(d, now, abandonedChunks(now.live, e.part, e.reason));
    case "usage":
      return d.save({ op: "usage", usage: e.usage, turn: now.no, message: now.open ? now.message : null });
    case "autonomous-finished":
      return finishedItself(d, now, e);
  }
}
/** Also after its turn ended: the offer is still open then. */
function undelivered(d: Draft, e: Of<"steer-undelivered">): void {
  for (const id of e.inputs) {
    const at = findSteer(d.s, id)?.turn;
    const sent = at === undefined ? false : (at?.steers ?? d.s.offers).some((x) => x.input.id === id && x.sent);
    if (sent) refused(d, id);
    else d.violation("undelivered-unknown");
  }
}
/** Late, early or invented. A question nobody can see is denied at once: the agent must not wait for it. */
function stray(d: Draft, e: GenerationEvent): void {
  if (e.type === "usage") return d.save({ op: "usage", usage: e.usage, turn: null, message: null }); // it was spent all the same
  if (d.s.link.kind !== "open") return; // a connection that is being closed may still say what no longer matters
  d.violation(`stray:${e.type}`);
  if (e.type !== "approval-request") return;
  const answer = { decision: "deny", input: null, reason: "No turn of this session asked.", by: "host" } as const;
  d.emit({ type: "release-approval", connection: e.connection, approval: e.request.approval, answer });
}
