/**
 * Pauses asked for over HTTP. Invariants: one hold for each reason, named `http:<reason>`; only what was asked for here
 * is ended here; they end with the host.
 */
import type { SessionHost } from "../host/api.ts";
import { httpError } from "./problem.ts";

export class HttpHolds {
  readonly #host: Pick<SessionHost, "pause">;
  readonly #most: number;
  readonly #held = new Map<string, Disposable>();

  constructor(host: Pick<SessionHost, "pause">, most: number) {
    this.#host = host;
    this.#most = most;
  }

  get reasons(): readonly string[] {
    return [...this.#held.keys()];
  }
  /** Again: nothing changes. Throws `too-many-holds`. */
  pause(reason: string): void {
    if (this.#held.has(reason)) return;
    if (this.#held.size >= this.#most)
      throw httpError("too-many-holds", `At most ${this.#most} pauses are kept. End some first.`);
    this.#held.set(reason, this.#host.pause(`http:${reason}`));
  }
  /** Throws `no-such-hold`. */
  release(reason: string): void {
    const hold = this.#held.get(reason);
    if (hold === undefined)
      throw httpError("no-such-hold", `Nobody asked for a pause "${reason}" over HTTP.`, { reason });
    this.#held.delete(reason);
    hold[Symbol.dispose]();
  }
}
