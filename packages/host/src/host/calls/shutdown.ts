/**
 * How a host goes down: nothing new starts, running turns get a grace, what is left ends as interrupted, connections
 * close, children end, the store closes last. Happens once; asking again can only shorten the grace.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { MooringError } from "../../protocol/errors.ts";
import { keepAlive } from "../keep-alive.ts";
import type { HostLimits } from "../limits.ts";
import type { Supervisor } from "../processes/supervisor.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { mayShutDown } from "../sessions/work-of.ts";
import type { Holds, Limit } from "./holds.ts";
import { whenAll } from "./holds.ts";

type ShutdownPorts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: HostLimits;
  readonly store: Store;
  readonly sessions: Sessions;
  readonly holds: Holds;
  readonly supervisor: Supervisor;
  /** Ends the periodic work of the host. */
  stopMaintenance(): void;
};

export class Shutdown {
  readonly #ports: ShutdownPorts;
  readonly #grace: Grace;
  #running: Promise<void> | null = null;
  #closing = false;

  constructor(ports: ShutdownPorts) {
    this.#ports = ports;
    this.#grace = new Grace(ports.clock);
  }

  /** Throws `shutting-down` once it has begun: nothing new is taken. */
  refuseIfBegun(): void {
    if (this.#running !== null) throw shuttingDown();
  }
  /** Throws `shutting-down` once the grace is over: until then what runs may still be helped to its end. */
  refuseIfClosing(): void {
    if (this.#closing) throw shuttingDown();
  }
  begin(graceMs: number): Promise<void> {
    this.#grace.shorten(graceMs);
    this.#running ??= keepAlive(() => this.#run());
    return this.#running;
  }

  async #run(): Promise<void> {
    const { clock, limits, sessions, holds, supervisor, store } = this.#ports;
    holds.pause("shutdown"); // for good
    this.#ports.stopMaintenance();
    await whenAll(sessions, this.#grace.limit, (session) => mayShutDown(session.state));
    this.#closing = true;
    sessions.tellAll({ type: "shutdown" });
    const settle: Limit = (over) => clock.after(limits.shutdownSettleMs, over);
    const settled = await whenAll(sessions, settle, ({ state }) => mayShutDown(state) && state.link.kind === "none");
    if (!settled)
      this.#ports.log.warn("shutdown-unsettled", { hint: "What is left ends as interrupted at the next start." });
    await this.#closeAll();
    await supervisor.stop();
    await store.close();
  }
  async #closeAll(): Promise<void> {
    const { clock, limits, sessions } = this.#ports;
    const closing = Promise.all([...sessions.loaded].map((session) => session.abandon()));
    let disarm = (): void => {};
    const late = new Promise<void>((resolve) => {
      disarm = clock.after(limits.timerMs.close, resolve);
    });
    await Promise.race([closing, late]);
    disarm();
  }
}

const shuttingDown = (): MooringError =>
  new MooringError("shutting-down", "The host is shutting down. Try again after its restart.", { retry: "later" });

/** A deadline that can only come nearer. */
class Grace {
  readonly #clock: Clock;
  #due = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};
  #over: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }
  readonly limit: Limit = (over) => {
    this.#over = over;
    this.#arm();
    return () => {
      this.#over = () => {};
      this.#disarm();
    };
  };
  shorten(ms: number): void {
    this.#due = Math.min(this.#due, this.#clock.monotonic() + ms);
    this.#arm();
  }
  #arm(): void {
    this.#disarm();
    this.#disarm = this.#clock.after(Math.max(0, this.#due - this.#clock.monotonic()), () => this.#over());
  }
}
