/**
 * The budget of open agent connections of a host. Invariants: never more than `size` slots are out; waiters get one in
 * the order they came; while somebody waits, the host is asked to reap an idle connection.
 */
export type Slot = { release(): void };
type Waiter = { readonly take: (slot: Slot) => void };

export class ConnectionPool {
  readonly #size: number;
  readonly #reap: () => void;
  readonly #waiters = new Set<Waiter>();
  #out = 0;

  /** `reap`: asks for the end of the least recently used idle connection, if there is one. */
  constructor(size: number, reap: () => void) {
    this.#size = size;
    this.#reap = reap;
  }

  get waiting(): number {
    return this.#waiters.size;
  }
  /** There is no place for one more process. */
  get isFull(): boolean {
    return this.#out >= this.#size;
  }
  /** Calls `take` once with a slot, at once when one is free. The returned function gives up waiting. */
  acquire(take: (slot: Slot) => void): () => void {
    if (this.#out < this.#size) {
      take(this.#slot());
      return () => {};
    }
    const waiter: Waiter = { take };
    this.#waiters.add(waiter);
    this.#reap();
    return () => {
      this.#waiters.delete(waiter);
    };
  }
  #slot(): Slot {
    let held = true;
    this.#out++;
    return {
      release: () => {
        if (!held) return;
        held = false;
        this.#out--;
        this.#next();
      },
    };
  }
  #next(): void {
    const [waiter] = this.#waiters;
    if (!waiter) return;
    this.#waiters.delete(waiter);
    waiter.take(this.#slot());
  }
}
