/**
 * The events of one connection, in order, for one reader. Invariants: an event pushed before `end` is read before the
 * iteration ends; nothing is pushed after it. Whoever can wait awaits `room` when it is full, so a reader that stops
 * reading stops the agent's output instead of filling memory.
 */
import { MooringError } from "../protocol/errors.ts";

export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #limit: number;
  #events: Event[] = [];
  #isEnded = false;
  #isRead = false;
  #wakeReader: () => void = () => {};
  #waiting: (() => void)[] = [];

  /** `limit`: events it holds before it is full. More are taken all the same: nothing that happened is left out. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(...events: readonly Event[]): void {
    if (this.#isEnded || events.length === 0) return;
    this.#events.push(...events);
    this.#wakeReader();
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeReader();
    this.#letIn();
  }

  get isFull(): boolean {
    return !this.#isEnded && this.#events.length >= this.#limit;
  }

  /** Resolves when it is not full. */
  async room(): Promise<void> {
    while (this.isFull) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Throws `events-taken` for a second reader. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    if (this.#isRead) throw new MooringError("events-taken", "The events of a connection have one reader.");
    this.#isRead = true;
    for (;;) {
      const batch = this.#events;
      this.#events = [];
      this.#letIn();
      yield* batch;
      if (this.#events.length > 0) continue;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  #letIn(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
