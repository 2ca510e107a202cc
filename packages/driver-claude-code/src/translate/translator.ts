/**
 * The agent's frames as events of the driver contract: whose turn a frame belongs to is decided here, what it says by
 * the writers beside this file. Invariants: a turn begins when the agent takes its message, or with what the agent says
 * when nothing runs; it ends with one result; a steer that is taken while a turn runs is a boundary before the next
 * thing the agent says, and a turn of its own when none runs; nothing in a frame makes this throw.
 */
import type { AgentRuntimeEvent, ApprovalId, InputId, TurnId, UsageReport } from "@mooring/host/driver";
import { BackgroundWatch } from "./background-watch.ts";
import { CallBook } from "./call-book.ts";
import { CompactionWatch } from "./compaction-watch.ts";
import { FlowWriter } from "./flow-writer.ts";
import { blocksOf, type Frame, fieldsOf, frameOf, joinedText, parentOf, textIn, textOf } from "./frames.ts";
import { type Generation, isTurn, newGeneration } from "./generation.ts";
import { KnownRecords } from "./known-records.ts";
import { Ledger, type Sent } from "./ledger.ts";
import { chunkOf, MessageWriter, type Said } from "./message-writer.ts";
import { modeChange, noticeOf, retryOf } from "./notes.ts";
import { outcomeOf } from "./outcome.ts";
import { terminalOf } from "./terminal.ts";
import { UnknownFrames } from "./unknown-frames.ts";
import { UsageMeter } from "./usage-meter.ts";

/** What happens besides events. */
export type TranslatorHooks = {
  /** An id for a turn the agent begins. */
  newTurnId(): TurnId;
  /** The agent put a call aside for a person and is at rest. `isWanted`: false when the turn was stopped meanwhile. */
  parked(isWanted: boolean): void;
  /** The compaction that was asked for is over; `text` is what the agent said about it. */
  compacted(hasWorked: boolean, text: string): void;
  /** The turn cannot succeed any more: it has to be interrupted. */
  hopeless(turnId: TurnId): void;
  unknownFrame(name: string): void;
};

export class Translator {
  readonly ledger = new Ledger();
  readonly calls = new CallBook();
  readonly #hooks: TranslatorHooks;
  readonly #writer = new MessageWriter();
  readonly #flows = new FlowWriter();
  readonly #usage = new UsageMeter();
  readonly #compaction = new CompactionWatch();
  readonly #background = new BackgroundWatch();
  readonly #records = new KnownRecords();
  readonly #unknown: UnknownFrames;
  #generation: Generation | null = null;
  #token: string | null = null;
  /** Steers that were taken and not told yet. */
  #taking: InputId[] = [];
  readonly #denied = new Set<string>();
  #hasCompacted = false;
  #hasReceipts = true;
  /** The process has done nothing yet. */
  #isFresh = false;

  constructor(hooks: TranslatorHooks) {
    this.#hooks = hooks;
    this.#unknown = new UnknownFrames((name) => hooks.unknownFrame(name));
  }

  get running(): Readonly<Generation> | null {
    return this.#generation;
  }
  get hasBackgroundWork(): boolean {
    return this.#background.isActive;
  }
  /** The turn a call belongs to; null: what asks is not part of a turn. */
  turnOf(toolCallId: string): TurnId | null {
    const isDetached = this.#flows.isBackground(this.#flows.rootOf(toolCallId));
    const generation = this.#generation;
    return isDetached || generation === null || !isTurn(generation) ? null : generation.turnId;
  }
  isOfSubAgent(toolCallId: string): boolean {
    return this.#flows.isOfSubAgent(toolCallId);
  }

  // --- told by the connection -------------------------------------------------------------------------------------

