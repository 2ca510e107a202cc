/**
 * A session's live link to Claude Code: one long-lived process, turns through its input. Invariants: one turn is sent at
 * a time; a message is written once; a turn whose only open call waits for a person holds no process, and is taken up
 * again by a new one that resumes the conversation; when a process ends that nobody ended, the events end.
 */

import type { ApprovalId, InputId, TurnId } from "@mooring/host/driver";
import {
  type AbortAnswer,
  type AgentRuntimeConnection,
  type AgentRuntimeEvent,
  type ApprovalDecision,
  type CloseReason,
  type ConnectionCapabilities,
  type ContextUsage,
  EventQueue,
  MooringError,
  messageOf,
  type ReconcileVerdict,
  type SessionTarget,
  type SteerInput,
  type TurnInput,
} from "@mooring/host/driver";
import { limits } from "../limits.ts";
import { contextUsageOf } from "../translate/context-usage.ts";
import type { Sent } from "../translate/ledger.ts";
import { Translator } from "../translate/translator.ts";
import { contentOf } from "../translate/user-content.ts";
import type { AgentProcess } from "./agent-process.ts";
import { bounded } from "./bounded.ts";
import { Compactions } from "./compactions.ts";
import { HookSteers } from "./hook-steers.ts";
import { ModeWatch } from "./mode-watch.ts";
import { type OpenFacts, ProcessFactory } from "./process-factory.ts";
import { patch } from "./reconcile.ts";
import { ToolGate } from "./tool-gate.ts";
import type { Plan } from "./warm-processes.ts";

type Phase = "open" | "closing" | "over";
/** Of a version that tells no receipts. */
const withoutReceipts = { steer: "hook", steerStartsOwnTurn: false, idempotentInput: false } as const;
type Returned = { readonly returned: readonly InputId[] };

export class ClaudeConnection implements AgentRuntimeConnection {
  readonly events = new EventQueue<AgentRuntimeEvent>(limits.queuedEvents);
  readonly #facts: OpenFacts;
  readonly #translator: Translator;
  readonly #gate: ToolGate;
  readonly #compactions: Compactions;
  readonly #modes: ModeWatch;
  readonly #factory: ProcessFactory;
  readonly #hookSteers = new HookSteers();
  readonly #capabilities: ConnectionCapabilities;
  #target: SessionTarget;
  /** Null: the session rests without one. */
  #process: AgentProcess | null = null;
  #starting: Promise<AgentProcess> | null = null;
  #phase: Phase = "open";
  #closing: Promise<Returned> | null = null;

  /** Rejects with `ResumeFailed` or a coded error when the agent does not start. */
  static async open(facts: OpenFacts, capabilities: ConnectionCapabilities): Promise<ClaudeConnection> {
    const connection = new ClaudeConnection(facts, capabilities);
    const { waiting } = facts.input;
    if (waiting === null || waiting.approvals.length === 0) await connection.#running();
    else connection.#continue(waiting);
    return connection;
  }

