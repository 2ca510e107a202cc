/**
 * Reads a session's journal and has its events handled one at a time, in order, each before the next; work of the
 * session's own takes its place between them. Invariants: nothing is skipped or handled twice, also when the reader
 * lagged behind; what a handler throws is the owner's to hear, and stops nothing; after `stop` nothing more is handled.
 */
import {
  type DeliveredEvent,
  MooringError,
  messageOf,
  parseCursor,
  type Seq,
  type SessionHost,
  type SessionId,
} from "../../index.ts";
import { runtimeLimits } from "../limits.ts";

type PumpPorts = {
  readonly host: SessionHost;
  readonly session: SessionId;
  /** Called at arrival, ahead of the handling, in order. Must not throw. */
  arrived(event: DeliveredEvent): void;
  handle(event: DeliveredEvent): Promise<void>;
  /** Nothing more has arrived for now. */
  idle(): Promise<void>;
  failed(cause: unknown): void;
};
type Task = () => Promise<void>;

export class EventPump {
  readonly #ports: PumpPorts;
  readonly #over = new AbortController();
  readonly #tasks: Task[] = [];
  readonly #waiting = new Set<{ readonly seq: Seq; readonly resolve: () => void }>();
  /** Resolved when there is room for more. */
  #room: (() => void)[] = [];
  #cursor: string;
  #handled: Seq;
  #working = false;

  constructor(ports: PumpPorts, cursor: string) {
    this.#ports = ports;
    this.#cursor = cursor;
    this.#handled = parseCursor(cursor).seq;
  }

  /** Reads until `stop`. */
  start(): void {
    this.#read().catch((cause: unknown) => this.#ports.failed(cause));
  }
  stop(): void {
    this.#over.abort();
    this.#tasks.length = 0;
    for (const resolve of [...this.#waiting].map((waiter) => waiter.resolve)) resolve();
    for (const go of this.#room.splice(0)) go();
    this.#waiting.clear();
  }
  /** Runs `task` after everything that has arrived. Resolves when it is done or the pump was stopped. */
  run(task: Task): Promise<void> {
    return new Promise((resolve) => {
      this.#push(async () => {
        try {
          await task();
        } finally {
          resolve();
        }
      });
      this.#over.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
  /** Everything stored up to now was handled; or the pump was stopped. */
  async caughtUp(): Promise<void> {
    const { seq } = parseCursor(await this.#ports.host.cursor(this.#ports.session));
    if (this.#handled >= seq || this.#over.signal.aborted) return;
    await new Promise<void>((resolve) => this.#waiting.add({ seq, resolve }));
  }

  async #read(): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        await this.#readOn();
      } catch (cause) {
        // It lagged behind: the journal has what was missed.
        if (!MooringError.isInstance(cause) || cause.code !== "slow-subscriber") throw cause;
      }
    }
  }
  async #readOn(): Promise<void> {
    const { host, session } = this.#ports;
    for await (const event of host.events(session, { after: this.#cursor, signal: this.#over.signal })) {
      this.#cursor = event.cursor;
      this.#ports.arrived(event);
      this.#push(async () => {
        await this.#ports.handle(event);
        this.#advance(parseCursor(event.cursor).seq);
      });
      if (this.#tasks.length >= runtimeLimits.pumpEvents) await this.#hasRoom();
    }
  }
  #hasRoom(): Promise<void> {
    return new Promise((resolve) => this.#room.push(resolve));
  }
  #advance(seq: Seq): void {
    this.#handled = seq;
    for (const waiter of this.#waiting) {
      if (waiter.seq > seq) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
  #push(task: Task): void {
    this.#tasks.push(task);
    if (this.#working) return;
    this.#working = true;
    this.#work().catch((cause: unknown) => process.emitWarning(`The session's events stopped: ${messageOf(cause)}`));
  }
  async #work(): Promise<void> {
    do {
      for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) {
        await this.#do(task);
        if (this.#tasks.length < runtimeLimits.pumpEvents) for (const go of this.#room.splice(0)) go();
      }
      await this.#do(() => this.#ports.idle());
    } while (this.#tasks.length > 0);
    this.#working = false;
  }
  async #do(task: Task): Promise<void> {
    try {
      await task();
    } catch (cause) {
      this.#ports.failed(cause);
    }
  }
}
