/**
 * The active session of a program and the services of its directory, replaced together.
 *
 * Order of every replacement: `session_before_switch` or `session_before_fork`; what it goes to is checked; what runs is
 * stopped and waited for; `session_shutdown`; `beforeSessionInvalidate`; the old session is closed; the factory; the
 * rebind hook (which binds extensions: `session_start`); `withSession`.
 *
 * Invariants: one replacement at a time, later ones wait; until `session_shutdown` a failure leaves the present session
 * as it is; after it the old session answers nothing any more, and the next replacement goes on from there; of a session
 * that could not be put in place nothing stays behind.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { AgentSessionRuntimeDiagnostic } from "../diagnostics.ts";
import { SessionClosedError, WouldDeadlockError } from "../errors.ts";
import { outsideHandlers, refuseInHandler } from "../extensions/handler-scope.ts";
import type {
  ForkOptions,
  NewSessionOptions,
  SessionStartEvent,
  ShutdownReason,
  SwitchOptions,
  WithSession,
} from "../extensions/types.ts";
import type { AgentSessionServices } from "../services/create-services.ts";
import type { AgentSession } from "../session/agent-session.ts";
import { SessionManager } from "../stored/session-manager.ts";
import { type Destination, forkDestination, importDestination, switchDestination } from "./destinations.ts";
import type {
  CreateAgentSessionRuntimeFactory,
  CreateAgentSessionRuntimeOptions,
  CreateAgentSessionRuntimeResult,
} from "./factory.ts";
import { UnsavedSessions } from "./unsaved-sessions.ts";

export type Replaced = { readonly cancelled: boolean };
export type Forked = Replaced & {
  /** Text of the user message the fork ends before: for the person to send again, changed. */
  readonly selectedText?: string;
};
type Plan = {
  readonly reason: Exclude<ShutdownReason, "quit" | "reload">;
  /** Resolves false when a handler cancels. */
  readonly allowed: () => Promise<boolean>;
  readonly destination: () => Promise<Destination>;
  readonly withSession: WithSession | undefined;
};
type RebindSession = (session: AgentSession) => void | Promise<void>;

export class AgentSessionRuntime {
  readonly #factory: CreateAgentSessionRuntimeFactory;
  readonly #fixed: Pick<CreateAgentSessionRuntimeOptions, "agentDir" | "host">;
  readonly #inside = new AsyncLocalStorage<string>();
  readonly #unsaved = new UnsavedSessions();
  #made: CreateAgentSessionRuntimeResult;
  #reported = 0;
  #line: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> | null = null;
  #rebind: RebindSession | undefined;
  #beforeInvalidate: (() => void) | undefined;

  /** Use `createAgentSessionRuntime`. */
  constructor(
    factory: CreateAgentSessionRuntimeFactory,
    { agentDir, host }: CreateAgentSessionRuntimeOptions,
    made: CreateAgentSessionRuntimeResult,
  ) {
    this.#factory = factory;
    this.#fixed = { agentDir, host };
    this.#made = made;
  }

