/** Who waits for the core's answer to a command. Every waiter is answered once: by a commit, at once, or with a refusal. */
import { MooringError } from "../../protocol/errors.ts";
import type { Seq, TurnId } from "../../protocol/ids.ts";
import type { Answered } from "../../session/events.ts";

export type Answer = {
  readonly answer: Answered;
  /** Of the turn the answer names. */
  readonly turnId: TurnId | null;
  /** Sequence number before the first event of the commit that released it; null: no commit. */
  readonly before: Seq | null;
};
type Waiter = { readonly resolve: (answer: Answer) => void; readonly reject: (cause: MooringError) => void };

export const unavailable = (): MooringError =>
  new MooringError("unavailable", "The session cannot be written to right now. Nothing was stored; try again.", {
    retry: "later",
  });

export class Replies {
  readonly #waiters = new Map<string, Waiter>();
  #asked = 0;

  get size(): number {
    return this.#waiters.size;
  }
  /** Posts a command under a name of its own and waits for the answer. Rejects with `unavailable`. */
  ask(post: (to: string) => void): Promise<Answer> {
    const to = `r${++this.#asked}`;
    return new Promise((resolve, reject) => {
      this.#waiters.set(to, { resolve, reject });
      post(to);
    });
  }
  answer(to: string, answer: Answer): void {
    this.#take(to)?.resolve(answer);
  }
  refuse(to: string): void {
    this.#take(to)?.reject(unavailable());
  }
  refuseAll(): void {
    for (const to of [...this.#waiters.keys()]) this.refuse(to);
  }
  #take(to: string): Waiter | undefined {
    const waiter = this.#waiters.get(to);
    this.#waiters.delete(to);
    return waiter;
  }
}
