/** What a feed waits on: a bell that somebody rings, and conditions that have held for some time. */
import type { Clock } from "../../ports/clock.ts";

/** Rung while nobody waits, it is heard by the next who does. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#isRung = this.#wake === null;
    this.#wake?.();
    this.#wake = null;
  }
  rung(): Promise<void> {
    if (!this.#isRung)
      return new Promise((resolve) => {
        this.#wake = resolve;
      });
    this.#isRung = false;
    return Promise.resolve();
  }
}

export class Wish {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #up: () => void;
  #disarm: (() => void) | null = null;
  #isUp = false;

  /** `up`: called when the condition has held for `ms`. */
  constructor(clock: Clock, ms: number, up: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#up = up;
  }

  get isUp(): boolean {
    return this.#isUp;
  }
  /** It holds, or holds no more; said again, time goes on. */
  want(holds: boolean): void {
    if (!holds) return this.drop();
    this.#disarm ??= this.#clock.after(this.#ms, () => {
      this.#isUp = true;
      this.#up();
    });
  }
  drop(): void {
    this.#disarm?.();
    this.#disarm = null;
    this.#isUp = false;
  }
}
