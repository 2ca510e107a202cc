/**
 * A session's live link to the loop: no process, only memory. Invariants: one turn or one compaction at a time, a
 * second prompt is refused; the configuration a turn began with is its own, what `reconcile` sets is for the next; the
 * events end when `close` begins, after which nothing of the connection is heard.
 */

import {
  type AbortAnswer,
  type AgentRuntimeConnection,
  type AgentRuntimeEvent,
  type ApprovalDecision,
  type ApprovalId,
  type CloseReason,
  type ConnectInput,
  type ConnectionCapabilities,
  type ContextUsage,
  type DriverPorts,
  EventQueue,
  type InputId,
  MooringError,
  messageOf,
  type ReconcileVerdict,
  type SessionTarget,
  type SteerInput,
  type TurnId,
  type TurnInput,
  type Waiting,
} from "@mooring/host/driver";
import { conversationOf, conversationWaiting, storedConversation } from "./conversation/conversation.ts";
import { limits } from "./limits.ts";
import { contextWindow } from "./models/context-window.ts";
import { effortOf, modelSettings } from "./models/model-settings.ts";
import { type ModelFactories, makeModel } from "./models/providers.ts";
import { retryingModel } from "./models/retrying-model.ts";
import { instructionsOf, outputsDirectory } from "./session-setup.ts";
import { checkCompactable, compact } from "./turn/compact.ts";
import { ContextMeter } from "./turn/context-meter.ts";
import type { SessionContext, TurnConfig } from "./turn/session-context.ts";
import { toolsOf } from "./turn/tool-set.ts";
import { Turn } from "./turn/turn.ts";

type Work =
  | { readonly kind: "turn"; readonly turn: Turn; readonly done: Promise<void> }
  | { readonly kind: "compaction"; readonly stop: AbortController; readonly done: Promise<void> };

export class LoopConnection implements AgentRuntimeConnection {
  readonly capabilities: ConnectionCapabilities;
  readonly events = new EventQueue<AgentRuntimeEvent>(limits.queuedEvents);
  readonly #context: SessionContext;
  readonly #models: ModelFactories;
  #target: SessionTarget;
  #config: TurnConfig;
  #disabled: ReadonlySet<string>;
  #work: Work | null = null;
  #closing: Promise<{ readonly returned: readonly InputId[] }> | null = null;

  /** Rejects with a coded error when the session's model cannot be made. */
  static async open(
    input: ConnectInput,
    ports: DriverPorts,
    models: ModelFactories,
    capabilities: ConnectionCapabilities,
  ): Promise<LoopConnection> {
    const config = await configOf(input, input, models);
    return new LoopConnection(input, ports, models, capabilities, config);
  }

