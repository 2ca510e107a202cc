/**
 * What moves between one `AgentSession` and its hosted session: inputs go in, the journal comes out as events, the host's
 * hook points become handlers. It decides nothing about turns: the host does.
 *
 * Invariants: events are told in the order of the journal, each to its end before the next; a run is settled once, when
 * nothing is on its way and nothing is left that starts by itself; what is on its way counts from the call.
 */
import type { DeliveredEvent, InputId, Part, Receipt, SessionEvent, SessionId } from "../../index.ts";
import { MooringError, messageOf, systemIds } from "../../index.ts";
import type { ExtensionRunner } from "../extensions/extension-runner.ts";
import { handlerHere } from "../extensions/handler-scope.ts";
import type { HookRouter } from "../hosting/hook-router.ts";
import { Admissions, type AdmitOptions } from "./admissions.ts";
import { ApprovalDesk, type Unattended } from "./approval-desk.ts";
import { CompactionTeller } from "./compaction-teller.ts";
import { EventPump } from "./event-pump.ts";
import type { EventTeller } from "./event-teller.ts";
import type { HostedSession } from "./hosted-session.ts";
import { LoopTeller } from "./loop-teller.ts";
import type { QueueModes } from "./queue-modes.ts";
import { type Queues, RunState } from "./run-state.ts";
import { sessionDoors } from "./session-doors.ts";
import { Settlement } from "./settlement.ts";
import { TurnGates } from "./turn-gates.ts";

export type EngineParts = {
  readonly hosted: HostedSession;
  readonly router: HookRouter;
  readonly runner: ExtensionRunner;
  readonly teller: EventTeller;
  readonly unattended: Unattended;
  readonly queueModes: QueueModes;
  readonly model: () => string;
  /** A name was given to the session, here or elsewhere. */
  readonly named: (title: string | null) => void;
};
type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { readonly type: T }>;

export class SessionEngine {
  readonly parts: EngineParts;
  readonly admissions: Admissions;
  readonly approvals: ApprovalDesk;
  readonly compaction: CompactionTeller;
  readonly gates = new TurnGates();
  readonly loop: LoopTeller;
  readonly run = new RunState();
  readonly settlement = new Settlement();
  /** Inputs of ours that the journal has not shown yet. */
  readonly #unseen = new Set<InputId>();
  readonly #onStart = new Map<InputId, () => void>();
  #pump: EventPump | null = null;
  #doors: Disposable | null = null;
  #queues: Queues = { steering: [], followUp: [] };
  /** A turn was told and its run is not settled. */
  #running = false;
  #settling = false;
  #dispatching = false;
  #stopping = false;
  #retryGivenUp = false;
  #closed = false;

