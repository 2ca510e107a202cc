/** Questions about a session that several rules ask. Nothing here changes anything. */
import type { Generation, InputId, TurnNo } from "../protocol/ids.ts";
import type { Input } from "../protocol/input.ts";
import type { LiveParts, OpenLink, Session, Turn } from "./state.ts";

export const nothingLive: LiveParts = { texts: [], tools: [] };

/** The turn that has not ended for its driver: every phase with a turn but `settling`. */
export const liveTurn = (s: Session): Turn | null =>
  "turn" in s.phase && s.phase.kind !== "settling" ? s.phase.turn : null;
/** The turn whose message the agent writes to right now. */
export const writingTurn = (s: Session): Turn | null =>
  s.phase.kind === "streaming" || s.phase.kind === "waiting" ? s.phase.turn : null;
export const writes = (turn: Turn, generation: Generation): boolean =>
  turn.generation === generation || turn.joined === generation;
/** The live or parked turn with this number. */
export function turnNo(s: Session, no: TurnNo): Turn | null {
  const live = liveTurn(s);
  if (live?.no === no) return live;
  return s.parked?.no === no ? s.parked : null;
}
export function turnOf(s: Session, generation: Generation): Turn | null {
  const live = liveTurn(s);
  if (live && writes(live, generation)) return live;
  return s.parked && writes(s.parked, generation) ? s.parked : null;
}

export const isHeld = (s: Session): boolean => Object.keys(s.holds).length > 0;
/** Shutdown stops starts but lets a running turn say all it has to say. */
export const rollsAreHeld = (s: Session): boolean => Object.keys(s.holds).some((reason) => reason !== "shutdown");
export const isCompacting = (s: Session): boolean =>
  s.compact !== null || ("compacting" in s.link && s.link.compacting);

/** The live connection has this turn. */
export const isReached = (s: Session, turn: Turn): boolean =>
  turn.sent && s.link.kind === "open" && s.link.connection === turn.connection;

/** Where an offered steer is: in a turn, or left behind by one. */
export function findSteer(s: Session, id: InputId): { readonly turn: Turn | null } | null {
  for (const turn of [liveTurn(s), s.parked]) if (turn?.steers.some((x) => x.input.id === id)) return { turn };
  return s.offers.some((x) => x.input.id === id) ? { turn: null } : null;
}
/** Steers that the agent's end of this turn names, also when that end still waits behind something else. */
export function answeredSteers(s: Session, turn: Turn): readonly InputId[] {
  const later = s.kept.flatMap((e) => (e.type === "turn-complete" && writes(turn, e.generation) ? e.answered : []));
  const named = new Set([...turn.answered, ...later]);
  return turn.steers.flatMap(({ sent, input }) => (sent && named.has(input.id) ? [input.id] : []));
}
/** A kept start says the agent made a turn of this steer: it is not lost, it waits. */
export const isAdoptedLater = (s: Session, id: InputId): boolean =>
  s.kept.some((e) => e.type === "autonomous-started" && e.input === id);

export function knowsInput(s: Session, id: InputId): boolean {
  const has = (turn: Turn | null) => turn !== null && (turn.input?.id === id || turn.taken.includes(id));
  return s.queue.some((w) => w.input.id === id) || findSteer(s, id) !== null || has(liveTurn(s)) || has(s.parked);
}
/** Every input that waits or may come back to the queue. */
export const waitingCount = (s: Session): number =>
  s.queue.length + s.offers.length + (liveTurn(s)?.steers.length ?? 0) + (s.parked?.steers.length ?? 0);

export const sameConfig = (a: Input, b: Input): boolean => a.model === b.model && a.effort === b.effort;
export const isTextOnly = (input: Input): boolean => input.parts.every((part) => part.type === "text");

/** With the agent, or between the agent's end and the durable one: nothing may be exchanged under it. */
export const isOccupied = (s: Session): boolean =>
  s.phase.kind === "streaming" ||
  s.phase.kind === "waiting" ||
  s.phase.kind === "gated" ||
  s.phase.kind === "concluding" ||
  s.phase.kind === "settling" ||
  s.offers.length > 0 ||
  (s.parked?.sent ?? false);
/** The connection serves nothing and owes nothing: it may be reaped. */
export const isIdle = (s: Session, link: OpenLink): boolean =>
  s.phase.kind === "idle" &&
  s.kept.length === 0 &&
  s.offers.length === 0 &&
  s.compact === null &&
  !link.background.active &&
  !link.compacting &&
  link.reconciling === null &&
  !s.approvals.some((a) => a.connection === link.connection);
/** A run is going on: from an input's admission until nothing is left that starts by itself. */
export const isBusy = (s: Session): boolean =>
  s.phase.kind !== "idle" ||
  s.parked !== null ||
  s.kept.length > 0 ||
  s.offers.length > 0 ||
  isCompacting(s) ||
  s.queue.some((w) => w.held === null);
/** It answers a message that is stored already: no message of its own. */
export const answersStored = (input: Input): boolean => input.branch?.position === "at" && input.parts.length === 0;
