/** Compaction: the agent's own, and the one a person asks for. No turn starts while either is under way. */
import type { ConnectionEvent } from "../protocol/agent-events.ts";
import type { Draft } from "./draft.ts";
import type { Command } from "./events.ts";
import { connect } from "./link.ts";
import { isCompacting, isHeld, writingTurn } from "./look.ts";

type Of<T extends ConnectionEvent["type"]> = Extract<ConnectionEvent, { type: T }>;

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
  if (!link.abilities.compacts) return failed(d, "The agent cannot compact.");
  d.patchLink({ compacting: true });
  d.emit({ type: "compact", connection: link.connection, text });
}
/** The connection it waited for did not come. */
export function dropCompaction(d: Draft, why: string): void {
  if (!d.s.compact) return;
  d.set({ compact: null });
  failed(d, why);
}
const failed = (d: Draft, detail: string): void => d.save({ op: "compaction", state: "failed", done: null, detail });

export function compactionStarted(d: Draft, e: Of<"compaction-start">): void {
  d.patchLink({ compacting: true });
  produced(d);
  d.save({ op: "compaction", state: "started", done: null, detail: e.trigger });
}
export function compactionCompleted(d: Draft, e: Of<"compaction-complete">): void {
  d.patchLink({ compacting: false });
  produced(d);
  d.save({ op: "compaction", state: "completed", done: e.done, detail: e.done?.trigger ?? "" });
}
export function compactionFailed(d: Draft, message: string): void {
  d.patchLink({ compacting: false });
  failed(d, message);
}
/** A turn that only compacts, or changes the configuration, did something. */
export function produced(d: Draft): void {
  const turn = writingTurn(d.s);
  if (turn && !turn.produced) d.patchTurn(turn, { produced: true });
}
