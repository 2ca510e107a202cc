/** A stop wins over every wait: interrupt, then close, then end the process tree. It names its turn, so none comes late. */

import { dieWith } from "./approvals.ts";
import type { Draft } from "./draft.ts";
import type { LinkEvent } from "./events.ts";
import { closeLink } from "./link.ts";
import { isReached, turnOf } from "./look.ts";
import type { StopBy, Turn } from "./state.ts";
import { endTurn, ungate } from "./turns.ts";
import { heldFor, holdQueue } from "./waiting-list.ts";

const stopped = { outcome: "stopped", reason: "stop", message: "" } as const; // `verdict` words it

/** An agent that has not heard of the turn is not asked; one that has gets bounded time. */
export function stopTurn(d: Draft, turn: Turn, by: StopBy): void {
  const again = turn.stop !== null;
  const reason = turn.stop === "superseded" || !again ? by : turn.stop; // a person's stop outweighs a superseding one
  const stopping = d.patchTurn(turn, { stop: reason });
  if (by === "person" && heldFor(d.s, "stopped") !== null) holdQueue(d, "stopped");
  if (d.s.phase.kind === "concluding" && d.s.phase.turn.no === turn.no) return endTurn(d, stopping, stopped);
  if (d.s.link.kind === "connecting" && turn.sent) closeLink(d, "stop"); // it was to continue just this turn
  if (!isReached(d.s, turn) && d.s.link.kind !== "closing") return endTurn(d, stopping, stopped);
  if (!turn.sent) return endTurn(d, stopping, stopped);
  if (again) return;
  dieWith(d, (a) => a.turn === turn.no);
  if (d.s.phase.kind === "gated" && d.s.phase.turn.no === turn.no) ungate(d, stopping);
  if (d.s.link.kind === "open")
    d.emit({ type: "interrupt", connection: d.s.link.connection, generation: turn.joined ?? turn.generation });
}
/** The answer of an interrupt overtakes what was said before it, so it ends nothing but a reply only background work owes. */
export function interrupted(d: Draft, e: Extract<LinkEvent, { type: "interrupted" }>): void {
  const turn = turnOf(d.s, e.generation);
  if (!turn || turn.stop === null) return;
  if (turn.latched && turn.joined === null) return endTurn(d, turn, stopped);
  if (e.answer === "unsupported") closeLink(d, "stop");
}
