/**
 * Pulls one connection's events, one at a time and only while reading is on, and posts them in the core's words.
 * Invariants: nothing is posted after `stop`; the end of the stream, however it comes, is told once.
 */
import type { Clock } from "../../ports/clock.ts";
import type { AgentRuntimeEvent } from "../../ports/driver.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { type Stamp, toAgentEvent } from "./agent-event.ts";
import { NoteThrottle } from "./note-throttle.ts";
import { TextSeams } from "./text-seams.ts";

type PumpPorts = {
  readonly clock: Clock;
  readonly noteMs: number;
  readonly stamp: Stamp;
  /** The event with its files stored and what is too long cut; null when it has neither. What comes after it waits. */
  stored(event: AgentEvent): Promise<AgentEvent> | null;
  post(event: AgentEvent): void;
  /** The stream is over; `cause` when it threw. */
  ended(cause: unknown): void;
};

export class Pump {
  readonly #ports: PumpPorts;
  readonly #source: AsyncIterator<AgentRuntimeEvent>;
  readonly #notes: NoteThrottle;
  readonly #seams = new TextSeams();
  #reading = true;
  #pulling = false;
  #over = false;

  constructor(ports: PumpPorts, events: AsyncIterable<AgentRuntimeEvent>) {
    this.#ports = ports;
    this.#source = events[Symbol.asyncIterator]();
    this.#notes = new NoteThrottle(ports.clock, ports.noteMs, (event) => ports.post(event));
    this.#pull();
  }

  get reading(): boolean {
    return this.#reading;
  }
  get over(): boolean {
    return this.#over;
  }
  read(on: boolean): void {
    this.#reading = on;
    this.#pull();
  }
  /** Whatever the stream still has is not heard. */
  stop(): void {
    this.#over = true;
    this.#notes.drop();
  }

  #pull(): void {
    if (this.#pulling || !this.#reading || this.#over) return;
    this.#pulling = true;
    let next: Promise<IteratorResult<AgentRuntimeEvent>>;
    try {
      next = this.#source.next();
    } catch (cause) {
      return this.#end(cause);
    }
    next.then(
      (result) => this.#got(result),
      (cause: unknown) => this.#end(cause),
    );
  }
  #got(result: IteratorResult<AgentRuntimeEvent>): void {
    if (this.#over) return;
    if (result.done === true) return this.#end(undefined);
    const event = toAgentEvent(this.#seams.join(result.value), this.#ports.stamp);
    const storing = this.#ports.stored(event);
    if (storing === null) return this.#take(event);
    storing.then(
      (stored) => this.#take(stored),
      (cause: unknown) => this.#end(cause),
    );
  }
  #take(event: AgentEvent): void {
    if (this.#over) return;
    this.#pulling = false;
    this.#notes.offer(event);
    this.#pull();
  }
  #end(cause: unknown): void {
    if (this.#over) return;
    this.#notes.flush();
    this.#over = true;
    this.#ports.ended(cause);
  }
}
