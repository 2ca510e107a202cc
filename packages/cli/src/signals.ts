/**
 * What the person's signals mean while a session is followed: the first Ctrl-C stops the turn, the second leaves, a
 * third ends the process; SIGTERM and SIGHUP leave.
 */
import type { Environment } from "./data-dir.ts";
import { exitCodes } from "./exit-codes.ts";
import { limits } from "./limits.ts";

export type SignalActions = {
  /** False: there is nothing to stop, so this Ctrl-C leaves. */
  stop(): Promise<boolean>;
  /** `graceMs`: how long a running turn may go on. Called once. */
  leave(exitCode: number, graceMs: number): void;
};

/** From now on; the returned function gives the signals back. */
export function watchSignals(actions: SignalActions, env: Environment): () => void {
  // The terminal sends Ctrl-C to npm and to us; npm then passes it on: one key, two signals.
  const interrupts = new Interrupts(actions, env["npm_lifecycle_event"] ? limits.sameSignalMs : 0);
  const onInterrupt = (): void => interrupts.hear(performance.now());
  const onTerminate = (): void => actions.leave(exitCodes.terminated, limits.endGraceMs);
  const onHangup = (): void => actions.leave(exitCodes.hangup, limits.endGraceMs);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  process.on("SIGHUP", onHangup);
  return () => {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onTerminate);
    process.off("SIGHUP", onHangup);
  };
}

/** Counts Ctrl-C. */
export class Interrupts {
  readonly #actions: SignalActions;
  readonly #sameMs: number;
  #count = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** Signals less than `sameMs` after one that counted do not count. */
  constructor(actions: SignalActions, sameMs: number) {
    this.#actions = actions;
    this.#sameMs = sameMs;
  }

  /** `now` in ms, never going back. */
  hear(now: number): void {
    if (now - this.#last < this.#sameMs) return;
    this.#last = now;
    this.#count++;
    if (this.#count === 1) this.#first();
    else if (this.#count === 2) this.#leave();
    else process.exit(exitCodes.stopped);
  }
  #first(): void {
    const leave = (): void => this.#leave();
    this.#actions.stop().then((stopping) => {
      if (!stopping) leave();
    }, leave);
  }
  #leave(): void {
    this.#actions.leave(exitCodes.stopped, limits.leaveGraceMs);
  }
}