  private constructor(
    input: ConnectInput,
    ports: DriverPorts,
    models: ModelFactories,
    capabilities: ConnectionCapabilities,
    config: TurnConfig,
  ) {
    this.capabilities = capabilities;
    this.#models = models;
    this.#config = config;
    this.#target = input;
    this.#disabled = new Set(input.disabledTools);
    this.#context = {
      input,
      ports,
      events: this.events,
      meter: new ContextMeter(windowOf(config)),
      outputs: outputsDirectory(input),
      isDisabled: (name) => this.#disabled.has(name),
    };
    if (input.waiting !== null) this.#continue(input.waiting);
  }

  async send(input: TurnInput): Promise<void> {
    this.#checkFree();
    const { turnId, inputId } = input;
    const conversation = async () => conversationOf(await this.#context.input.history(), input.parts);
    const plan = { turnId, answers: [inputId], config: this.#config, conversation };
    this.#begin(new Turn(this.#context, plan));
  }

  #continue(waiting: Waiting): void {
    const history = this.#context.input.history;
    const isKnown = (name: string): boolean => toolsOf(this.#context).some((tool) => tool.name === name);
    const conversation = async () => conversationWaiting(await history(), waiting, isKnown);
    const plan = { turnId: waiting.turnId, answers: [], config: this.#config, conversation };
    const turn = new Turn(this.#context, plan);
    turn.expect(waiting.approvals);
    this.#begin(turn);
  }

  #begin(turn: Turn): void {
    const done = turn.run().finally(() => this.#free());
    this.#work = { kind: "turn", turn, done };
  }

  #free(): void {
    this.#work = null;
    this.#context.meter.window = windowOf(this.#config);
  }

  #checkFree(): void {
    if (this.#closing !== null) throw new MooringError("connection-closed", "The connection is closed: open another.");
    if (this.#work === null) return;
    const what = this.#work.kind === "turn" ? "A turn is running" : "The history is being compacted";
    throw new MooringError("session-busy", `${what}: wait for its end.`, { retry: "later" });
  }

  get #turn(): Turn | null {
    return this.#work?.kind === "turn" ? this.#work.turn : null;
  }

  async redirect(steer: SteerInput): Promise<"offered" | "refused"> {
    const turn = this.#turn;
    return turn?.plan.turnId === steer.turnId && turn.offer(steer) ? "offered" : "refused";
  }

  async withdraw(inputId: InputId): Promise<boolean> {
    return this.#turn?.withdraw(inputId) ?? false;
  }

  async abortTurn(turnId: TurnId): Promise<AbortAnswer> {
    const turn = this.#turn;
    if (turn === null || turn.plan.turnId !== turnId) return "already-settled";
    turn.stop();
    return "aborted";
  }

  /** Rejects with `approval-unknown` when no such question is open. */
  async answerApproval(id: ApprovalId, decision: ApprovalDecision): Promise<void> {
    if (this.#turn?.answer(id, decision)) return;
    throw new MooringError("approval-unknown", "The loop asks no such question: it was answered or its turn ended.");
  }

  async reconcile(target: SessionTarget): Promise<ReconcileVerdict> {
    if (this.#closing !== null) return "failed";
    // A disabled tool is closed at once; the rest is for the next turn.
    this.#disabled = new Set(target.disabledTools);
    const before = this.#target;
    if (JSON.stringify(settingsOf(before)) === JSON.stringify(settingsOf(target))) return "current";
    try {
      this.#config = await configOf(this.#context.input, target, this.#models);
    } catch (cause) {
      this.#context.ports.log.warn("loop.reconcile-invalid", { message: messageOf(cause) });
      return "invalid";
    }
    this.#target = target;
    if (this.#work === null) this.#context.meter.window = windowOf(this.#config);
    return "patched";
  }

  async getContextUsage(): Promise<ContextUsage | null> {
    return this.#context.meter.usage;
  }

  /**
   * Resolves when it is over; a failure after its start is told by `compaction-error`, as the start was by an event.
   * Rejects, without any event, with `session-busy`, `nothing-to-compact` or `compaction-cancelled`.
   */
  async compact(instructions?: string): Promise<void> {
    this.#checkFree();
    const stop = new AbortController();
    const work = this.#compactStored(instructions ?? null, stop.signal).finally(() => this.#free());
    const done = work.catch(() => {}); // whoever asked hears it; `close` only waits
    this.#work = { kind: "compaction", stop, done };
    return work;
  }

  async #compactStored(wishes: string | null, signal: AbortSignal): Promise<void> {
    const { input, ports, events } = this.#context;
    const conversation = await storedConversation(await input.history());
    checkCompactable(conversation);
    const model: Parameters<typeof compact>[2]["model"] = (onAnswer) =>
      retryingModel(this.#config.model, {
        clock: ports.clock,
        log: ports.log,
        onAnswer,
        onRetry: (retry) => events.push({ type: "api-retry", ...retry }),
      });
    const order = { trigger: "manual", turnId: null, model, wishes, signal } as const;
    const { kind } = await compact(this.#context, conversation, order);
    if (kind === "cancelled") throw new MooringError("compaction-cancelled", "A hook of the host said no.");
  }

  close(_reason: CloseReason): Promise<{ readonly returned: readonly InputId[] }> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<{ readonly returned: readonly InputId[] }> {
    const work = this.#work;
    const returned = work?.kind === "turn" ? work.turn.leave() : [];
    this.events.end();
    if (work?.kind === "turn") work.turn.stop();
    else work?.stop.abort(new DOMException("The connection closed.", "AbortError"));
    await work?.done;
    return { returned };
  }
}

type Wanted = Pick<SessionTarget, "model" | "effort" | "prompt">;

async function configOf(input: ConnectInput, wanted: Wanted, models: ModelFactories): Promise<TurnConfig> {
  return {
    model: await makeModel({ model: wanted.model, credentials: input.credentials }, models),
    modelName: wanted.model,
    effort: effortOf(wanted.effort),
    instructions: instructionsOf(wanted.prompt, input.workspace),
    settings: modelSettings(input.session.options),
  };
}

const windowOf = ({ modelName, settings }: TurnConfig): number =>
  contextWindow(modelName, settings.contextWindow ?? null);

/** What a target may change here; the mode is the policy's, and there are no MCP servers. */
const settingsOf = ({ model, effort, permissionMode, disabledTools, prompt }: SessionTarget): readonly unknown[] => [
  model,
  effort,
  permissionMode,
  [...disabledTools].sort(),
  prompt.base,
  prompt.append,
];
