/** The timers a session's core asked for, by key. A disarmed one may still fire; the core checks its key. */
import type { Clock } from "../../ports/clock.ts";

export class Timers {
  readonly #clock: Clock;
  readonly #fired: (key: string) => void;
  readonly #running = new Map<string, () => void>();

  constructor(clock: Clock, fired: (key: string) => void) {
    this.#clock = clock;
    this.#fired = fired;
  }

  arm(key: string, ms: number): void {
    this.disarm(key);
    const cancel = this.#clock.after(ms, () => {
      this.#running.delete(key);
      this.#fired(key);
    });
    this.#running.set(key, cancel);
  }
  disarm(key: string): void {
    this.#running.get(key)?.();
    this.#running.delete(key);
  }
  disarmAll(): void {
    for (const key of [...this.#running.keys()]) this.disarm(key);
  }
}
