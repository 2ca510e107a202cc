/** The one event that ends a turn, and what its unfinished calls are told. */
import type { AgentRuntimeEvent } from "@mooring/host/driver";
import type { Generation } from "./generation.ts";
import type { Outcome } from "./outcome.ts";

type Terminal = Extract<AgentRuntimeEvent, { type: "turn-complete" | "error" }>;
type Ended = { readonly terminal: Terminal; readonly unfinished: string };

/** `outcome`: null when the agent turned to something else, or is gone, without a word about this turn. */
export function terminalOf(generation: Generation, outcome: Outcome | null): Ended {
  const { turnId, failure } = generation;
  if (failure !== null) return { terminal: { type: "error", turnId, ...failure }, unfinished: failure.message };
  if (generation.isStopping && outcome?.kind !== "completed")
    return { terminal: complete(generation, "stopped"), unfinished: "Stopped: what this call did is not known." };
  if (outcome?.kind === "failed")
    return { terminal: { type: "error", turnId, ...outcome.failure }, unfinished: outcome.failure.message };
  if (outcome?.kind === "aborted") {
    const message = "Claude Code broke off the turn by itself.";
    return { terminal: { type: "error", turnId, code: "aborted", message, retry: "later" }, unfinished: message };
  }
  return { terminal: complete(generation, "completed"), unfinished: "The turn ended without a result of this call." };
}

/** A stopped turn answered nothing. */
function complete(generation: Generation, outcome: "completed" | "stopped"): Terminal {
  const { turnId, anchor } = generation;
  const answered = outcome === "completed" ? generation.answered : [];
  return { type: "turn-complete", turnId, outcome, answered, ...(anchor === null ? {} : { anchor }) };
}
