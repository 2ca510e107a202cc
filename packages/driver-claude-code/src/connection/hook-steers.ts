/**
 * Steers for an agent that does not say what became of a message written to it: they are told with the result of its next
 * tool. Invariant: a steer is here until it is told, withdrawn, or its turn ends, and leaves once.
 */
import type { InputId, SteerInput, TurnId } from "@mooring/host/driver";
import { limits } from "../limits.ts";

type Held = { readonly turnId: TurnId; readonly inputId: InputId; readonly text: string };

export class HookSteers {
  #held: Held[] = [];

  /** False: it cannot be told so, because it is more than text, or there are too many. */
  hold({ turnId, inputId, parts }: SteerInput): boolean {
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    if (texts.length < parts.length || this.#held.length >= limits.heldSteers) return false;
    this.#held.push({ turnId, inputId, text: texts.join("\n\n") });
    return true;
  }
  withdraw(inputId: InputId): boolean {
    const before = this.#held.length;
    this.#held = this.#held.filter((held) => held.inputId !== inputId);
    return this.#held.length < before;
  }
  /** Those of a turn; of all turns when none is named. */
  take(turnId?: TurnId): readonly Held[] {
    const taken = this.#held.filter((held) => turnId === undefined || held.turnId === turnId);
    this.#held = this.#held.filter((held) => !taken.includes(held));
    return taken;
  }
}
