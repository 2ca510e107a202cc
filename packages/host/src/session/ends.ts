/** The agent's own end of a turn: its terminal event, the hook before the durable close, a reply that is still owed. */
import type { GenerationEvent } from "../protocol/agent-events.ts";
import type { End } from "../protocol/input.ts";
import type { Draft } from "./draft.ts";
import type { Turn } from "./state.ts";
import { endTurn, verdict } from "./turns.ts";

type Of<T extends GenerationEvent["type"]> = Extract<GenerationEvent, { type: T }>;

const completed: End = { outcome: "completed", reason: "", message: "" };
export function complete(d: Draft, turn: Turn, e: Of<"turn-complete">): void {
  if (turn.joined === e.generation) return rejoin(d, d.patchTurn(turn, { joined: null }));
  if (turn.latched) return d.violation("terminal-twice");
  const now = d.patchTurn(turn, { anchor: e.anchor, answered: e.answered });
  const end: End =
    e.outcome === "completed"
      ? completed
      : { outcome: "stopped", reason: "agent", message: "The agent stopped by itself." };
  const owed = d.s.link.kind === "open" && d.s.link.background.awaitingReply;
  if (owed && now.input && now.stop === null && e.outcome === "completed") {
    d.patchTurn(now, { latched: end });
    return;
  }
  conclude(d, now, end);
}
export function failed(d: Draft, turn: Turn, e: Of<"agent-error">): void {
  if (turn.latched && turn.joined !== e.generation) return d.violation("terminal-twice");
  endTurn(d, turn, { outcome: "failed", reason: e.code, message: e.message });
}
/** A completed turn passes the hook before-settle, when there is one and nobody stopped it. */
function conclude(d: Draft, turn: Turn, end: End): void {
  const asks = d.s.target.hooks.beforeSettle && turn.input !== null && verdict(turn, end).outcome === "completed";
  if (!asks || d.s.phase.kind !== "streaming") return endTurn(d, turn, end);
  d.phase({ kind: "concluding", turn: { ...turn, latched: null }, end });
  d.emit({ type: "ask-before-settle", turn: turn.no });
}
/** A latched reply ends when background work owes it nothing more. */
export function rejoin(d: Draft, turn: Turn): void {
  const owed = d.s.link.kind === "open" && d.s.link.background.awaitingReply;
  if (turn.latched && turn.joined === null && (!owed || turn.stop !== null)) conclude(d, turn, turn.latched);
}
