/** The way out of a command that follows a session: what a signal means at this moment, and with which status it ends. */
import type { HostRequest, OpenHost } from "../command-host.ts";
import type { Context } from "../commands/host-request.ts";
import { exitCodes } from "../exit-codes.ts";
import { limits } from "../limits.ts";
import { type SignalActions, watchSignals } from "../signals.ts";
import type { Follower } from "./follower.ts";
import type { Output } from "./output.ts";

type Followed = { readonly follower: Follower; readonly output: Output };

export class Departure implements SignalActions {
  #followed: Followed | null = null;
  #left: { readonly exitCode: number; readonly graceMs: number } | null = null;

  /** Null: the command goes on. */
  get left(): { readonly exitCode: number; readonly graceMs: number } | null {
    return this.#left;
  }
  /** Signals are about this session from now on. */
  follow(followed: Followed): void {
    this.#followed = followed;
  }
  async stop(): Promise<boolean> {
    const followed = this.#followed;
    if (followed === null || this.#left !== null) return false;
    return followed.follower.stop();
  }
  leave(exitCode: number, graceMs: number): void {
    this.#left ??= { exitCode, graceMs };
    this.#followed?.follower.leave();
  }
}

/** Opens the host with signals watched from before it opens until it is closed. Resolves to the status. */
export async function withDeparture(
  { terminal, withHost }: Context,
  request: HostRequest,
  work: (opened: OpenHost, departure: Departure) => Promise<number>,
): Promise<number> {
  const departure = new Departure();
  const unwatch = watchSignals(departure, terminal.env);
  terminal.onBrokenPipe(() => departure.leave(exitCodes.brokenPipe, limits.leaveGraceMs));
  try {
    return await withHost(request, async (opened) => {
      const exitCode = await work(opened, departure);
      const { left } = departure;
      if (left === null) return exitCode;
      if (opened.server !== null) terminal.err("What runs goes on in the server.\n");
      await opened.leave(left.graceMs);
      return left.exitCode;
    });
  } finally {
    unwatch();
  }
}
