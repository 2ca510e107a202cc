/** Generations the agent begins itself: a wake of background work, or an offered steer it made a turn of its own. */
import type { GenerationEvent } from "../protocol/agent-events.ts";
import { waitsForPerson } from "./approvals.ts";
import type { Draft } from "./draft.ts";
import { rejoin } from "./ends.ts";
import { findSteer, isHeld, liveTurn, writes, writingTurn } from "./look.ts";
import type { Session, Turn } from "./state.ts";
import { endTurn, newTurn } from "./turns.ts";
import { dropSteer } from "./waiting-list.ts";

type Started = Extract<GenerationEvent, { type: "autonomous-started" }>;
type Finished = Extract<GenerationEvent, { type: "autonomous-finished" }>;

/** An agent does one thing at a time: no start belongs inside a generation of its own, or beside a parked turn. */
export function startsInside(s: Session, e: Started): boolean {
  const turn = writingTurn(s);
  if (turn === null || turn.stop !== null || writes(turn, e.generation)) return false;
  return turn.input === null || s.parked !== null || turn.joined !== null;
}
export function mayStartItself(s: Session, e: Started): boolean {
  const turn = liveTurn(s);
  if (turn && (writes(turn, e.generation) || owesReply(s, turn))) return true; // no start: said twice, or it joins the reply it owes
  if (s.phase.kind === "settling" || s.phase.kind === "concluding" || s.phase.kind === "gated" || isHeld(s))
    return false;
  return (turn === null || turn.stop === null) && !startsInside(s, e); // kept ones wait for those before them
}
const owesReply = (s: Session, turn: Turn): boolean =>
  s.phase.kind === "streaming" && turn.latched !== null && turn.joined === null && turn.stop === null;

export function startedItself(d: Draft, e: Started): void {
  const phase = d.s.phase;
  if ("turn" in phase) {
    if (writes(phase.turn, e.generation)) return d.violation("autonomous-twice");
    if (owesReply(d.s, phase.turn)) return void d.patchTurn(phase.turn, { joined: e.generation });
  }
  const steer = e.input === null ? null : adoptable(d.s, e.input);
  if (e.input !== null && steer === null) d.violation("adopted-unknown");
  if (steer) dropSteer(d, steer.input.id);
  if (d.s.phase.kind === "waiting") d.save({ op: "turn-resumed", turn: d.s.phase.turn.no }); // it waits for the agent now
  if ("turn" in d.s.phase) d.set({ parked: d.s.phase.turn }); // never sent twice: it goes on where it was
  open(d, e, steer?.input ?? null);
}
const adoptable = (s: Session, id: string) => {
  const found = findSteer(s, id);
  if (!found) return null;
  return (found.turn?.steers ?? s.offers).find((x) => x.input.id === id && x.sent) ?? null;
};
/** Nothing is sent and nobody waits: its chunks are saved behind its opening. */
function open(d: Draft, e: Started, input: Turn["input"]): void {
  const no = d.s.turns + 1;
  const turn = newTurn(no, e.generation, {
    input,
    sent: true,
    connection: e.connection,
    hook: "passed",
    midTurn: input !== null,
  });
  d.set({ turns: no, phase: { kind: "streaming", turn } });
  d.save({
    op: "turn-opened",
    turn: no,
    origin: input ? "steer" : "agent",
    input: input?.id ?? null,
    source: e.origin,
  });
  if (input) {
    d.save({ op: "input", id: input.id, state: "started", reason: null, turn: no });
    d.save({ op: "user-message", turn: no, input: input.id });
  }
  d.save({ op: "message-opened", turn: no, message: 1 });
}
/** Counts as the end only when no other came before it. */
export function finishedItself(d: Draft, turn: Turn, e: Finished): void {
  if (turn.joined === e.generation) return rejoin(d, d.patchTurn(turn, { joined: null }));
  if (turn.latched || turn.generation === `t${turn.no}`) return d.violation("finished-not-own"); // the host began it
  endTurn(d, turn, { outcome: "completed", reason: "", message: "" });
}
/** After the agent's own turn is settled the parked one goes on; it is sent now if it never was. */
export function unpark(d: Draft, turn: Turn): void {
  const goesOn = turn.sent && (turn.connection !== 0 || waitsForPerson(d.s, turn)); // 0: it rests without a connection
  d.set({ parked: null, phase: { kind: goesOn ? "streaming" : "preparing", turn } });
}