  private constructor(facts: OpenFacts, capabilities: ConnectionCapabilities) {
    const { input, ports } = facts;
    this.#capabilities = capabilities;
    this.#facts = facts;
    this.#target = input;
    this.#modes = new ModeWatch(input.permissionMode);
    this.#compactions = new Compactions(input);
    this.#translator = new Translator({
      newTurnId: () => ports.ids.make("trn"),
      parked: (isWanted) => this.#parked(isWanted),
      compacted: (hasWorked, text) => this.#compactions.ended(hasWorked, text),
      hopeless: () => this.#quietly("interrupt", this.#process?.interrupt()),
      unknownFrame: (name) => ports.log.info("claude-code.unknown-frame", { name }),
    });
    const isDisabled = (name: string): boolean => this.#target.disabledTools.includes(name);
    this.#gate = new ToolGate({ input, ports, events: this.events, translator: this.#translator, isDisabled });
    this.#factory = new ProcessFactory(facts);
  }

  /** As the process says when its first turn begins. */
  get capabilities(): ConnectionCapabilities {
    return this.#translator.hasReceipts ? this.#capabilities : { ...this.#capabilities, ...withoutReceipts };
  }

  #continue({ turnId, approvals }: NonNullable<OpenFacts["input"]["waiting"]>): void {
    this.#translator.continueTurn(
      turnId,
      approvals.map(({ toolCallId }) => toolCallId),
    );
    for (const approval of approvals) this.#gate.expect(approval);
  }

  // --- the process ------------------------------------------------------------------------------------------------

  /** The running process, or a new one that resumes the conversation. */
  #running(): Promise<AgentProcess> {
    if (this.#process !== null && !this.#process.isEnding) return Promise.resolve(this.#process);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }
  async #start(): Promise<AgentProcess> {
    await this.#process?.end();
    this.#checkOpen();
    this.#translator.processBegan();
    const process = await this.#factory.start(this.#target, {
      gate: this.#gate,
      events: this.events,
      compactions: this.#compactions,
      frame: (frame) => this.#heard(frame),
      toolRan: (toolCallId) => this.#toolRan(toolCallId),
    });
    this.#process = process;
    this.#quietly("watch", this.#watch(process));
    if (this.#phase !== "open") await process.end();
    this.#checkOpen();
    return process;
  }
  #toolRan(toolCallId: string): string | null {
    const turnId = this.#translator.turnOf(toolCallId);
    if (turnId === null || this.#translator.isOfSubAgent(toolCallId)) return null;
    const held = this.#hookSteers.take(turnId);
    this.#translator.told(held.map(({ inputId }) => inputId));
    return held.length === 0 ? null : held.map(({ text }) => text).join("\n\n");
  }
  async #watch(process: AgentProcess): Promise<void> {
    const why = await process.over;
    if (process.isEnding || this.#process !== process) return;
    const { failure } = process;
    this.#facts.ports.log.warn("claude-code.ended", { message: failure?.message ?? why ?? "its output ended" });
    if (failure !== null) this.#say(this.#translator.broken(failure));
    await process.end();
    this.#over();
  }
  #over(): void {
    if (this.#phase === "over") return;
    this.#phase = "over";
    this.#gate.questions.leave();
    this.#translator.ledger.end();
    this.#compactions.fail("Claude Code ended while it compacted the conversation.");
    this.events.end();
  }

  #heard(frame: unknown): void {
    const events = this.#translator.take(frame, this.#facts.ports.clock.monotonic());
    this.#say(events.filter((event) => this.#modes.isNews(event)));
  }
  #say(events: readonly AgentRuntimeEvent[]): void {
    for (const event of events) {
      const isEnd = event.type === "turn-complete" || event.type === "error";
      if (isEnd) this.#untold(event.turnId);
      this.events.push(event);
      if (isEnd) this.#gate.turnEnded();
    }
  }
  #untold(turnId: TurnId): void {
    const inputs = this.#hookSteers.take(turnId).map(({ inputId }) => inputId);
    if (inputs.length > 0) this.events.push({ type: "steer-undelivered", turnId, inputs });
  }

  /** The turn waits for a person: what it needs is in the transcript, and the process may go. */
  #parked(isWanted: boolean): void {
    const process = this.#process;
    if (isWanted) this.#gate.park();
    else this.#gate.refuseParked();
    if (process !== null) this.#quietly("park", this.#rest(process));
  }
  async #rest(process: AgentProcess): Promise<void> {
    await process.end();
    if (this.#process === process) this.#process = null;
    if (this.#gate.isParkedDecided) await this.#wake();
  }
  /** The person decided: the agent asks about the call again by itself, and goes on. */
  async #wake(): Promise<void> {
    try {
      const takenUp = this.#gate.takenUp().then(() => true);
      await this.#running();
      if (await bounded(this.#facts.ports.clock, limits.takenUpMs, takenUp, false)) return;
      throw new MooringError("approval-lost", "Claude Code does not know the call any more that was decided about.");
    } catch (cause) {
      if (this.#phase !== "open") return;
      const code = MooringError.isInstance(cause) ? cause.code : "agent-start-failed";
      this.#say(this.#translator.settle({ code, message: messageOf(cause) }));
      await this.#process?.end();
      this.#over();
    }
  }

  // --- turns ------------------------------------------------------------------------------------------------------

  /** Rejects with `session-busy`, `connection-closed`, or when the agent is gone before it accepted. */
  async send({ turnId, inputId, agentKey, parts }: TurnInput): Promise<void> {
    this.#checkFree();
    if (this.#translator.ledger.wasWritten(agentKey)) return this.#sayKnown(turnId);
    const sent = this.#translator.ledger.write({ uuid: agentKey, as: "turn", turnId, inputId });
    const process = await this.#running();
    process.write(agentKey, contentOf(parts));
    await this.#accepted(sent);
  }
  #sayKnown(turnId: TurnId): void {
    const message = "This message was given to Claude Code before and is not run again.";
    this.#say([{ type: "error", turnId, code: "input-known", message, retry: "never" }]);
  }
  async #accepted(sent: Sent): Promise<void> {
    const queued = this.#translator.ledger.reaches(sent, "queued");
    if (await bounded(this.#facts.ports.clock, limits.acceptMs, queued, false)) return;
    throw new MooringError("not-accepted", "Claude Code did not take the message in time.", { retry: "later" });
  }

  async redirect(steer: SteerInput): Promise<"offered" | "refused"> {
    const { turnId, inputId, agentKey, parts } = steer;
    const { running, ledger } = this.#translator;
    const process = this.#process;
    const fits = running?.turnId === turnId && !running.isStopping && this.#gate.parkedCall === null;
    if (!fits || process === null || process.isEnding || this.#phase !== "open") return "refused";
    if (!this.#translator.hasReceipts) return this.#hookSteers.hold(steer) ? "offered" : "refused";
    if (ledger.heldSteers.length >= limits.heldSteers || ledger.wasWritten(agentKey)) return "refused";
    const sent = ledger.write({ uuid: agentKey, as: "steer", turnId, inputId });
    process.write(agentKey, contentOf(parts));
    // Whether it was accepted or not, it was written: its end tells.
    await bounded(this.#facts.ports.clock, limits.acceptMs, ledger.reaches(sent, "queued"), false);
    return "offered";
  }

  async withdraw(inputId: InputId): Promise<boolean> {
    if (this.#hookSteers.withdraw(inputId)) return true;
    const sent = this.#translator.ledger.heldSteers.find((held) => held.inputId === inputId);
    return sent !== undefined && (await this.#takeBack(sent));
  }
  async #takeBack(sent: Sent): Promise<boolean> {
    const process = this.#process;
    if (process === null || process.isEnding) return false;
    sent.isWithdrawn = true;
    const isBack = await process.withdraw(sent.uuid);
    if (isBack) this.#translator.ledger.advance(sent, "ended");
    else sent.isWithdrawn = false;
    return isBack;
  }

  async abortTurn(turnId: TurnId): Promise<AbortAnswer> {
    const { running, ledger } = this.#translator;
    if (running?.turnId !== turnId) {
      const waiting = ledger.waitingTurn;
      return waiting?.turnId === turnId ? this.#abortWaiting(waiting) : "already-settled";
    }
    this.#translator.stopping(turnId);
    this.#gate.questions.withdrawTurn(turnId, "The turn was stopped.");
    if (this.#gate.parkedCall !== null) return this.#abortParked();
    await this.#undeliver(turnId);
    await this.#process?.interrupt();
    return "aborted";
  }
  /** It was written, and the agent has not begun it: it is taken back, or interrupted once it begins. */
  async #abortWaiting(sent: Sent): Promise<AbortAnswer> {
    const { ledger } = this.#translator;
    const { turnId } = sent;
    if (!(await bounded(this.#facts.ports.clock, limits.acceptMs, ledger.reaches(sent, "queued"), false)))
      return "unsupported";
    if (sent.state === "queued" && (await this.#takeBack(sent))) {
      this.#say([{ type: "turn-complete", turnId, outcome: "stopped", answered: [] }]);
      return "aborted";
    }
    await ledger.reaches(sent, "started");
    return this.abortTurn(turnId);
  }
  /** The agent ended its part already: there is nothing to interrupt. */
  #abortParked(): AbortAnswer {
    this.#gate.refuseParked();
    this.#say(this.#translator.settle("stopped"));
    return "aborted";
  }
  /** Steers the stopped turn has not taken. */
  async #undeliver(turnId: TurnId): Promise<void> {
    for (const sent of this.#translator.ledger.heldSteers)
      if (await this.#takeBack(sent)) this.#say([{ type: "steer-undelivered", turnId, inputs: [sent.inputId] }]);
  }

  /** Rejects with `approval-unknown` when no such question is open. */
  async answerApproval(id: ApprovalId, decision: ApprovalDecision): Promise<void> {
    this.#checkOpen();
    const isParked = await this.#gate.answer(id, decision);
    // A process that has not come to rest yet is taken up when it has.
    if (isParked && this.#process === null) this.#quietly("wake", this.#wake());
  }

  // --- the rest ---------------------------------------------------------------------------------------------------

  /** Serialized by the host. What a resting session is given is for the process that comes. */
  async reconcile(target: SessionTarget): Promise<ReconcileVerdict> {
    if (this.#phase !== "open") return "failed";
    const before = this.#target;
    const process = this.#process;
    // A disabled tool is closed at once, whatever comes of the rest.
    this.#target = { ...before, disabledTools: target.disabledTools };
    const verdict = await patch({ before, target, process, modes: this.#modes, clock: this.#facts.ports.clock });
    if (verdict === "current" || verdict === "patched") this.#target = target;
    return verdict;
  }

  async getContextUsage(): Promise<ContextUsage | null> {
    const process = this.#process;
    if (process === null || process.isEnding) return null;
    const asked = process.query.getContextUsage({ detail: "summary" });
    return contextUsageOf(await bounded<unknown>(this.#facts.ports.clock, limits.contextMs, asked, null));
  }

  /**
   * Resolves when it is over; a failure after its start is told by `compaction-error`. Rejects, without any event, with
   * `session-busy`, `nothing-to-compact` or `compaction-cancelled`.
   */
  async compact(instructions?: string): Promise<void> {
    this.#checkFree();
    await this.#compactions.askHook();
    this.#checkFree();
    const { ids } = this.#facts.ports;
    const uuid = ids.uuid();
    const over = this.#compactions.begin();
    const process = await this.#running();
    const sent = this.#translator.ledger.write({ uuid, as: "compaction", turnId: uuid, inputId: uuid });
    process.write(uuid, [{ type: "text", text: `/compact ${instructions ?? ""}`.trim() }]);
    await this.#accepted(sent);
    return over;
  }

  async stopTask(taskId: string): Promise<boolean> {
    const process = this.#process;
    if (process === null || process.isEnding) return false;
    const stopped = process.query.stopTask(taskId).then(() => true);
    return bounded(this.#facts.ports.clock, limits.patchMs, stopped, false);
  }

  close(reason: CloseReason): Promise<Returned> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }
  async #close(reason: CloseReason): Promise<Returned> {
    if (this.#phase === "open") this.#phase = "closing";
    const returned: InputId[] = this.#hookSteers.take().map(({ inputId }) => inputId);
    const process = this.#process;
    const { running, ledger } = this.#translator;
    for (const sent of ledger.heldSteers) if (await this.#takeBack(sent)) returned.push(sent.inputId);
    if (running !== null && process !== null && !process.isEnding) await process.interrupt();
    this.#gate.questions.leave();
    await this.#starting?.catch(() => {}); // it sees that nobody wants it
    await this.#process?.end();
    this.#over();
    if (reason === "idle") this.#facts.warm.rested(this.#plan());
    return { returned };
  }

  /** Not the next connection itself: what it is to be given is decided when it comes. */
  #plan(): Plan {
    const { input } = this.#facts;
    const target = this.#target;
    const ahead = (resumeToken: string) =>
      new ProcessFactory({ ...this.#facts, input: { ...input, resumeToken, waiting: null } }).ahead(target);
    return { session: input.session, ahead };
  }

  #checkOpen(): void {
    if (this.#phase !== "open") throw new MooringError("connection-closed", "The connection is closed: open another.");
  }
  #checkFree(): void {
    this.#checkOpen();
    const { running, ledger } = this.#translator;
    const isBusy = running?.origin === "send" || ledger.waitingTurn !== null || this.#compactions.isRunning;
    if (isBusy) throw new MooringError("session-busy", "A turn is running: wait for its end.", { retry: "later" });
  }
  #quietly(what: string, work: Promise<unknown> | undefined): void {
    work?.catch((cause: unknown) => {
      this.#facts.ports.log.warn("claude-code.failed", { what, message: messageOf(cause) });
    });
  }
}
