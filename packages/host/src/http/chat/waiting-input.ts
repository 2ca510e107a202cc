/** Follows one input to its turn, and its place among those that wait. Pure. */
import type { SessionEvent } from "../../protocol/events.ts";
import type { InputId, TurnId } from "../../protocol/ids.ts";
import type { InputState } from "../../protocol/input.ts";
import type { InputRow } from "../../protocol/rows.ts";

/** `position`: from 0, among those that wait; null: it does not. `turnId`: of the turn that has it. */
export type InputPlace = {
  readonly inputId: InputId;
  readonly state: InputState | "handled";
  readonly position: number | null;
  readonly turnId?: TurnId;
};
const waits = (state: InputState): boolean => state === "queued" || state === "held";

export class WaitingInput {
  readonly #id: InputId;
  #state: InputState;
  #turnId: TurnId | null;
  /** Inputs that wait, first to last. */
  #order: readonly InputId[];

  /** `inputs`: those of the session that have not ended, as they are at any moment from the first event on. */
  constructor(row: Pick<InputRow, "id" | "state" | "turnId">, inputs: readonly InputRow[]) {
    this.#id = row.id;
    this.#state = row.state;
    this.#turnId = row.turnId;
    this.#order = inputs.filter(({ state }) => waits(state)).map(({ id }) => id);
  }

  get id(): InputId {
    return this.#id;
  }
  /** The turn that has it, once one has. */
  get turnId(): TurnId | null {
    return this.#state === "started" || this.#state === "taken" ? this.#turnId : null;
  }
  get state(): InputState {
    return this.#state;
  }
  get place(): InputPlace {
    const at = this.#order.indexOf(this.#id);
    const turn = this.turnId === null ? {} : { turnId: this.turnId };
    return { inputId: this.#id, state: this.#state, position: at === -1 ? null : at, ...turn };
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case "input.accepted":
        return this.#wait(event.inputId, "queued");
      case "input.changed":
        return event.state === undefined ? undefined : this.#changed(event.inputId, event.state, event.turnId);
      case "queue.changed":
        this.#order = event.order;
        return;
      default:
    }
  }
  #changed(id: InputId, state: InputState, turnId: TurnId | undefined): void {
    if (id === this.#id) {
      this.#state = state;
      this.#turnId = turnId ?? null;
    }
    this.#wait(id, state);
  }
  #wait(id: InputId, state: InputState): void {
    const known = this.#order.includes(id);
    if (waits(state) && !known) this.#order = [...this.#order, id];
    if (!waits(state) && known) this.#order = this.#order.filter((other) => other !== id);
  }
}
