/**
 * What a session has to do, as its journal tells it. Invariant: built from events alone, so that two readers of one
 * journal agree. A run is over when nothing is left that starts by itself: held inputs do not count.
 */
import type { InputId, InputState, Outcome, Part, SessionEvent, Snapshot, TurnId } from "../../index.ts";
import { messagesIn, textOf } from "./user-parts.ts";

type WaitingInput = { state: InputState; parts: readonly Part[] };
export type Queues = { readonly steering: readonly string[]; readonly followUp: readonly string[] };

export class RunState {
  readonly #inputs = new Map<InputId, WaitingInput>();
  readonly #turns = new Map<TurnId, InputId | null>();
  #order: readonly InputId[] = [];
  #compacting = false;
  #outcome: Outcome | null = null;

  /** Begins anew from what is stored. */
  restart({ session, inputs, turn }: Pick<Snapshot, "session" | "inputs" | "turn">): void {
    this.#inputs.clear();
    this.#turns.clear();
    for (const { id, state, input } of inputs) this.#inputs.set(id, { state, parts: input.parts });
    if (turn?.status === "open" || turn?.status === "waiting") this.#turns.set(turn.id, turn.inputId);
    this.#compacting = session.compacting;
  }
  take(event: SessionEvent): void {
    switch (event.type) {
      case "input.accepted":
        this.#inputs.set(event.inputId, { state: "queued", parts: event.parts });
        return;
      case "input.changed":
        return this.#changed(event);
      case "queue.changed":
        this.#order = event.order;
        return;
      case "turn.started":
        this.#turns.set(event.turnId, event.inputId ?? null);
        if (event.inputId !== undefined)
          this.#changed({ ...event, type: "input.changed", inputId: event.inputId, state: "started" });
        return;
      case "turn.settled":
        this.#turns.delete(event.turnId);
        this.#outcome = event.outcome;
        return;
      case "compaction":
        this.#compacting = event.state === "started";
    }
  }
  #changed({ inputId, state, parts }: Extract<SessionEvent, { type: "input.changed" }>): void {
    if (state === "answered" || state === "unanswered" || state === "cancelled")
      return void this.#inputs.delete(inputId);
    const known = this.#inputs.get(inputId) ?? { state: "queued", parts: [] };
    this.#inputs.set(inputId, { state: state ?? known.state, parts: parts ?? known.parts });
  }

  /** A turn is open, or about to be. */
  get working(): boolean {
    return this.#turns.size > 0 || this.#of("queued", "offered").length > 0;
  }
  get compacting(): boolean {
    return this.#compacting;
  }
  get turns(): readonly TurnId[] {
    return [...this.#turns.keys()];
  }
  /** Null: no turn, or one the agent began. */
  inputOf(turn: TurnId): InputId | null {
    return this.#turns.get(turn) ?? null;
  }
  isWaiting(input: InputId): boolean {
    const state = this.#inputs.get(input)?.state;
    return state === "queued" || state === "held" || state === "offered";
  }
  /** Of the turn that ended last; null: none did. */
  get outcome(): Outcome | null {
    return this.#outcome;
  }
  get queues(): Queues {
    return { steering: this.#texts("offered"), followUp: this.#texts("queued") };
  }
  /** Ids of inputs that wait, held ones too. */
  get pending(): readonly InputId[] {
    return this.#of("queued", "offered", "held");
  }
  get pendingMessages(): number {
    return this.pending.flatMap((id) => this.#messages(id)).length;
  }
  #of(...states: readonly InputState[]): readonly InputId[] {
    return [...this.#inputs].flatMap(([id, { state }]) => (states.includes(state) ? [id] : []));
  }
  #messages(id: InputId): readonly (readonly Part[])[] {
    const messages = messagesIn(this.#inputs.get(id)?.parts ?? []);
    return messages.length === 0 ? [[]] : messages;
  }
  #texts(state: InputState): readonly string[] {
    const place = (id: InputId): number =>
      this.#order.includes(id) ? this.#order.indexOf(id) : Number.MAX_SAFE_INTEGER;
    return [...this.#of(state)].sort((a, b) => place(a) - place(b)).flatMap((id) => this.#messages(id).map(textOf));
  }
}