  constructor(parts: EngineParts) {
    this.parts = parts;
    const { hosted, runner, teller } = parts;
    const tell = (event: Parameters<EventTeller["tell"]>[0]): Promise<void> => teller.tell(event);
    this.admissions = new Admissions({ hosted, runner, queueModes: parts.queueModes, changed: () => this.#look() });
    this.approvals = new ApprovalDesk(hosted.host, parts.unattended);
    this.loop = new LoopTeller({ tell, model: parts.model });
    this.compaction = new CompactionTeller(tell, (error) =>
      runner.tell("session_compact_failed", { type: "session_compact_failed", error }),
    );
  }

  /** Takes the session's doors and reads on from now. Rejects with `session-attached`. */
  async attach(id: SessionId): Promise<void> {
    this.#doors = this.parts.router.attach(id, sessionDoors(this));
    try {
      const { host } = this.parts.hosted;
      const snapshot = await host.snapshot(id);
      this.run.restart(snapshot);
      this.#running = this.run.working;
      const ports = {
        host,
        session: id,
        arrived: (event: DeliveredEvent) => this.#arrived(event),
        handle: (event: DeliveredEvent) => this.#handle(event),
        idle: () => this.#quiet(),
        failed: (cause: unknown) => this.parts.runner.report("<session>", "events", cause),
      };
      this.#pump = new EventPump(ports, snapshot.cursor);
      this.#pump.start();
      for (const approval of snapshot.approvals) this.approvals.requested(approval);
    } catch (cause) {
      this.#doors[Symbol.dispose]();
      throw cause;
    }
  }
  /** Nothing is told any more, and the session may be attached again. */
  close(cause: Parameters<Settlement["close"]>[0]): void {
    this.#closed = true;
    this.#pump?.stop();
    this.gates.openAll();
    this.approvals.closeAll();
    this.settlement.close(cause);
    this.#doors?.[Symbol.dispose]();
  }
  get closed(): boolean {
    return this.#closed;
  }

  // --- what is going on -------------------------------------------------------------------------------------------

  get isIdle(): boolean {
    return !this.#running && this.#unseen.size === 0 && !this.isCompacting && !this.run.working;
  }
  get isCompacting(): boolean {
    return this.run.compacting || this.compaction.asked;
  }
  /** Handlers of `agent_settled` are being called. */
  get isSettling(): boolean {
    return this.#dispatching;
  }
  get hasQueued(): boolean {
    return this.#unseen.size > 0 || this.run.queues.followUp.length > 0;
  }
  async whenIdle(): Promise<void> {
    if (this.#isOver()) return;
    await this.settlement.whenIdle();
  }
  readonly #isOver = (): boolean => this.isIdle && !this.#dispatching && !this.settlement.deferring;

  // --- inputs -----------------------------------------------------------------------------------------------------

  /** Durable when it resolves. `started`: called when its turn is about to be told. */
  async admit(
    parts: readonly Part[],
    options: AdmitOptions,
    started: () => void = () => {},
  ): Promise<{ readonly receipt: Receipt; readonly settled: Promise<void> }> {
    const id = systemIds.make("inp");
    this.#unseen.add(id);
    this.#onStart.set(id, started);
    const settled = this.settlement.ofInput(id);
    settled.catch(() => {}); // whoever prompted hears of it
    try {
      const receipt = await this.admissions.admit(id, parts, options);
      const { disposition } = receipt;
      const isElsewhere = receipt.inputId !== id; // part of another, whose name it goes by
      if (disposition === "handled" || disposition === "ended" || isElsewhere) this.#dropInput(id);
      if (disposition !== "started") this.settlement.forget(id);
      return { receipt, settled };
    } catch (cause) {
      this.#dropInput(id);
      throw cause;
    }
  }
  /** Takes back what waits, and returns it. */
  async clearQueue(): Promise<Queues> {
    const { queues, pending } = this.run;
    const { host, id } = this.parts.hosted;
    if (id === null) return queues;
    for (const input of pending)
      await host
        .inputs(id)
        .cancel(input)
        .catch((cause: unknown) => {
          if (!MooringError.isInstance(cause)) throw cause; // the agent has it
        });
    return queues;
  }
  #dropInput(id: InputId): void {
    this.#unseen.delete(id);
    this.#onStart.delete(id);
    this.settlement.forget(id);
    this.#look();
  }

  // --- compaction -------------------------------------------------------------------------------------------------

  /** Resolves when it is over, and rejects with why it failed. */
  async compact(id: SessionId, instructions: string | undefined): Promise<void> {
    const ended = this.compaction.wait();
    ended.catch(() => {}); // awaited below
    const { host } = this.parts.hosted;
    await host.compact(id, instructions).catch((cause: unknown) => this.compaction.giveUp(cause));
    await ended;
  }
  async stopCompaction(id: SessionId): Promise<void> {
    await this.parts.hosted.host.stopCompaction(id).catch((cause: unknown) => {
      if (!MooringError.isInstance(cause) || cause.code !== "not-running") throw cause; // it ended meanwhile
    });
  }

  // --- stop -------------------------------------------------------------------------------------------------------

  /** Stops what runs or is about to. Resolves when it is at rest; inside a handler, at once. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.admissions.cancelAll();
    this.approvals.closeAll();
    const stopped = this.#stopAll();
    if (handlerHere() === null) return stopped;
    stopped.catch((cause: unknown) => this.parts.runner.report("<session>", "abort", cause));
  }
  async #stopAll(): Promise<void> {
    await this.admissions.over();
    const { host, id } = this.parts.hosted;
    const turn = id === null ? null : (await host.get(id)).turn;
    if (id !== null && turn) await host.stop(id, turn.id);
    await this.whenIdle();
    this.#stopping = false;
  }
  /** Gives up the request that is to be repeated. False: none is. */
  async giveUpRetry(): Promise<boolean> {
    if (!this.loop.isRetrying) return false;
    this.#retryGivenUp = true;
    const { host, stored } = this.parts.hosted;
    for (const turn of this.run.turns) await host.stop(stored, turn);
    return true;
  }

  // --- the journal ------------------------------------------------------------------------------------------------

  /** The pump's order of everything that is told. */
  inOrder(work: () => Promise<void>): Promise<void> {
    return this.#pump?.run(work) ?? work();
  }
  /** All that was stored up to now was told. */
  async caughtUp(): Promise<void> {
    await this.#pump?.caughtUp();
  }
  #arrived({ event }: DeliveredEvent): void {
    if (!("turnId" in event) || event.turnId === undefined) return;
    const goesOn = event.type === "chunk" || event.type === "turn.settled" || event.type === "retry";
    if (goesOn) this.gates.open(event.turnId);
  }
  async #handle(delivered: DeliveredEvent): Promise<void> {
    if (!("seq" in delivered)) return this.run.restart(delivered.event);
    const { event, at } = delivered;
    const input = event.type === "turn.settled" ? this.run.inputOf(event.turnId) : null;
    this.run.take(event);
    if (event.type === "input.accepted") this.#unseen.delete(event.inputId);
    if (!event.type.startsWith("input.") && event.type !== "queue.changed") await this.#tellQueues();
    await this.#tell(event, at, input);
    this.#look();
  }
  async #tell(event: SessionEvent, at: number, input: InputId | null): Promise<void> {
    const { teller, named } = this.parts;
    switch (event.type) {
      case "turn.started":
        return this.#started(event);
      case "turn.settled":
        return this.#settled(event, input);
      case "compaction":
        return this.compaction.take(event);
      case "approval.requested": {
        const { approvalId: id, toolCallId, toolName, input: asked } = event;
        const approval = { id, toolCallId, toolName, input: asked };
        await teller.tell({ type: "approval_requested", approval });
        return this.approvals.requested(approval);
      }
      case "approval.closed":
        this.approvals.closed(event.approvalId);
        return teller.tell({ type: "approval_closed", approvalId: event.approvalId, how: event.how });
      case "session.changed": {
        const { title } = event.change;
        if (title === undefined) return;
        named(title);
        return teller.tell({ type: "session_info_changed", name: title ?? undefined });
      }
      case "notice":
        return teller.tell({ type: "notice", level: event.level, message: event.text });
      case "message.closed":
        await this.loop.take(event, at);
        return teller.tell({ type: "entry_appended", entryId: event.messageId, entryType: "message" });
      default:
        return this.loop.take(event, at);
    }
  }
  async #started({ turnId, inputId, origin }: Of<"turn.started">): Promise<void> {
    this.#running = true;
    if (this.#stopping) await this.parts.hosted.host.stop(this.parts.hosted.stored, turnId);
    if (origin === "user") await this.gates.passed(turnId);
    if (inputId !== undefined) {
      this.#onStart.get(inputId)?.();
      this.#onStart.delete(inputId);
    }
    await this.loop.start(turnId);
  }
  async #settled({ turnId, error }: Of<"turn.settled">, input: InputId | null): Promise<void> {
    await this.loop.end(turnId, error?.message ?? null);
    this.gates.forget(turnId);
    if (input !== null) this.settlement.answered(input);
  }
  async #quiet(): Promise<void> {
    await this.#tellQueues();
    this.#look();
  }
  async #tellQueues(): Promise<void> {
    const { queues } = this.run;
    if (JSON.stringify(queues) === JSON.stringify(this.#queues)) return;
    this.#queues = queues;
    await this.parts.teller.tell({ type: "queue_update", ...queues });
  }

  // --- the end of a run -------------------------------------------------------------------------------------------

  /** Anything may have been the last thing a run waited for. */
  #look(): void {
    if (this.#closed) return;
    this.settlement.release(this.#isOver);
    if (!this.#running || this.#settling || !this.#isDone) return;
    this.#settling = true;
    this.inOrder(() => this.#settle()).catch((cause: unknown) => process.emitWarning(messageOf(cause)));
  }
  get #isDone(): boolean {
    return this.#unseen.size === 0 && !this.run.working && !this.isCompacting;
  }
  async #settle(): Promise<void> {
    this.#settling = false;
    if (!this.#isDone) return;
    const { outcome } = this.run;
    const aborted = (outcome === "stopped" || outcome === "interrupted") && !this.#retryGivenUp;
    this.#retryGivenUp = false;
    this.#running = false;
    this.#dispatching = true;
    try {
      await this.parts.teller.tell({ type: "agent_settled", aborted });
    } finally {
      this.#dispatching = false;
    }
    this.settlement
      .settled(this.#isOver)
      .catch((cause: unknown) => this.parts.runner.report("<session>", "agent_settled", cause));
  }
}
