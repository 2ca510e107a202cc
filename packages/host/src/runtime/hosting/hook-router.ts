/**
 * The hook points of a host, handed to the `AgentSession` each session has, if it has one. Invariant: at most one
 * `AgentSession` per hosted session; a session without one passes every point.
 */
import { type HostHooks, MooringError, type SessionId } from "../../index.ts";

type HookCall<Name extends keyof HostHooks> = Parameters<NonNullable<HostHooks[Name]>>[0];
type HookAnswer<Name extends keyof HostHooks> = ReturnType<NonNullable<HostHooks[Name]>>;
/** What an `AgentSession` answers for its session. */
export type SessionDoors = { [Name in keyof HostHooks]-?: (call: HookCall<Name>) => HookAnswer<Name> };

export class HookRouter {
  readonly #doors = new Map<SessionId, SessionDoors>();
  /** For `createHost({ hooks })`. */
  readonly hooks: HostHooks = {
    admit: async (call) => this.#doors.get(call.sessionId)?.admit(call) ?? { do: "pass" },
    beforeTurn: async (call) => this.#doors.get(call.sessionId)?.beforeTurn(call),
    toolCall: async (call) => this.#doors.get(call.sessionId)?.toolCall(call) ?? "pass",
    beforeSettle: async (call) => this.#doors.get(call.sessionId)?.beforeSettle(call),
    beforeCompaction: async (call) => this.#doors.get(call.sessionId)?.beforeCompaction(call) ?? "go",
    steeringMode: (call) => this.#doors.get(call.sessionId)?.steeringMode(call) ?? "all",
    ownTools: (call) => this.#doors.get(call.sessionId)?.ownTools(call) ?? [],
  };

  /** Throws `session-attached`. Disposing twice is once. */
  attach(session: SessionId, doors: SessionDoors): Disposable {
    if (this.#doors.has(session))
      throw new MooringError(
        "session-attached",
        "This session is open in this program already. Use that `AgentSession`, or dispose of it first.",
        { detail: { session } },
      );
    this.#doors.set(session, doors);
    return {
      [Symbol.dispose]: () => {
        if (this.#doors.get(session) === doors) this.#doors.delete(session);
      },
    };
  }
}
