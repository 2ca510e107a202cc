/** What a timer that runs out means. Time enters the core nowhere else. */
import { overdue } from "./approvals.ts";
import { connectionOver } from "./connection.ts";
import type { Draft } from "./draft.ts";
import { afterBeforeSettle, afterBeforeTurn } from "./hooks.ts";
import { closeLink } from "./link.ts";
import { isIdle } from "./look.ts";
import { timerKind } from "./timers.ts";
import { endTurn } from "./turns.ts";

export function fired(d: Draft, key: string): void {
  d.set({ timers: d.s.timers.filter((k) => k !== key) });
  const kind = timerKind(key);
  switch (kind) {
    case "idle":
      return reap(d, "idle");
    case "connect":
    case "reconcile":
    case "compaction":
    case "offers":
      return closeLink(d, `${kind}-timeout`);
    case "stop":
      return closeLink(d, "stop");
    case "waiting-idle":
      return closeLink(d, "waiting");
    case "close":
      return kill(d);
    case "silence":
    case "silence-tool":
      return silence(d);
    case "approval":
      return overdue(d, key.slice("approval:".length));
    case "hook":
      return hookLate(d);
  }
}
export function reap(d: Draft, reason: string): void {
  if (d.s.link.kind === "open" && isIdle(d.s, d.s.link)) closeLink(d, reason);
}
/** The close was not answered in time: the process tree is ended, and the session goes on without an answer. */
function kill(d: Draft): void {
  if (d.s.link.kind !== "closing") return;
  d.emit({ type: "kill", connection: d.s.link.connection });
  connectionOver(d, []);
}
/** A turn that was heard since the last beat lives; one that only waits for a reply it was owed is done. */
function silence(d: Draft): void {
  if (d.s.phase.kind !== "streaming") return;
  const turn = d.s.phase.turn;
  if (turn.heard) return void d.patchTurn(turn, { heard: false, beat: turn.beat + 1 });
  if (turn.latched && turn.joined === null) return endTurn(d, turn, turn.latched);
  closeLink(d, "silence");
}
/** A hook that does not answer in time passes. */
function hookLate(d: Draft): void {
  if (d.s.phase.kind === "concluding") return afterBeforeSettle(d, d.s.phase.turn.no, null);
  if (d.s.phase.kind === "preparing") afterBeforeTurn(d, d.s.phase.turn.no, []);
}
