/**
 * The events of one connection, in order, for one reader. Invariants: an event pushed before `end` is read before the
 * iteration ends; nothing is pushed after it. Whoever produces freely awaits `room` when it is full, so a reader that
 * stops reading stops the model's stream instead of filling memory.
 */
import { MooringError } from "@mooring/host/driver";
import { limits } from "./limits.ts";

export class EventQueue<Event> implements AsyncIterable<Event> {
  #events: Event[] = [];
  #ended = false;
  #isRead = false;
  /** Wakes the reader. */
  #arrived: (() => void) | null = null;
  /** Wake the producers. */
  #waiting: (() => void)[] = [];

  push(event: Event): void {
    if (this.#ended) return;
    this.#events.push(event);
    this.#arrived?.();
  }

  end(): void {
    this.#ended = true;
    this.#arrived?.();
    this.#letIn();
  }

  get isFull(): boolean {
    return !this.#ended && this.#events.length >= limits.queuedEvents;
  }

  /** Resolves when it is not full. */
  room(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    if (this.#isRead) throw new MooringError("events-taken", "The events of a connection have one reader.");
    this.#isRead = true;
    for (;;) {
      const batch = this.#events;
      this.#events = [];
      this.#letIn();
      yield* batch;
      if (this.#events.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
      this.#arrived = null;
    }
  }

  #letIn(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