  /** Another one after every replacement: subscribe and bind again. */
  get session(): AgentSession {
    return this.#made.session;
  }
  get services(): AgentSessionServices {
    return this.#made.services;
  }
  get cwd(): string {
    return this.services.cwd;
  }
  /** Of the last creation. */
  get diagnostics(): readonly AgentSessionRuntimeDiagnostic[] {
    return this.#made.diagnostics;
  }
  /** Those not taken before. */
  takeUnreportedDiagnostics(): readonly AgentSessionRuntimeDiagnostic[] {
    const fresh = this.diagnostics.slice(this.#reported);
    this.#reported = this.diagnostics.length;
    return fresh;
  }
  get modelFallbackMessage(): string | undefined {
    return this.#made.modelFallbackMessage;
  }
  /** Called with the new session after each replacement, and awaited; undefined: none. */
  setRebindSession(rebind: RebindSession | undefined): void {
    this.#rebind = rebind;
  }
  /** Called after `session_shutdown`, while the old session's contexts still work; must not wait. Undefined: none. */
  setBeforeSessionInvalidate(before: (() => void) | undefined): void {
    this.#beforeInvalidate = before;
  }

  // --- replacement ------------------------------------------------------------------------------------------------

  /** A new session of the same kind (stored or in memory) in the same directory. Rejects with what `setup` throws. */
  async newSession({ parentSession, setup, withSession }: NewSessionOptions = {}): Promise<Replaced> {
    return this.#replace("newSession", {
      reason: "new",
      allowed: () => this.#askSwitch("new"),
      destination: async () => {
        const parent = parentSession === undefined ? {} : { parentSession };
        const make = this.session.sessionManager.isPersisted() ? SessionManager.create : SessionManager.inMemory;
        const manager = make(this.cwd, parent);
        await setup?.(manager.draft);
        return { manager, cwd: this.cwd };
      },
      withSession,
    });
  }
  /**
   * A stored session, by id or by the absolute path of a session file, or one that was left before its first input.
   * Rejects with `no-such-session`, `not-a-session`, `MissingSessionCwdError`: the present session stays.
   */
  async switchSession(reference: string, { cwdOverride, withSession }: SwitchOptions = {}): Promise<Replaced> {
    return this.#replace("switchSession", {
      reason: "resume",
      allowed: () => this.#askSwitch("resume", reference),
      destination: async () =>
        this.#unsaved.at(reference, cwdOverride) ??
        (await switchDestination(this.#fixed.host, reference, { ...this.#here, cwdOverride })),
      withSession,
    });
  }
  /**
   * A copy of the conversation up to an entry: `before` a user message (default), or `at` any. Rejects with
   * `invalid-entry`, `not-stored-yet`, and as `SessionHost.fork`.
   */
  async fork(entryId: string, { position = "before", withSession }: ForkOptions = {}): Promise<Forked> {
    let selectedText: string | undefined;
    const replaced = await this.#replace("fork", {
      reason: "fork",
      allowed: () => this.#ask("session_before_fork", { type: "session_before_fork", entryId, position }),
      destination: async () => {
        const { text, ...destination } = await forkDestination(this.session, entryId, position);
        selectedText = text;
        return destination;
      },
      withSession,
    });
    return { ...replaced, ...(replaced.cancelled || selectedText === undefined ? {} : { selectedText }) };
  }
  /**
   * Reads a session file in as a session of its own and goes on there. Rejects with `SessionImportFileNotFoundError`,
   * `not-a-session`, `MissingSessionCwdError`: nothing of it stays behind then.
   */
  async importFromJsonl(path: string, cwdOverride?: string): Promise<Replaced> {
    return this.#replace("importFromJsonl", {
      reason: "resume",
      allowed: () => this.#askSwitch("resume", path),
      destination: () =>
        importDestination(this.#fixed.host, path, {
          ...this.#here,
          cwdOverride,
          where: this.session.sessionManager.isPersisted() ? "stored" : "memory",
        }),
      withSession: undefined,
    });
  }
  get #here() {
    return { fallbackCwd: this.cwd, services: this.services, agent: this.session.agentOptions };
  }
  #askSwitch(reason: "new" | "resume", target?: string): Promise<boolean> {
    const targetSessionFile = target === undefined ? {} : { targetSessionFile: target };
    return this.#ask("session_before_switch", { type: "session_before_switch", reason, ...targetSessionFile });
  }
  async #ask(...[type, event]: BeforeEvent): Promise<boolean> {
    let cancelled = false;
    const take = (result: { readonly cancel?: boolean }): boolean => {
      cancelled = result.cancel === true;
      return cancelled;
    };
    const runner = this.session.extensionRunner;
    if (type === "session_before_fork") await runner.ask(type, event, take, "throw");
    else await runner.ask(type, event, take, "throw");
    return !cancelled;
  }

  async #replace(what: string, plan: Plan): Promise<Replaced> {
    refuseInHandler(what);
    const inside = this.#inside.getStore();
    if (inside !== undefined) throw new WouldDeadlockError(what, inside);
    return this.#inLine(() => this.#inside.run(what, () => outsideHandlers(() => this.#go(plan))));
  }
  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#line.then(work);
    this.#line = done.catch(() => {}); // whoever asked hears of it
    return done;
  }
  async #go({ reason, allowed, destination, withSession }: Plan): Promise<Replaced> {
    if (this.#ending) throw new SessionClosedError(this.session.sessionId);
    if (!this.session.isClosed && !(await allowed())) return { cancelled: true };
    const next = await destination();
    const previous = this.session;
    try {
      await this.#leave(reason, next.manager.getSessionFile());
      this.#made = await this.#factory({ ...this.#fixed, ...this.#targetOf(next, reason, previous) });
    } catch (cause) {
      await next.undo?.();
      throw cause;
    }
    this.#reported = 0;
    await this.#rebind?.(this.session);
    await withSession?.(this.session.commandContext());
    return { cancelled: false };
  }
  #targetOf({ manager, cwd }: Destination, reason: Plan["reason"], previous: AgentSession) {
    const previousSessionFile = previous.sessionFile;
    const sessionStartEvent: SessionStartEvent = {
      type: "session_start",
      reason,
      ...(previousSessionFile === undefined ? {} : { previousSessionFile }),
    };
    return { sessionManager: manager, cwd, sessionStartEvent };
  }
  async #leave(reason: ShutdownReason, target?: string): Promise<void> {
    const { session } = this;
    if (session.isClosed) return; // an earlier replacement failed after this
    await session.shutDown(reason, target);
    this.#unsaved.left(session);
    this.#beforeInvalidate?.();
    session.close();
  }

  // --- the end ----------------------------------------------------------------------------------------------------

  /**
   * Stops what runs; `session_shutdown` with reason `quit`, once; then the session is closed, and a login that is being
   * refreshed is written. Twice is once.
   */
  async dispose(): Promise<void> {
    refuseInHandler("dispose");
    if (this.#inside.getStore() !== undefined) throw new WouldDeadlockError("dispose", this.#inside.getStore() ?? "");
    this.#ending ??= this.#line.then(() => this.#end());
    await this.#ending;
  }
  async #end(): Promise<void> {
    try {
      await this.#leave("quit");
    } finally {
      this.session.close();
      await this.services.modelRuntime.settled();
    }
  }
}
type BeforeEvent =
  | ["session_before_switch", { type: "session_before_switch"; reason: "new" | "resume"; targetSessionFile?: string }]
  | ["session_before_fork", { type: "session_before_fork"; entryId: string; position: "before" | "at" }];
