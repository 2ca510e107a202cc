/**
 * One session in memory: its core's mailbox and everything that carries out what the core orders. Invariants: its state
 * changes only through the mailbox; what is awaited comes back as an event; scribe and committer belong to one
 * incarnation and are replaced together when the session is read again.
 */
import type { AgentSessionRuntimeDriver, ContextUsage } from "../../ports/driver.ts";
import type { Write } from "../../ports/store.ts";
import { codeOf, messageOf } from "../../protocol/errors.ts";
import type { InputId, MessageId, SessionId, SessionNo, TurnId, TurnNo } from "../../protocol/ids.ts";
import type { Input, Part } from "../../protocol/input.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import type { Answered, Effect, Event } from "../../session/events.ts";
import { freshCarry, start } from "../../session/recover.ts";
import type { Session } from "../../session/state.ts";
import type { Work } from "../api.ts";
import { hashOf } from "../calls/body-hash.ts";
import { connectInput } from "../connections/connect-input.ts";
import { Connections } from "../connections/connections.ts";
import { NativeRewind } from "../connections/native-rewind.ts";
import { driverOf, SessionConfig } from "../connections/session-config.ts";
import { givenParts, takesOf } from "../files/given-parts.ts";
import { storedEvent, storedParts } from "../files/stored-parts.ts";
import type { HostContext } from "../host-context.ts";
import { CallRecords } from "../permission/call-records.ts";
import { redact } from "../redact.ts";
import { Committer } from "./committer.ts";
import { continuationOf, hostInput } from "./host-input.ts";
import { type Incarnation, readIncarnation } from "./incarnation.ts";
import { Mailbox } from "./mailbox.ts";
import { type Answer, Replies, unavailable } from "./replies.ts";
import { Scribe } from "./scribe.ts";
import { Timers } from "./timers.ts";
import { WorkLog } from "./work-log.ts";
import { isAtRest } from "./work-of.ts";

type LoadedSessionPorts = {
  readonly context: HostContext;
  /** Everything posted so far was applied. */
  settled(session: LoadedSession): void;
  /** It works from now on: a turn started, or goes on after a person's answer. */
  began(session: LoadedSession): void;
  /** It takes nothing any more: its lease is lost, or it broke twice. */
  gone(session: LoadedSession): void;
};

export class LoadedSession {
  readonly no: SessionNo;
  readonly id: SessionId;
  readonly config: SessionConfig;
  readonly #ports: LoadedSessionPorts;
  readonly #replies = new Replies();
  readonly #records = new CallRecords();
  readonly #rewind = new NativeRewind();
  readonly #timers: Timers;
  readonly #connections: Connections;
  readonly #mailbox: Mailbox;
  readonly #hashes = new Map<InputId, string>();
  readonly #parents = new Map<MessageId, MessageId | null>();
  readonly #orders: readonly Effect[];
  #scribe: Scribe;
  #committer: Committer;
  #usedAt: number;
  #over = false;
  readonly #lost = new Set<() => void>();
  #whenRecovered: (() => void)[] = [];
  readonly #work = new WorkLog();

  /** `holds`: those in force on the host, by reason. Nothing happens before `begin`. */
  private constructor(ports: LoadedSessionPorts, no: SessionNo, read: Incarnation, holds: Session["holds"]) {
    const { context } = ports;
    this.no = no;
    this.id = read.row.id;
    this.#ports = ports;
    this.config = new SessionConfig(context, read.row);
    for (const { id } of read.seed.turns) this.config.turnGoesOn(id);
    this.#timers = new Timers(context.clock, (key) => this.post({ type: "fired", key }));
    this.#connections = this.#makeConnections();
    this.#scribe = this.#makeScribe(read);
    this.#committer = this.#makeCommitter(read);
    this.#usedAt = context.clock.monotonic();
    const target = { ...this.config.coreTarget(), tighten: false };
    const [state, effects] = start(read.facts, freshCarry(target, context.limits.session, holds));
    this.#mailbox = this.#makeMailbox(state);
    this.#orders = effects;
  }

