/**
 * Who waits for a run to end. Invariants: a prompt resolves with the run that answered it, not with an earlier one; what
 * handlers of `agent_settled` prompt waits until all of them returned, then runs in order, each to its own end; prompts
 * from before wait for those too.
 */
import { type InputId, MooringError, messageOf } from "../../index.ts";
import { runtimeLimits } from "../limits.ts";

type Waiter = { readonly resolve: () => void; readonly reject: (cause: unknown) => void };

export class Settlement {
  readonly #prompts = new Map<InputId, Waiter>();
  /** Their turn is over. */
  readonly #answered = new Set<InputId>();
  readonly #idle: Waiter[] = [];
  readonly #deferred: (() => Promise<void>)[] = [];
  #draining = false;

  /** Prompts made by handlers of `agent_settled` wait or run. */
  get deferring(): boolean {
    return this.#draining || this.#deferred.length > 0;
  }
  /** Throws `too-many-prompts`. */
  defer(prompt: () => Promise<void>): void {
    if (this.#deferred.length >= runtimeLimits.deferredPrompts)
      throw new MooringError(
        "too-many-prompts",
        `At most ${runtimeLimits.deferredPrompts} prompts wait for a run's end.`,
      );
    this.#deferred.push(prompt);
  }
  /** Resolves with the run that answers this input. */
  ofInput(id: InputId): Promise<void> {
    return new Promise((resolve, reject) => this.#prompts.set(id, { resolve, reject }));
  }
  /** It was not taken: nobody waits for it. */
  forget(id: InputId): void {
    this.#prompts.delete(id);
    this.#answered.delete(id);
  }
  answered(id: InputId): void {
    if (this.#prompts.has(id)) this.#answered.add(id);
  }
  whenIdle(): Promise<void> {
    return new Promise((resolve, reject) => this.#idle.push({ resolve, reject }));
  }

  /** A run is over and all its handlers returned. */
  async settled(isIdle: () => boolean): Promise<void> {
    const prompts = this.#takeAnswered();
    await this.#drain();
    for (const { resolve } of prompts) resolve();
    this.release(isIdle);
  }
  /** Lets those go who wait for nothing to be going on, if nothing is. */
  release(isIdle: () => boolean): void {
    if (this.deferring || !isIdle()) return;
    for (const { resolve } of this.#idle.splice(0)) resolve();
  }
  #takeAnswered(): readonly Waiter[] {
    const taken = [...this.#answered].flatMap((id) => this.#prompts.get(id) ?? []);
    for (const id of this.#answered) this.#prompts.delete(id);
    this.#answered.clear();
    return taken;
  }
  async #drain(): Promise<void> {
    if (this.#draining) return; // the one that drains comes to these too
    this.#draining = true;
    for (let prompt = this.#deferred.shift(); prompt; prompt = this.#deferred.shift())
      await prompt().catch((cause: unknown) =>
        process.emitWarning(`A prompt made in agent_settled was not taken: ${messageOf(cause)}`),
      );
    this.#draining = false;
  }
  /** Nothing will be settled any more. */
  close(cause: MooringError): void {
    for (const { reject } of [...this.#prompts.values(), ...this.#idle.splice(0)]) reject(cause);
    this.#prompts.clear();
    this.#deferred.length = 0;
  }
}
