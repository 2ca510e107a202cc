/**
 * What a session is doing, from a snapshot and the events after it: enough to know when its run is over. Pure.
 * Invariant: an input counts from the event that accepts it to the one that ends or holds it, so nothing that will
 * start by itself is ever missed between two turns.
 */
import type {
  ApprovalId,
  ApprovalRow,
  InputId,
  InputState,
  Outcome,
  SessionEvent,
  Snapshot,
  TurnId,
} from "@mooring/host";
import type { Delivered } from "../command-host.ts";
import type { Question } from "../text/question.ts";

export type OpenQuestion = Question & { readonly turnId: TurnId | null };
export type RunState = {
  readonly turns: ReadonlyMap<TurnId, "open" | "waiting">;
  /** Inputs that have not ended. */
  readonly inputs: ReadonlyMap<InputId, InputState>;
  /** Oldest first. */
  readonly questions: ReadonlyMap<ApprovalId, OpenQuestion>;
  readonly isCompacting: boolean;
  /** Of the last turn that settled since this state began; null: none did. */
  readonly outcome: Outcome | null;
};

export function startState({ session, turn, inputs, approvals }: Snapshot): RunState {
  return {
    turns: new Map(turn === null ? [] : [[turn.id, turn.status === "waiting" ? "waiting" : "open"]]),
    inputs: new Map(inputs.map((row) => [row.id, row.state])),
    questions: new Map(approvals.map((row) => [row.id, questionOf(row)])),
    isCompacting: session.compacting,
    outcome: null,
  };
}
const questionOf = ({ id, toolName, input, turnId, asked }: ApprovalRow): OpenQuestion => ({
  ...{ id, toolName, input, turnId, asked },
});

export function advance(state: RunState, { event }: Delivered): RunState {
  if (event.type === "snapshot") return { ...startState(event), outcome: state.outcome };
  switch (event.type) {
    case "input.accepted":
      return { ...state, inputs: put(state.inputs, event.inputId, "queued") };
    case "input.changed":
      return event.state === undefined ? state : withInput(state, event.inputId, event.state);
    case "turn.started":
    case "turn.resumed":
      return { ...state, turns: put(state.turns, event.turnId, "open") };
    case "turn.waiting":
      return { ...state, turns: put(state.turns, event.turnId, "waiting") };
    case "turn.settled":
      return { ...state, turns: drop(state.turns, event.turnId), outcome: event.outcome };
    case "approval.requested":
      return { ...state, questions: put(state.questions, event.approvalId, requested(event)) };
    case "approval.closed":
      return answered(state, event);
    case "compaction":
      return { ...state, isCompacting: event.state === "started" };
    default:
      return state;
  }
}

function requested(event: Extract<SessionEvent, { type: "approval.requested" }>): OpenQuestion {
  const { approvalId: id, toolName, input, turnId = null, asked = null } = event;
  return { id, toolName, input, turnId, asked };
}

function answered(state: RunState, event: Extract<SessionEvent, { type: "approval.closed" }>): RunState {
  const questions = drop(state.questions, event.approvalId);
  const { turnId } = event;
  // One answer is enough for its turn to go on: it waits again only if it says so.
  const goesOn = turnId !== undefined && state.turns.has(turnId);
  return { ...state, questions, turns: goesOn ? put(state.turns, turnId, "open") : state.turns };
}

const ended: readonly InputState[] = ["answered", "unanswered", "cancelled"];
const withInput = (state: RunState, id: InputId, input: InputState): RunState => ({
  ...state,
  inputs: ended.includes(input) ? drop(state.inputs, id) : put(state.inputs, id, input),
});

/** The run is over: no turn, no compaction, and no input that will start by itself. */
export const isAtRest = ({ turns, inputs, isCompacting }: RunState): boolean =>
  turns.size === 0 && !isCompacting && [...inputs.values()].every((state) => state === "held");

/** Nothing happens until a person answers. */
export const waitsForPerson = ({ turns, questions }: RunState): boolean =>
  turns.size > 0 && questions.size > 0 && [...turns.values()].every((status) => status === "waiting");

function put<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}
function drop<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