  /**
   * Reads the session and takes its lease. Rejects with `StoreRefused`. `entered` is called in the tick in which the
   * holds are read, so that none is missed; then the session begins what its recovery ordered.
   */
  static async load(
    ports: LoadedSessionPorts,
    no: SessionNo,
    holds: () => Session["holds"],
    entered: (session: LoadedSession) => void,
  ): Promise<LoadedSession> {
    const { context } = ports;
    const read = await readIncarnation(context.store, no, (row) => continuationOf(context, row));
    const session = new LoadedSession(ports, no, read, holds());
    entered(session);
    session.#mailbox.begin(session.#orders);
    return session;
  }

  /** Resolves when the repairs are stored, or cannot be for now. */
  recovered(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenRecovered.push(resolve);
      this.#settled();
    });
  }

  // --- from outside -----------------------------------------------------------------------------------------------

  get state(): Session {
    return this.#mailbox.state;
  }
  get over(): boolean {
    return this.#over;
  }
  /** Monotonic milliseconds of the last use from outside. */
  get usedAt(): number {
    return this.#usedAt;
  }
  touch(): void {
    this.#usedAt = this.#ports.context.clock.monotonic();
  }
  turnNo(id: TurnId): TurnNo | undefined {
    return this.#scribe.turnNo(id);
  }
  turnId(no: TurnNo): TurnId | null {
    return this.#scribe.turn(no)?.id ?? null;
  }
  post(event: Event): void {
    this.#mailbox.post(event);
  }
  /** The core's answer to a command. Rejects with `unavailable` when nothing of it was or will be stored. */
  ask(command: (to: string) => Event): Promise<Answer> {
    if (this.#over) return Promise.reject(unavailable());
    this.touch();
    return this.#replies.ask((to) => this.post(command(to)));
  }
  /** What the store needs of an input that the core does not carry. Known until `forget`. */
  learn(
    id: InputId,
    hash: string,
    branch: { readonly message: MessageId; readonly parent: MessageId | null } | null,
  ): void {
    this.#hashes.set(id, hash);
    if (branch) this.#parents.set(branch.message, branch.parent);
  }
  forget(id: InputId): void {
    this.#hashes.delete(id);
  }
  /** Rows of the host's own (title, mode, removal). Durable when it resolves. */
  async change(writes: readonly Write[], set: Partial<SessionRow>): Promise<void> {
    this.touch();
    await this.#committer.aside(writes);
    this.config.change(set);
  }
  /** Moves the branch shown, adds to it, or both, in one write: see `Scribe.aside`. Durable when it resolves. */
  async branch(change: Parameters<Scribe["aside"]>[0]): Promise<void> {
    this.touch();
    try {
      await this.#committer.aside(this.#scribe.aside(change));
    } catch (cause) {
      // The scribe is ahead of what is stored: that is read again.
      this.post({ type: "refused", save: this.state.saves + 1, reason: codeOf(cause, "io") });
      throw cause;
    }
  }
  /** Calls once when what is not stored yet will not be: it is read again, or leaves. The returned function takes it back. */
  onLost(lost: () => void): () => void {
    this.#lost.add(lost);
    return () => this.#lost.delete(lost);
  }
  #lose(): void {
    for (const lost of this.#lost) lost();
    this.#lost.clear();
  }
  /** Everything asked for up to now is stored. */
  async saved(): Promise<void> {
    await this.#committer.aside([]);
  }
  /** Tells its viewers something of the host's own. */
  notice(code: string, text: string): void {
    const at = this.#ports.context.clock.now();
    const event = { type: "notice", sessionId: this.id, level: "warning", code, text } as const;
    this.change([{ write: "event", event, at }], {}).catch((cause: unknown) => {
      this.#ports.context.log.warn("notice-lost", { session: this.id, code, message: messageOf(cause) });
    });
  }
  /** A turn runs, or is about to; one that waits for a person does not. */
  get working(): boolean {
    return this.#work.working;
  }
  /** As the open connection says; null without one. */
  async contextUsage(): Promise<ContextUsage | null> {
    const { link } = this.state;
    return link.kind === "open" ? this.#connections.contextUsage(link.connection) : null;
  }
  /** The configuration changed. `tighten`: it binds the next tool call. */
  retarget(tighten: boolean): void {
    this.config.nextRevision();
    this.post({ type: "target", target: this.config.coreTarget(), tighten });
  }
  get evictable(): boolean {
    const quiet = this.#replies.size === 0 && this.#connections.size === 0 && this.#committer.idle;
    return quiet && isAtRest(this.state);
  }
  /** Leaves memory. Rows and lease stay as they are; connections are closed, and nobody is told anything more. */
  async abandon(): Promise<void> {
    this.#over = true;
    this.#work.end();
    this.#lose();
    this.#mailbox.close();
    this.#committer.abandon();
    this.#timers.disarmAll();
    this.#replies.refuseAll();
    await this.#connections.abandon("shutdown");
  }

  // --- effects ----------------------------------------------------------------------------------------------------

  #perform(effect: Effect): void {
    switch (effect.type) {
      case "save":
        return this.#save(effect);
      case "reply":
        return this.#replies.answer(effect.to, this.#answer(effect.answer));
      case "arm":
        return this.#arm(effect);
      case "disarm":
        return this.#timers.disarm(effect.key);
      case "ask-before-turn":
        return this.#askBeforeTurn(effect.turn, effect.input);
      case "ask-before-settle":
        return this.#askBeforeSettle(effect.turn);
      case "prewarm":
        return this.#prewarm();
      case "violation":
        return this.#ports.context.log.warn("driver-violation", { session: this.id, what: effect.what });
      case "reload":
        return this.#reload();
      case "evict":
        return this.#leave();
      default:
        return this.#performOnLink(effect);
    }
  }
  #performOnLink(effect: Extract<Effect, { readonly connection: number }>): void {
    switch (effect.type) {
      case "connect":
        return this.#connections.connect(effect);
      case "send":
        return this.#connections.send(effect);
      case "redirect":
        return this.#connections.redirect(effect);
      case "withdraw":
        return this.#connections.withdraw(effect);
      case "interrupt":
        return this.#connections.interrupt(effect);
      case "reconcile":
        return this.#connections.reconcile(effect);
      case "release-approval":
        this.#records.released(effect.approval, effect.answer);
        return this.#connections.release(effect);
      case "compact":
        return this.#connections.compact(effect);
      case "close":
        return this.#connections.close(effect);
      case "kill":
        return this.#connections.kill(effect);
      case "read":
        return this.#connections.read(effect);
    }
  }
  #save({ save, ops, replies, facts }: Extract<Effect, { type: "save" }>): void {
    const writes = this.#scribe.transcribe(ops);
    const named = replies.map((reply) => ({ ...reply, turnId: this.#turnOf(reply.answer) }));
    this.#committer.save({ save, writes, replies: named, facts });
  }
  #answer(answer: Answered): Answer {
    return { answer, turnId: this.#turnOf(answer), before: null };
  }
  #turnOf(answer: Answered): TurnId | null {
    return answer.kind === "accepted" && answer.turn !== null ? this.turnId(answer.turn) : null;
  }
  /** A connection that waits for a place in the pool is not late yet. */
  #arm({ key, timer }: Extract<Effect, { type: "arm" }>): void {
    const arm = (): void => this.#timers.arm(key, this.#ports.context.limits.timerMs[timer]);
    if (timer !== "connect") return arm();
    this.#connections.onceStarted(this.state.connections, () => {
      if (this.state.timers.includes(key)) arm();
    });
  }
  #askBeforeTurn(turn: TurnNo, input: Input): void {
    const { hooks } = this.#ports.context;
    const answered = (context: readonly Part[]): void => this.post({ type: "before-turn-answered", turn, context });
    const call = { sessionId: this.id, turnId: this.turnId(turn) ?? "", parts: input.parts };
    this.#hook(
      "beforeTurn",
      async () => answered((await hooks.beforeTurn?.(call))?.context ?? []),
      () => answered([]),
    );
  }
  #askBeforeSettle(turn: TurnNo): void {
    const { hooks } = this.#ports.context;
    const answered = (input: Input | null): void => this.post({ type: "before-settle-answered", turn, input });
    const message = this.#scribe.message(turn) ?? { id: "", role: "assistant", parts: [] };
    const headless = this.#scribe.turn(turn)?.input?.headless ?? false;
    const call = { sessionId: this.id, turnId: this.turnId(turn) ?? "", message };
    const ask = async (): Promise<void> => {
      await this.saved(); // what the turn wrote is stored: whoever reads the journal has it
      const said = (await hooks.beforeSettle?.(call))?.continueWith ?? [];
      const parts = await storedParts(this.#ports.context.files, said);
      answered(parts.length === 0 ? null : hostInput(this.#ports.context, parts, "hook", headless));
    };
    this.#hook("beforeSettle", ask, () => answered(null));
  }
  /** The core has the deadline: what comes too late is stale there. */
  #hook(what: string, ask: () => Promise<void>, otherwise: () => void): void {
    ask().catch((cause: unknown) => {
      this.#ports.context.log.error("hook-failed", { what, session: this.id, message: messageOf(cause) });
      otherwise();
    });
  }
  #prewarm(): void {
    if (this.#ports.context.pool.isFull) return;
    const prewarm = async (): Promise<void> => this.#driver().onSessionIdle?.(this.config.facts());
    prewarm().catch((cause: unknown) => {
      this.#ports.context.log.warn("prewarm-failed", { session: this.id, message: messageOf(cause) });
    });
  }

  // --- incarnations -----------------------------------------------------------------------------------------------

  /** Tries until the store answers; meanwhile the core says no to everything that needs rows. */
  #reload(waitMs = this.#ports.context.limits.reloadRetryMs): void {
    const { store, clock, log, limits } = this.#ports.context;
    this.#committer.abandon();
    this.#lose();
    readIncarnation(store, this.no, (row) => continuationOf(this.#ports.context, row)).then(
      (read) => this.#incarnate(read),
      (cause: unknown) => {
        log.error("reload-failed", { session: this.id, message: messageOf(cause), retryMs: waitMs });
        if (this.#over) return;
        clock.after(waitMs, () => this.#reload(Math.min(waitMs * 2, limits.reloadRetryMaxMs)));
      },
    );
  }
  #incarnate(read: Incarnation): void {
    if (this.#over) return;
    this.config.change(read.row);
    this.#scribe = this.#makeScribe(read);
    this.#committer = this.#makeCommitter(read);
    this.post({ type: "reloaded", stored: read.facts });
  }
  #leave(): void {
    this.abandon().catch((cause: unknown) => {
      this.#ports.context.log.error("abandon-failed", { session: this.id, message: messageOf(cause) });
    });
    this.#ports.gone(this);
  }

  // --- parts ------------------------------------------------------------------------------------------------------

  #makeMailbox(state: Session): Mailbox {
    const { log } = this.#ports.context;
    return new Mailbox(
      {
        perform: (effect) => this.#perform(effect),
        settled: () => this.#settled(),
        broken: (what, message) => {
          log.error("session-broken", { session: this.id, what, message });
          this.#committer.abandon();
          this.#replies.refuseAll();
          if (what === "given-up") this.#leave();
        },
      },
      state,
    );
  }
  /** In flight now; `since` is when work of its kind began on this session. */
  work(): readonly Work[] {
    return this.#work.items(this.state, this.#ports.context.clock.now()).map(({ kind, turn, since }) => {
      const turnId = turn === null ? null : this.turnId(turn);
      return { sessionId: this.id, kind, ...(turnId === null ? {} : { turnId }), since };
    });
  }
  #settled(): void {
    const began = this.#work.note(this.state, this.#ports.context.clock);
    if (this.#over) this.#work.end();
    else if (began) this.#ports.began(this);
    const { phase, holds } = this.state;
    const repairing = "recovery" in holds && phase.kind !== "reloading" && !this.#over;
    if (!repairing) for (const resolve of this.#whenRecovered.splice(0)) resolve();
    this.#ports.settled(this);
  }
  #makeCommitter(read: Incarnation): Committer {
    const { store, feeds, rules, log } = this.#ports.context;
    return new Committer({
      store,
      session: this.no,
      epoch: read.epoch,
      replies: this.#replies,
      publish: (events) => {
        // before whoever waits for the answer is released: its next call is judged by the rule
        for (const { event } of events)
          if (event.type === "approval.closed" && event.answer?.rule) rules.add(event.answer.rule);
        feeds.publish(this.no, events);
      },
      post: (event) => this.post(event),
      refused: (code, message) => log.error("save-refused", { session: this.id, code, message }),
    });
  }
  #makeScribe(read: Incarnation): Scribe {
    const { ids, clock } = this.#ports.context;
    for (const [id, parent] of read.parents) this.#parents.set(id, parent);
    return new Scribe(
      {
        sessionId: this.id,
        ids,
        clock,
        model: (input) => this.config.modelFor(input),
        agentName: () => this.config.agent?.name ?? "",
        bodyHash: (input) => this.#hashes.get(input.id) ?? hashOf({ parts: input.parts }),
        asked: (toolCallId) => this.#records.asked(toolCallId),
        parentOf: (message) => this.#parents.get(message) ?? null,
        turnOpened: ({ id, input }) => {
          this.#rewind.turnOpened(id, input);
          if (this.config.turnOpened(id, input)) this.retarget(false);
        },
        turnSettled: ({ id }) => {
          this.config.turnSettled(id);
          this.#records.turnOver(id);
          this.#rewind.turnSettled(id);
        },
        changed: (set) => this.config.change(set),
      },
      read.seed,
    );
  }
  #makeConnections(): Connections {
    const { context } = this.#ports;
    return new Connections({
      sessionId: this.id,
      pool: context.pool,
      clock: context.clock,
      log: context.log,
      noteMs: context.limits.pollNotesMs,
      post: (event) => this.post(event),
      said: (event) => this.#records.stamped(event),
      driver: () => this.#driver(),
      input: (order, alive) => {
        const facts = {
          context,
          session: this.no,
          config: this.config,
          records: this.#records,
          rewind: this.#rewind,
          scribe: () => this.#scribe,
          alive,
        };
        return connectInput(facts, order, this.#waitingTurn(order.waiting?.turn ?? null));
      },
      target: () => this.config.target(),
      given: (parts, images) => givenParts(context.files, takesOf(context, this.config.row, images), parts),
      stored: (event) => storedEvent(context.files, context.limits, event),
      generationOf: (turn) => this.#scribe.generationOf(turn),
      driverTurn: (generation) => this.#scribe.driverTurn(generation),
      clean: (text) => redact(text, this.config.secrets()),
      endChildren: () => context.children.endOf(this.id),
    });
  }
  /** The driver's name for a turn that goes on: of an agent's own turn it is the agent's. */
  #waitingTurn(no: TurnNo | null): TurnId | null {
    if (no === null) return null;
    const { phase } = this.state;
    const generation = "turn" in phase && phase.turn.no === no ? phase.turn.generation : `t${no}`;
    return this.#scribe.driverTurn(generation);
  }
  #driver(): AgentSessionRuntimeDriver {
    return driverOf(this.#ports.context, this.config.row.driver);
  }
}
