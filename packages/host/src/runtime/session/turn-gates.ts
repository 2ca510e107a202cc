/**
 * Holds back what is told of a turn until the handlers of `before_agent_start` are done with it. Invariant: a gate opens
 * by itself once the turn goes on without them: when it ended, or its agent said anything.
 */
import type { TurnId } from "../../index.ts";

type Gate = { readonly opened: Promise<void>; readonly open: () => void };

export class TurnGates {
  readonly #gates = new Map<TurnId, Gate>();

  #gate(turn: TurnId): Gate {
    const known = this.#gates.get(turn);
    if (known) return known;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const gate = { opened, open };
    this.#gates.set(turn, gate);
    return gate;
  }
  /** Resolves when the turn may be told. */
  async passed(turn: TurnId): Promise<void> {
    await this.#gate(turn).opened;
    this.#gates.delete(turn);
  }
  open(turn: TurnId): void {
    this.#gate(turn).open();
  }
  /** It is over: nobody will pass any more. */
  forget(turn: TurnId): void {
    this.#gates.delete(turn);
  }
  openAll(): void {
    for (const { open } of this.#gates.values()) open();
  }
}
