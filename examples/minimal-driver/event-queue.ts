/** Events of one connection for its one reader. What was pushed before the end is read before it. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  #events: Event[] = [];
  #isOver = false;
  #wake: () => void = () => {};

  push(event: Event): void {
    if (this.#isOver) return;
    this.#events.push(event);
    this.#wake();
  }
  end(): void {
    this.#isOver = true;
    this.#wake();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    for (;;) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length > 0) continue;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
