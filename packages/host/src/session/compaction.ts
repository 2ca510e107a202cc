/**
 * Compaction: the agent's own, and the one a person asks for. No turn starts while either is under way. Invariant: one
 * that was shown as started is shown as ended, also when its connection or its host ends first.
 */
import type { ConnectionEvent } from "../protocol/agent-events.ts";
import type { CompactionState, Op } from "../protocol/ops.ts";
import type { Draft } from "./draft.ts";
import type { Command } from "./events.ts";
import { closeLink, connect } from "./link.ts";
import { isCompacting, isHeld, isOccupied, writingTurn } from "./look.ts";

type Of<T extends ConnectionEvent["type"]> = Extract<ConnectionEvent, { type: T }>;
/** Why its connection closes. */
export const compactionStop = "compaction-stopped";

export function askCompaction(d: Draft, e: Extract<Command, { type: "compact" }>): void {
  if (d.s.phase.kind !== "idle" || isHeld(d.s) || isCompacting(d.s)) return d.refuse(e.to, "session-busy");
  if (d.s.link.kind === "open" && !d.s.link.abilities.compacts) return d.refuse(e.to, "unsupported");
  d.set({ compact: { text: e.text } });
  d.reply(e.to, { kind: "done", state: "compacting" });
}
/** Carries a wish out as soon as there is a connection for it. */
export function orderCompaction(d: Draft): void {
  if (!d.s.compact || d.s.phase.kind !== "idle") return;
  const link = d.s.link;
  if (link.kind === "none") return connect(d);
  if (link.kind !== "open" || link.reconciling !== null || link.compacting) return;
  const { text } = d.s.compact;
  d.set({ compact: null });
  if (!link.abilities.compacts) return d.save(compactionEnded("failed", "The agent cannot compact."));
  d.patchLink({ compacting: true });
  d.emit({ type: "compact", connection: link.connection, text });
}
/** The connection it waited for did not come. */
export function dropCompaction(d: Draft, why: string): void {
  if (!d.s.compact) return;
  d.set({ compact: null });
  d.save(compactionEnded("failed", why));
}
/**
 * Ended with its connection, for drivers know no other way; a turn that waits for it goes on with the next one. With a
 * turn of the agent's the turn is to be stopped instead, and background work would be lost unasked.
 */
export function stopCompaction(d: Draft, e: Extract<Command, { type: "stop-compaction" }>): void {
  const { link } = d.s;
  const runs = link.kind === "open" && link.compacting;
  if (!runs && !d.s.compact) return d.refuse(e.to, "not-running");
  if (runs && (isOccupied(d.s) || link.background.active)) return d.refuse(e.to, "session-busy");
  if (d.s.compact) {
    d.set({ compact: null });
    d.save(compactionEnded("stopped", ""));
  }
  if (runs) closeLink(d, compactionStop);
  d.reply(e.to, { kind: "done", state: "stopping" });
}

export function compactionStarted(d: Draft, e: Of<"compaction-start">): void {
  patchCompacting(d, true);
  produced(d);
  d.save({ op: "compaction", state: "started", done: null, detail: e.trigger });
}
export function compactionCompleted(d: Draft, e: Of<"compaction-complete">): void {
  patchCompacting(d, false);
  produced(d);
  d.save({ op: "compaction", state: "completed", done: e.done, detail: e.done?.trigger ?? "" });
}
/** The agent says so, or its connection is over. */
export function endCompaction(d: Draft, why: string): void {
  const { link } = d.s;
  const asked = link.kind === "closing" && link.reason === compactionStop;
  patchCompacting(d, false);
  d.save(asked ? compactionEnded("stopped", "") : compactionEnded("failed", why));
}
function patchCompacting(d: Draft, compacting: boolean): void {
  const { link } = d.s;
  if (link.kind === "open" || link.kind === "closing") d.link({ ...link, compacting });
}
export const compactionEnded = (state: Exclude<CompactionState, "started">, detail: string): Op => ({
  op: "compaction",
  state,
  done: null,
  detail,
});
/** A turn that only compacts, or changes the configuration, did something. */
export function produced(d: Draft): void {
  const turn = writingTurn(d.s);
  if (turn && !turn.produced) d.patchTurn(turn, { produced: true });
}
