/**
 * Sessions of a runtime that were left before their first input. They have an id and no row: the runtime goes back to them
 * as they were. Invariant: one that has a row is the store's, not kept here; the oldest is forgotten first.
 */
import { runtimeLimits } from "../limits.ts";
import type { AgentSession } from "../session/agent-session.ts";
import type { SessionManager } from "../stored/session-manager.ts";
import type { Destination } from "./destinations.ts";

export class UnsavedSessions {
  readonly #left = new Map<string, SessionManager>();

  left({ hostedId, sessionManager }: AgentSession): void {
    const { kind } = sessionManager.target;
    const id = sessionManager.getSessionId();
    this.#left.delete(id);
    if (kind !== "new" || hostedId !== null || !sessionManager.isPersisted()) return;
    this.#left.set(id, sessionManager);
    const [oldest] = this.#left.keys();
    if (this.#left.size > runtimeLimits.unsavedSessions && oldest !== undefined) this.#left.delete(oldest);
  }
  /** Undefined: there is none of that id. Of one that is to work elsewhere too: nothing is lost with it. */
  at(id: string, cwdOverride: string | undefined): Destination | undefined {
    const manager = this.#left.get(id);
    if (manager === undefined || (cwdOverride ?? manager.getCwd()) !== manager.getCwd()) return undefined;
    return { manager, cwd: manager.getCwd() };
  }
}
