/**
 * Where an input goes: one pure decision from the session's phase, the connection's abilities and the input.
 * "What happens when a steer arrives" is answered here, and carried out in `queue.ts`.
 */
import type { Input } from "../protocol/input.ts";
import { isBusy, isHeld, isTextOnly, knowsInput, liveTurn, sameConfig, waitingCount } from "./look.ts";
import type { Session, Turn } from "./state.ts";

export type Verdict = "queue" | "offer" | "interrupt" | "session-busy" | "queue-full" | "duplicate";

export function decideDelivery(s: Session, input: Input): Verdict {
  if (knowsInput(s, input.id)) return "duplicate";
  if (waitingCount(s) >= s.limits.waiting) return "queue-full";
  const turn = liveTurn(s);
  switch (input.delivery) {
    case "queue":
      return "queue";
    case "reject":
      return isBusy(s) || isHeld(s) ? "session-busy" : "queue";
    case "interrupt":
      return turn ? "interrupt" : "queue";
    case "steer":
      return turn && canTake(s, turn, input) ? "offer" : "queue";
  }
}

/**
 * A steer joins a turn only while the agent works on it and nothing about the two differs: not before the turn is
 * open, not one that waits, stops or is the agent's own, not across model or effort, nor headless and interactive.
 */
function canTake(s: Session, turn: Turn, input: Input): boolean {
  if (s.phase.kind !== "streaming" || turn.input === null || turn.stop !== null || turn.latched !== null) return false;
  if (s.link.kind !== "open" || !s.link.abilities.steers || input.branch !== null) return false;
  if (!isTextOnly(input) && !s.link.abilities.steersRich) return false;
  return sameConfig(turn.input, input) && !turn.input.headless && !input.headless;
}
