/**
 * The sessions in memory. Invariants: at most one of a session; a session is loaded at its first use, or at start if it
 * needs recovery; it starts with the holds that are in force; one at rest leaves memory, and loading it again is
 * indistinguishable from having kept it.
 */
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { AgentId, SessionId, SessionNo } from "../../protocol/ids.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import type { Event } from "../../session/events.ts";
import { isIdle } from "../../session/look.ts";
import type { Session } from "../../session/state.ts";
import type { HostContext } from "../host-context.ts";
import { LoadedSession } from "./loaded-session.ts";

export type Found = { readonly row: SessionRow; readonly no: SessionNo };

export class Sessions {
  readonly #context: HostContext;
  readonly #holds: () => Session["holds"];
  readonly #loaded = new Map<SessionNo, LoadedSession>();
  readonly #loading = new Map<SessionNo, Promise<LoadedSession>>();
  readonly #numbers = new Map<SessionId, SessionNo>();
  readonly #watchers = new Set<(session: LoadedSession) => void>();

  constructor(context: HostContext, holds: () => Session["holds"]) {
    this.#context = context;
    this.#holds = holds;
  }

  get loaded(): Iterable<LoadedSession> {
    return this.#loaded.values();
  }
  get size(): number {
    return this.#loaded.size;
  }
  peek(no: SessionNo): LoadedSession | undefined {
    return this.#loaded.get(no);
  }
  /** Calls after each event a session has applied, and when one leaves. */
  watch(watcher: (session: LoadedSession) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** By session id or external id. Rejects with `no-such-session`, for removed ones too unless asked for. */
  async find(id: string, removed: "hidden" | "included" = "hidden"): Promise<Found> {
    const no = this.#numbers.get(id);
    const loaded = no === undefined ? undefined : this.#loaded.get(no);
    const found = loaded ? { row: loaded.config.row, no: loaded.no } : await this.#context.store.query.session(id);
    if (found && (removed === "included" || found.row.removedAt === null)) return found;
    throw new MooringError("no-such-session", `There is no session "${id}".`, { detail: { session: id } });
  }
  /** The session, in memory. Post to it in the same tick. Rejects with `StoreRefused`. */
  async use(no: SessionNo): Promise<LoadedSession> {
    const loaded = await (this.#loading.get(no) ?? this.#loaded.get(no) ?? this.#load(no));
    loaded.touch();
    return loaded;
  }
  tellAll(event: Event): void {
    for (const session of [...this.#loaded.values()]) session.post(event);
  }
  /** Every session that runs with this agent hears that it changed. */
  retarget(agent: AgentId, tighten: boolean): void {
    for (const session of [...this.#loaded.values()])
      if (session.config.row.agentId === agent) session.retarget(tighten);
  }
  /**
   * Asks for the end of the connection that has been idle longest. Only of one that ends for it: a session that is asked
   * in vain is one more that has settled, which asks again.
   */
  reapOldest(): void {
    const idle = [...this.#loaded.values()]
      .filter(({ state }) => state.link.kind === "open" && isIdle(state, state.link) && state.queue.length === 0)
      .sort((a, b) => a.usedAt - b.usedAt)[0];
    if (idle?.state.link.kind === "open") idle.post({ type: "reap", connection: idle.state.link.connection });
  }
  /** Lets go of what has been at rest for `ms`. */
  evict(ms: number): void {
    const before = this.#context.clock.monotonic() - ms;
    for (const session of [...this.#loaded.values()])
      if (session.usedAt <= before && session.evictable) this.#letGo(session);
  }
  /** It is removed for ever: nothing of it stays in memory. */
  drop(no: SessionNo): void {
    const session = this.#loaded.get(no);
    if (session) this.#letGo(session);
  }

  #load(no: SessionNo): Promise<LoadedSession> {
    const ports = {
      context: this.#context,
      settled: (session: LoadedSession) => this.#tell(session),
      began: (session: LoadedSession) => this.#warnOfSharing(session),
      gone: (session: LoadedSession) => this.#forget(session),
    };
    const loading = LoadedSession.load(ports, no, this.#holds, (session) => {
      this.#loaded.set(no, session);
      this.#numbers.set(session.id, no);
    });
    // the first input finds a session that may start turns, and is told so
    const ready = loading
      .then(async (session) => {
        await session.recovered();
        return session;
      })
      .finally(() => this.#loading.delete(no));
    this.#loading.set(no, ready);
    return ready;
  }
  /** Two agents in one directory is allowed, and worth knowing. */
  #warnOfSharing(session: LoadedSession): void {
    const { workspace } = session.config.row;
    const other = [...this.#loaded.values()].find(
      (one) => one !== session && one.working && one.config.row.workspace === workspace,
    );
    if (other === undefined) return;
    const name = other.config.row.title ?? other.id;
    session.notice("workspace-shared", `Another session works in ${workspace} at the same time: ${name}.`);
  }
  #letGo(session: LoadedSession): void {
    this.#forget(session);
    session.abandon().catch((cause: unknown) => {
      this.#context.log.error("abandon-failed", { session: session.id, message: messageOf(cause) });
    });
  }
  #forget(session: LoadedSession): void {
    if (this.#loaded.get(session.no) !== session) return;
    this.#loaded.delete(session.no);
    this.#numbers.delete(session.id);
    this.#tell(session);
  }
  #tell(session: LoadedSession): void {
    if (this.#context.pool.waiting > 0 && session.state.phase.kind === "idle") this.reapOldest(); // somebody needs its place
    for (const watcher of this.#watchers) watcher(session);
  }
}
