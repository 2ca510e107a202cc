/**
 * Time that only tests move. Invariants: timers fire in the order of their due time, those due together in the order
 * they were armed; while one fires, `now` and `monotonic` show its due time; a timer armed by another fires in the same
 * `advance` when it falls due within it. Nothing here waits: promise continuations run when the caller awaits.
 */
import type { Clock } from "../ports/clock.ts";

type Timer = { readonly due: number; readonly call: () => void };

export class VirtualClock implements Clock {
  #wall: number;
  #elapsed = 0;
  /** In the order they were armed. */
  readonly #timers = new Set<Timer>();

  /** `start`: wall time in milliseconds since the epoch. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#wall = start;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(ms: number, call: () => void): () => void {
    const timer: Timer = { due: this.#elapsed + Math.max(0, ms), call };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Passes `ms` of time and fires what falls due. */
  advance(ms: number): void {
    const until = this.#elapsed + ms;
    for (let timer = this.#next(until); timer; timer = this.#next(until)) {
      this.#timers.delete(timer);
      this.#pass(timer.due - this.#elapsed);
      timer.call();
    }
    this.#pass(until - this.#elapsed);
  }

  /** Moves the wall clock alone, forwards or (negative) back, as an administrator or NTP does: no timer fires. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /** Milliseconds until each armed timer fires, soonest first. */
  pending(): readonly number[] {
    return [...this.#timers].map((timer) => timer.due - this.#elapsed).sort((a, b) => a - b);
  }

  #pass(ms: number): void {
    this.#wall += ms;
    this.#elapsed += ms;
  }

  #next(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due <= until && (!next || timer.due < next.due)) next = timer;
    }
    return next;
  }
}
