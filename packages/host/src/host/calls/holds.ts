/** Named reasons why no turn may start on any session of the host, counted, and the wait for work in flight to end. */
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { Event } from "../../session/events.ts";
import type { Drained } from "../api.ts";
import type { LoadedSession } from "../sessions/loaded-session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { isDrained } from "../sessions/work-of.ts";

export class Holds {
  readonly #counts = new Map<string, number>();
  readonly #tell: (event: Event) => void;

  /** `tell`: reaches every loaded session. */
  constructor(tell: (event: Event) => void) {
    this.#tell = tell;
  }

  /** In force now, by reason. What a session that is loaded now starts with. */
  current(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
  pause(reason: string): Disposable {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    this.#tell({ type: "hold", reason });
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#release(reason);
      },
    };
  }
  #release(reason: string): void {
    const left = (this.#counts.get(reason) ?? 1) - 1;
    if (left > 0) this.#counts.set(reason, left);
    else this.#counts.delete(reason);
    this.#tell({ type: "unhold", reason });
  }
}

/** Arms something that calls `over` once when the waiting has lasted long enough; the returned function disarms it. */
export type Limit = (over: () => void) => () => void;

/** Resolves true once `done` holds for every loaded session at one moment, false when the limit is over. */
export function whenAll(sessions: Sessions, limit: Limit, done: (session: LoadedSession) => boolean): Promise<boolean> {
  const open = new Set([...sessions.loaded].filter((session) => !done(session)));
  if (open.size === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (all: boolean): void => {
      unwatch();
      disarm();
      resolve(all);
    };
    const unwatch = sessions.watch((session) => {
      if (session.over || done(session)) open.delete(session);
      else open.add(session);
      if (open.size === 0) finish(true);
    });
    const disarm = limit(() => finish(false));
  });
}

/** Waits until no session has work in flight, whatever starts meanwhile. Never aborts, never rejects. */
export async function drain(
  sessions: Sessions,
  ports: { readonly clock: Clock; readonly log: Log; readonly held: boolean },
  timeoutMs: number,
): Promise<Drained> {
  if (!ports.held) ports.log.warn("drain-without-hold", { hint: "Nothing stops new turns. Call pause first." });
  const drained = (session: LoadedSession): boolean => isDrained(session.state);
  const limit: Limit = (over) => ports.clock.after(timeoutMs, over);
  if (await whenAll(sessions, limit, drained)) return { stragglerIds: [] };
  const stragglerIds: SessionId[] = [];
  for (const session of sessions.loaded) if (!drained(session)) stragglerIds.push(session.id);
  return { stragglerIds };
}
