/** Time for tests: a timer fires as soon as nothing else can happen, the nearest first, and what was armed is known. */

type Timer = { readonly ms: number; readonly call: () => void };

export class FakeTime {
  /** Ms of the timers that fired. */
  readonly fired: number[] = [];
  readonly #timers = new Set<Timer>();
  readonly #frozen: boolean;
  #looking = false;

  /** `frozen`: no timer ever fires. */
  constructor({ frozen = false }: { readonly frozen?: boolean } = {}) {
    this.#frozen = frozen;
  }
  readonly after = (ms: number, call: () => void): (() => void) => {
    const timer = { ms, call };
    this.#timers.add(timer);
    this.#look();
    return () => this.#timers.delete(timer);
  };
  #look(): void {
    if (this.#looking || this.#frozen) return;
    this.#looking = true;
    // Everything that can happen without a timer has happened by then.
    setImmediate(() => {
      this.#looking = false;
      const [next] = [...this.#timers].sort((a, b) => a.ms - b.ms);
      if (next === undefined) return;
      this.#timers.delete(next);
      this.fired.push(next.ms);
      next.call();
      this.#look();
    });
  }
}
