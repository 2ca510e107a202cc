/** Answers of the embedder's hooks that the core waits for: before-turn adds context, before-settle may continue the run. */
import type { TurnNo } from "../protocol/ids.ts";
import type { Input, Part } from "../protocol/input.ts";
import type { Draft } from "./draft.ts";
import { knowsInput, turnNo } from "./look.ts";
import { endTurn } from "./turns.ts";
import { insertReturned } from "./waiting-list.ts";

export function afterBeforeTurn(d: Draft, no: TurnNo, context: readonly Part[]): void {
  const turn = turnNo(d.s, no);
  if (turn?.hook === "asked") d.patchTurn(turn, { hook: "passed", context });
}
/** What the hook returned is an input of the host, accepted in the commit that settles the turn, and next. */
export function afterBeforeSettle(d: Draft, no: TurnNo, input: Input | null): void {
  const phase = d.s.phase;
  if (phase.kind !== "concluding" || phase.turn.no !== no) return;
  if (input !== null && !knowsInput(d.s, input.id)) {
    const order = d.s.accepted + 1;
    d.set({ accepted: order });
    d.save({ op: "accepted", input });
    insertReturned(d, [{ input, held: null, returned: -order, midTurn: false, told: false }]);
  }
  endTurn(d, phase.turn, phase.end);
}
