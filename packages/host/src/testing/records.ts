/** A list a test can wait on: what was recorded so far, and the next item whether it came already or not. */
export class Records<T> {
  readonly all: T[] = [];
  readonly #waiting: ((item: T) => void)[] = [];
  #taken = 0;

  add(item: T): void {
    this.all.push(item);
    const waiting = this.#waiting.shift();
    if (!waiting) return;
    this.#taken++;
    waiting(item);
  }
  /** Each item once, in order. */
  next(): Promise<T> {
    const item = this.all[this.#taken];
    if (item !== undefined) {
      this.#taken++;
      return Promise.resolve(item);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