  /** A turn of an earlier connection goes on: these calls of it are open. */
  continueTurn(turnId: TurnId, toolCallIds: readonly string[]): void {
    this.#generation = newGeneration(turnId, "send");
    for (const id of toolCallIds) {
      this.#writer.expect(id);
      this.calls.show(id, false);
    }
  }
  /** A new process goes on with the conversation. */
  processBegan(): void {
    this.#isFresh = true;
  }
  /** It says which messages it took. Else a turn begins with what it says first, and ends with its result. */
  get hasReceipts(): boolean {
    return this.#hasReceipts;
  }
  /** It was told these beside a result: the next thing it says comes behind them. */
  told(inputs: readonly InputId[]): void {
    this.#taking.push(...inputs);
  }
  /** What the agent does was begun by an earlier process, for a turn that is over. */
  get isLeftover(): boolean {
    return this.#generation === null ? this.#isFresh : this.#generation.origin === "leftover";
  }
  /** What comes until the next turn is heard by nobody. */
  beginLeftover(): void {
    this.#generation ??= newGeneration("", "leftover");
  }
  /** From now on its end is a stop. */
  stopping(turnId: TurnId): void {
    if (this.#generation?.turnId === turnId) this.#generation.isStopping = true;
  }
  /** A policy said no: shown as a question that answered itself. */
  denied(toolCallId: string, approvalId: ApprovalId, reason: string): AgentRuntimeEvent[] {
    this.#denied.add(toolCallId);
    return this.#chunksFor(toolCallId, [
      chunkOf({ type: "tool-approval-request", approvalId, toolCallId, isAutomatic: true }),
      chunkOf({ type: "tool-approval-response", approvalId, approved: false, reason }),
    ]);
  }
  asked(toolCallId: string, approvalId: ApprovalId): AgentRuntimeEvent[] {
    return this.#chunksFor(toolCallId, [chunkOf({ type: "tool-approval-request", approvalId, toolCallId })]);
  }
  /** `input`: what a person made of the call. */
  allowed(call: ShownCall, approvalId: ApprovalId, input: unknown): AgentRuntimeEvent[] {
    const { toolCallId, toolName } = call;
    const edit = input === undefined ? [] : [chunkOf({ type: "tool-input-available", toolCallId, toolName, input })];
    const answer = chunkOf({ type: "tool-approval-response", approvalId, approved: true });
    return this.#chunksFor(toolCallId, [...edit, answer]);
  }
  refused(toolCallId: string, approvalId: ApprovalId, reason: string): AgentRuntimeEvent[] {
    this.#denied.add(toolCallId);
    const answer = chunkOf({ type: "tool-approval-response", approvalId, approved: false, reason });
    return this.#chunksFor(toolCallId, [answer]);
  }
  /** Ends the running turn without a word of the agent. */
  settle(outcome: "stopped" | { readonly code: string; readonly message: string }): AgentRuntimeEvent[] {
    const generation = this.#generation;
    if (generation === null) return [];
    if (outcome === "stopped") generation.isStopping = true;
    else generation.failure = { ...outcome, retry: "never" };
    return this.#finish(generation, null);
  }

  /** What the agent says cannot be read any more: ends the running turn and the one that was to come. */
  broken({ code, message }: { readonly code: string; readonly message: string }): AgentRuntimeEvent[] {
    const running = this.settle({ code, message });
    const waiting = this.ledger.waitingTurn;
    if (waiting === null) return running;
    this.ledger.advance(waiting, "ended");
    return [...running, { type: "error", turnId: waiting.turnId, code, message, retry: "later" }];
  }

  // --- told by the agent ------------------------------------------------------------------------------------------

  /** `at`: milliseconds of a clock that never goes back. */
  take(value: unknown, at: number): AgentRuntimeEvent[] {
    const frame = frameOf(value);
    if (frame === null || this.#records.isRepeated(frame)) return [];
    return [...this.#tokenOf(frame), ...this.#said(frame, at)];
  }

  #said(frame: Frame, at: number): AgentRuntimeEvent[] {
    switch (frame.type) {
      case "command_lifecycle":
        return this.#lifecycle(frame);
      case "system":
        return this.#system(frame);
      case "stream_event":
      case "assistant":
      case "user":
        return parentOf(frame) === null ? this.#content(frame, at) : this.#flow(frame);
      case "result":
        return this.#result(frame);
      default:
        this.#unknown.note(frame);
        return [];
    }
  }

  /** Every frame names the conversation, which may change under way. */
  #tokenOf(frame: Frame): AgentRuntimeEvent[] {
    const token = textOf(frame["session_id"]);
    if (token === null || token === "" || token === this.#token || isStartFailure(frame)) return [];
    this.#token = token;
    return [{ type: "resume-token", token }];
  }

  // --- whose turn it is -------------------------------------------------------------------------------------------

  #lifecycle(frame: Frame): AgentRuntimeEvent[] {
    const sent = this.ledger.get(textOf(frame["command_uuid"]) ?? "");
    if (sent === undefined) return [];
    switch (frame["state"]) {
      case "queued":
        this.ledger.advance(sent, "queued");
        return [];
      case "started":
        return this.ledger.advance(sent, "started") ? this.#started(sent) : [];
      case "completed":
        return sent.state === "started" ? this.#over(sent) : this.#known(sent);
      case "cancelled":
        return sent.state === "started" ? this.#over(sent) : this.#cancelled(sent);
      default:
        return [];
    }
  }
  #over(sent: Sent): AgentRuntimeEvent[] {
    this.ledger.advance(sent, "ended");
    return [];
  }

  #started({ as, turnId, inputId }: Sent): AgentRuntimeEvent[] {
    this.#isFresh = false;
    if (this.#generation?.origin === "leftover") this.#generation = null;
    const running = this.#generation;
    if (as === "compaction") {
      this.#generation ??= newGeneration(turnId, "compaction");
      this.#hasCompacted = false;
      return [];
    }
    if (as === "steer") return running === null ? this.#beginOwn("steer", inputId) : this.#taken(inputId);
    if (running?.origin === "send") {
      running.answered.push(inputId); // the agent took two at once
      return [];
    }
    // What the agent did by itself ends where it turns to what it was sent.
    const before = running === null ? [] : this.#finish(running, null);
    this.#generation = newGeneration(turnId, "send", [inputId]);
    return before;
  }
  #begunUntold(): AgentRuntimeEvent[] {
    const sent = this.#hasReceipts || this.#generation !== null ? null : this.ledger.toBegin;
    if (sent === null) return [];
    this.ledger.advance(sent, "started");
    return this.#started(sent);
  }
  #taken(inputId: InputId): AgentRuntimeEvent[] {
    this.#taking.push(inputId);
    return [];
  }

  /** The agent has it from before: it was answered, or its turn was cut off. It is not run again. */
  #known(sent: Sent): AgentRuntimeEvent[] {
    this.ledger.advance(sent, "ended");
    const { as, turnId, inputId } = sent;
    if (as === "steer") return this.#generation === null ? [] : this.#taken(inputId);
    if (as === "compaction") return [];
    const message =
      "Claude Code has this message already, from before a connection ended, and does not run it again. Send a new message to go on.";
    return [{ type: "error", turnId, code: "input-known", message, retry: "never" }];
  }

  #cancelled(sent: Sent): AgentRuntimeEvent[] {
    this.ledger.advance(sent, "ended");
    const { as, turnId, inputId, isWithdrawn } = sent;
    if (isWithdrawn || as === "compaction") return [];
    if (as === "steer") return [{ type: "steer-undelivered", turnId, inputs: [inputId] }];
    return [{ type: "turn-complete", turnId, outcome: "stopped", answered: [] }];
  }

  #beginOwn(origin: string, inputId?: InputId): AgentRuntimeEvent[] {
    const turnId = this.#hooks.newTurnId();
    this.#generation = newGeneration(turnId, "own", inputId === undefined ? [] : [inputId]);
    const steer = inputId === undefined ? {} : { inputId };
    return [{ type: "autonomous-turn-state", turnId, state: "started", origin, ...steer }];
  }
  /** Something is said and nothing runs: the agent began by itself. */
  #ensureTurn(): AgentRuntimeEvent[] {
    return this.#generation === null ? this.#beginOwn("background-work") : [];
  }

  /** Before what the agent says next. */
  #boundary(): AgentRuntimeEvent[] {
    const generation = this.#generation;
    if (this.#taking.length === 0 || generation === null) return [];
    const taken = this.#taking;
    this.#taking = [];
    const { turnId } = generation;
    return [...this.#events(generation, this.#writer.endStep()), { type: "steer-boundary", turnId, taken }];
  }

  // --- what is said -----------------------------------------------------------------------------------------------

  #content(frame: Frame, at: number): AgentRuntimeEvent[] {
    if (frame.type === "user") return this.#userFrame(frame);
    // A failed request is told by the result.
    if (frame.type === "assistant" && textIn(frame, "error") !== null) return [];
    const kind = textIn(frame["event"], "type");
    const begun = frame.type === "assistant" || kind === "message_start" ? this.#ensureTurn() : [];
    const generation = this.#generation;
    if (generation === null) return begun;
    this.#note(frame, generation, kind);
    if (!isTurn(generation)) return begun;
    const boundary = this.#boundary();
    const usage = frame.type === "stream_event" ? this.#usage.stream(frame, at) : [];
    const said = frame.type === "assistant" ? this.#writer.assistant(frame) : this.#writer.stream(frame);
    const events = [...begun, ...boundary, ...this.#events(generation, said), ...usageEvents(usage, generation)];
    if (kind === "message_stop") this.calls.answerEnded();
    return events;
  }

  #note(frame: Frame, generation: Generation, kind: string | null): void {
    if (kind === "message_start") this.calls.answerBegan();
    if (frame.type !== "assistant") return;
    generation.anchor = textIn(frame, "uuid") ?? generation.anchor;
    generation.lastText = joinedText(fieldsOf(frame["message"])["content"]);
    const isStreamed = textIn(frame["message"], "id") === this.#writer.streaming;
    for (const id of callsIn(frame)) this.calls.show(id, isStreamed);
  }

  #userFrame(frame: Frame): AgentRuntimeEvent[] {
    const compaction = this.#compaction.message(frame, this.#generation?.origin === "compaction");
    const generation = this.#generation;
    if (generation === null) return this.#ofTurn(compaction);
    const isStopping = generation.isStopping;
    const said = this.#writer.results(frame, { isStopping, isDenied: (id) => this.#denied.has(id) });
    const ended = blocksOf(frame["message"]).flatMap((block) => textIn(block, "tool_use_id") ?? []);
    const flows = ended.flatMap((id) => (this.#flows.isBackground(id) ? [] : this.#flows.finish(id)));
    return [...this.#ofTurn(compaction), ...flows, ...this.#events(generation, said)];
  }

  #flow(frame: Frame): AgentRuntimeEvent[] {
    const events = this.#flows.take(frame, { isDenied: (id) => this.#denied.has(id) });
    for (const id of frame.type === "assistant" ? callsIn(frame) : []) this.calls.show(id, false);
    return events;
  }

  #system(frame: Frame): AgentRuntimeEvent[] {
    switch (frame["subtype"]) {
      case "init": // of a new process: it may take up what nobody waits for
        this.#hasReceipts = tellsReceipts(frame);
        return [...this.#begunUntold(), ...(this.#isFresh ? [] : this.#ensureTurn())];
      case "status":
        return [...this.#ofTurn(this.#compacting(frame)), ...modeChange(frame)];
      case "compact_boundary":
        this.#hasCompacted = true;
        return this.#ofTurn(this.#compaction.boundary(frame));
      case "session_state_changed":
        return frame["state"] === "idle" ? this.#background.idle() : [];
      case "background_tasks_changed":
        return this.#background.changed(frame);
      case "task_started":
      case "task_updated":
      case "task_progress":
      case "task_notification":
        return this.#task(frame);
      case "api_retry":
        return this.#retry(frame);
      case "commands_changed":
        return [{ type: "supported-commands", commands: frame["commands"] }];
      default:
        return noticeOf(frame, () => this.#unknown.note(frame));
    }
  }

  #compacting(frame: Frame): AgentRuntimeEvent[] {
    return this.#compaction.status(frame, this.#generation?.origin === "compaction" ? "manual" : "auto");
  }

  #task(frame: Frame): AgentRuntimeEvent[] {
    const call = textIn(frame, "tool_use_id");
    const events = this.#background.task(frame);
    if (call === null) return events;
    if (frame["is_backgrounded"] === true) this.#flows.background(call);
    return frame["subtype"] === "task_notification" ? [...events, ...this.#flows.finish(call)] : events;
  }

  #retry(frame: Frame): AgentRuntimeEvent[] {
    const { event, failure } = retryOf(frame);
    const generation = this.#generation;
    if (failure !== null && generation !== null && generation.failure === null) {
      generation.failure = failure;
      this.#hooks.hopeless(generation.turnId);
    }
    return this.#ofTurn([event]);
  }

  // --- the end of a turn ------------------------------------------------------------------------------------------

  #result(frame: Frame): AgentRuntimeEvent[] {
    this.#isFresh = false;
    const generation = this.#generation;
    if (generation === null) return [];
    if (!this.#hasReceipts) this.ledger.endBegun();
    const isParked = outcomeOf(frame).kind === "deferred";
    if (isParked) this.#hooks.parked(!generation.isStopping);
    if (isParked && !generation.isStopping) return usageEvents(this.#usage.settle(frame), generation);
    return this.#finish(generation, frame);
  }

  /** `result`: null when the agent did not say how it ended. */
  #finish(generation: Generation, result: Frame | null): AgentRuntimeEvent[] {
    const boundary = this.#boundary();
    this.#generation = null;
    this.calls.clear();
    const usage = usageEvents(result === null ? [] : this.#usage.settle(result), generation);
    const compaction = this.#ofTurn(this.#compaction.end(), generation);
    if (!isTurn(generation)) {
      if (generation.origin === "compaction") this.#hooks.compacted(this.#hasCompacted, generation.lastText);
      return [...compaction, ...usage];
    }
    const { terminal, unfinished } = terminalOf(generation, result === null ? null : outcomeOf(result));
    const said = this.#events(generation, this.#writer.end(unfinished));
    this.#denied.clear();
    return [...boundary, ...compaction, ...this.#flows.finishForeground(), ...said, ...usage, terminal];
  }

  // --- events -----------------------------------------------------------------------------------------------------

  #events(generation: Generation, said: readonly Said[]): AgentRuntimeEvent[] {
    if (!isTurn(generation)) return [];
    const { turnId } = generation;
    return said.map((one) =>
      one.kind === "chunk"
        ? { type: "chunk", turnId, chunk: one.chunk }
        : { type: "part-abandoned", turnId, part: one.part, reason: one.reason },
    );
  }

  /** A call of a sub-agent is shown in its flow. */
  #chunksFor(toolCallId: string, said: readonly Said[]): AgentRuntimeEvent[] {
    if (this.#generation !== null && !this.#flows.isOfSubAgent(toolCallId)) return this.#events(this.#generation, said);
    const rootToolCallId = this.#flows.rootOf(toolCallId);
    return said.flatMap((one) =>
      one.kind === "chunk" ? [{ type: "background-flow-chunk", rootToolCallId, chunk: one.chunk }] : [],
    );
  }

  /** Loose events, named by the turn they came in. */
  #ofTurn(events: readonly AgentRuntimeEvent[], generation = this.#generation): AgentRuntimeEvent[] {
    if (generation === null || !isTurn(generation)) return [...events];
    return events.map((event) => ({ ...event, turnId: generation.turnId }));
  }
}

export type ShownCall = { readonly toolCallId: string; readonly toolName: string };

const usageEvents = (reports: readonly UsageReport[], generation: Generation): AgentRuntimeEvent[] =>
  reports.map((usage) => ({ type: "usage", ...(isTurn(generation) ? { turnId: generation.turnId } : {}), usage }));

const callsIn = (frame: Frame): readonly string[] =>
  blocksOf(frame["message"]).flatMap((block) => (block.type === "tool_use" ? (textIn(block, "id") ?? []) : []));

/** A process that did not find its conversation names one that does not exist. */
const isStartFailure = (frame: Frame): boolean => frame.type === "result" && frame["num_turns"] === 0;

/** A version that names no abilities is taken for the one this driver was made for. */
function tellsReceipts({ capabilities }: Frame): boolean {
  return !Array.isArray(capabilities) || capabilities.includes("msg_lifecycle_v1");
}
