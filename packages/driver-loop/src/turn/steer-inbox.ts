/**
 * Steers of one turn on their way to the model. The AI SDK's steering takes messages and never gives one back, so a
 * steer stays here, where it can be withdrawn, until the step before it ends; then it is handed over and goes out with
 * the next request. Invariants: a steer is delivered once, by the boundary that names it, or returned by `close`; its
 * place in the order never changes.
 */

import type { InputId, SteerInput, SteeringMode } from "@mooring/host/driver";
import type { Experimental_Steering as Steering } from "ai";
import { userMessage } from "../conversation/user-message.ts";
import { limits } from "../limits.ts";

type Held = {
  readonly steer: SteerInput;
  /** `sent`: in the messages of a request that has given nothing yet. */
  at: "waiting" | "given" | "sent";
};

export class SteerInbox {
  /** Oldest first; those nearer to the model are always older. */
  #held: Held[] = [];
  #isClosed = false;

  /** False: no more can be taken. */
  offer(steer: SteerInput): boolean {
    if (this.#isClosed || this.#held.length >= limits.heldSteers) return false;
    this.#held.push({ steer, at: "waiting" });
    return true;
  }

  /** True when it was still here and never will be taken. */
  withdraw(id: InputId): boolean {
    const before = this.#held.length;
    this.#held = this.#held.filter((held) => held.steer.inputId !== id || held.at !== "waiting");
    return this.#held.length < before;
  }

  get isWaiting(): boolean {
    return this.#held.some(({ at }) => at === "waiting");
  }

  /** Call before a run and when a step of it ends: what waits, or the first of it, becomes part of the next step. */
  async handOver(steering: Steering, mode: SteeringMode): Promise<void> {
    const waiting = this.#held.filter(({ at }) => at === "waiting");
    for (const held of mode === "all" ? waiting : waiting.slice(0, 1)) {
      held.at = "given";
      const message = await userMessage(held.steer.parts);
      // The outcome is told by the stream: a steer that went out is announced there before its step.
      void steering.steer(message ?? "[a message without text]", { id: held.steer.inputId });
    }
  }

  /** The stream announced it. */
  sent(id: InputId): void {
    for (const held of this.#held) if (held.steer.inputId === id) held.at = "sent";
  }

  /** The step that includes the sent ones began: they are taken. */
  take(): readonly InputId[] {
    const taken = this.#held.filter(({ at }) => at === "sent");
    this.#held = this.#held.filter(({ at }) => at !== "sent");
    return taken.map(({ steer }) => steer.inputId);
  }

  /** A run ended: what it did not send waits for the next one. */
  reclaim(): void {
    for (const held of this.#held) if (held.at === "given") held.at = "waiting";
  }

  /** No more steers; those never taken, in their order. */
  close(): readonly InputId[] {
    this.#isClosed = true;
    return this.#held.splice(0).map(({ steer }) => steer.inputId);
  }
}
