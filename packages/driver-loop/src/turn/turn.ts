/**
 * One turn from the message it answers to its terminal event. Invariants: exactly one terminal event, unless the
 * connection closed first; before it every call that was shown has an outcome, every question is withdrawn, every steer
 * not taken is named, and no tool of the turn runs any more. A stop wins over everything the turn waits for.
 */

import type { ApprovalDecision, ApprovalId, InputId, SteerInput, TurnId, WaitingApproval } from "@mooring/host/driver";
import type { ModelMessage } from "ai";
import { untilAborted } from "../abort.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { limits } from "../limits.ts";
import { type ModelFailure, modelFailure } from "../models/model-failure.ts";
import { type LoopModel, type ModelRequest, retryingModel } from "../models/retrying-model.ts";
import { AgentRun, type LastStep } from "./agent-run.ts";
import { compact } from "./compact.ts";
import { Questions } from "./questions.ts";
import { RequestReports } from "./request-reports.ts";
import type { SessionContext, TurnConfig } from "./session-context.ts";
import { SteerInbox } from "./steer-inbox.ts";
import { ToolGate } from "./tool-gate.ts";
import { Translator } from "./translate.ts";

type TurnPlan = {
  readonly turnId: TurnId;
  /** Answered when the turn completes. */
  readonly answers: readonly InputId[];
  readonly config: TurnConfig;
  conversation(): Promise<Conversation>;
};
type TurnEnd =
  | { readonly kind: "completed" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly failure: Pick<ModelFailure, "code" | "message" | "retry"> };

export class Turn {
  readonly plan: TurnPlan;
  readonly #questions: Questions;
  readonly #translator: Translator;
  readonly #context: SessionContext;
  readonly #stop = new AbortController();
  readonly #inbox = new SteerInbox();
  readonly #reports: RequestReports;
  readonly #gate: ToolGate;
  /** Model requests, overflows and cut answers so far. */
  #steps = 0;
  #overflows = 0;
  #cuts = 0;

  constructor(context: SessionContext, plan: TurnPlan) {
    this.#context = context;
    this.plan = plan;
    this.#questions = new Questions(context, plan.turnId);
    this.#reports = new RequestReports(context, plan.turnId);
    this.#gate = new ToolGate(context, plan.turnId, { questions: this.#questions, reports: this.#reports });
    const parts = { gate: this.#gate, inbox: this.#inbox, reports: this.#reports };
    this.#translator = new Translator(context, plan.turnId, parts);
  }

  /** It goes on where an earlier connection asked these. Call before `run`. */
  expect(approvals: readonly WaitingApproval[]): void {
    this.#translator.expect(approvals.map(({ toolCallId }) => toolCallId));
    this.#questions.repeat(approvals);
  }

  /** Resolves after the terminal event. Never rejects. */
  async run(): Promise<void> {
    let end: TurnEnd;
    try {
      end = await this.#converse(await untilAborted(this.plan.conversation(), this.#stop.signal));
    } catch (cause) {
      end = this.#failed(cause);
    }
    await this.#gate.idle();
    this.#settle(this.#stop.signal.aborted ? { kind: "stopped" } : end);
  }

  stop(): void {
    this.#stop.abort(new DOMException("The turn was stopped.", "AbortError"));
  }

  offer(steer: SteerInput): boolean {
    return !this.#stop.signal.aborted && this.#inbox.offer(steer);
  }

  withdraw(id: InputId): boolean {
    return this.#inbox.withdraw(id);
  }

  answer(id: ApprovalId, decision: ApprovalDecision): boolean {
    return this.#questions.answer(id, decision);
  }

  /** Last words before the connection closes: what was used, and the steers never taken. No more are accepted. */
  leave(): readonly InputId[] {
    this.#reports.flush();
    return this.#inbox.close();
  }

  async #converse(start: Conversation): Promise<TurnEnd> {
    let conversation = start;
    for (;;) {
      const run = this.#newRun(conversation);
      const end = await run.go(this.#maxSteps - this.#steps);
      this.#steps += run.steps;
      this.#inbox.reclaim();
      this.#reports.runEnded();
      if (this.#stop.signal.aborted) return { kind: "stopped" };
      const next = end.kind === "failed" ? await this.#afterFailure(run, end.error) : this.#afterRun(run, end.last);
      if ("kind" in next) return next;
      conversation = next;
    }
  }

  /** What the turn goes on with after a failed run, or how it ends. */
  async #afterFailure(run: AgentRun, error: unknown): Promise<Conversation | TurnEnd> {
    const failed = this.#failed(error);
    if (failed.failure.code !== "context-overflow" || this.#overflows++ > 0) return failed;
    return (await this.#compact(run.conversation, "overflow")) ?? failed;
  }

  #afterRun(run: AgentRun, last: LastStep): Conversation | TurnEnd {
    if (this.#steps < this.#maxSteps) {
      const told = this.#cuts < limits.cutAnswers ? cutCalls(run.conversation, last) : null;
      if (told !== null) {
        this.#cuts++;
        this.#translator.closeCalls(notMade);
        return told;
      }
      // A steer came after the last step was over and before the turn is.
      if (last.finishReason === "stop" && this.#inbox.isWaiting) return withStep(run.conversation, last);
    }
    return this.#ended(last);
  }

  get #maxSteps(): number {
    return this.plan.config.settings.maxSteps ?? limits.stepsPerTurn;
  }

  #newRun(conversation: Conversation): AgentRun {
    const { config } = this.plan;
    const parts = {
      context: this.#context,
      config,
      gate: this.#gate,
      inbox: this.#inbox,
      translator: this.#translator,
    };
    const model = this.#model(
      (request) => this.#reports.answering(request),
      ({ tokens }) => tokens !== null && this.#context.meter.report(tokens),
    );
    const shorten = (current: Conversation) => this.#compact(current, "auto");
    return new AgentRun({ ...parts, model, signal: this.#stop.signal, compact: shorten }, conversation);
  }

  #model(onAnswer: (request: ModelRequest) => void, onEnd: (request: ModelRequest) => void = () => {}): LoopModel {
    const { ports, events } = this.#context;
    const { clock, log } = ports;
    const { turnId, config } = this.plan;
    return retryingModel(config.model, {
      clock,
      log,
      onAnswer,
      onEnd,
      onRetry: (retry) => events.push({ type: "api-retry", turnId, ...retry }),
    });
  }

  async #compact(conversation: Conversation, trigger: "auto" | "overflow"): Promise<Conversation | null> {
    const { turnId } = this.plan;
    const model = (onAnswer: (request: ModelRequest) => void) => this.#model(onAnswer);
    const order = { trigger, turnId, model, wishes: null, signal: this.#stop.signal };
    const end = await compact(this.#context, conversation, order);
    return end.kind === "done" ? end.conversation : null;
  }

  #ended({ finishReason, rawFinishReason }: LastStep): TurnEnd {
    if (finishReason === "content-filter") {
      const message = `The model refused to answer (${rawFinishReason ?? finishReason}).`;
      return { kind: "failed", failure: { code: "model-refused", message, retry: "never" } };
    }
    if (finishReason === "error") {
      const message = `The model ended with an error (${rawFinishReason ?? finishReason}).`;
      return { kind: "failed", failure: { code: "model-error", message, retry: "now" } };
    }
    if (finishReason === "length") this.#notice("output-limit", "The answer was cut at the model's output limit.");
    if (this.#steps >= this.#maxSteps) {
      this.#notice("step-limit", `The turn ended after ${this.#maxSteps} model requests; send a message to go on.`);
    }
    return { kind: "completed" };
  }

  #failed(cause: unknown): TurnEnd & { kind: "failed" } {
    return { kind: "failed", failure: modelFailure(cause, this.#context.ports.clock.now()) };
  }

  #notice(code: string, text: string): void {
    this.#context.events.push({ type: "notice", level: "warning", code, text });
  }

  #settle(end: TurnEnd): void {
    const { events } = this.#context;
    const { turnId, answers } = this.plan;
    this.#translator.closeCalls(end.kind === "stopped" ? stoppedCall : notMade);
    this.#questions.withdrawAll(end.kind === "stopped" ? "The turn was stopped." : "The turn ended.");
    const inputs = this.#inbox.close();
    if (inputs.length > 0) events.push({ type: "steer-undelivered", turnId, inputs });
    if (end.kind === "failed") {
      const { code, message, retry } = end.failure;
      events.push({ type: "error", turnId, code, message, retry });
    } else {
      const answered = end.kind === "completed" ? answers : [];
      events.push({ type: "turn-complete", turnId, outcome: end.kind, answered });
    }
  }
}

const stoppedCall = "Stopped before it was done.";
const notMade = "The call was not made: the model's answer was cut off.";

/**
 * An answer cut inside its tool calls makes none of them; the model is told, and asked again. Null: it was not cut so.
 */
function cutCalls(conversation: Conversation, last: LastStep): Conversation | null {
  if (last.finishReason !== "length") return null;
  const done = new Set(last.toolResults.map(({ toolCallId }) => toolCallId));
  const results = last.toolCalls
    .filter((call) => !done.has(call.toolCallId) && call.invalid !== true)
    .map(({ toolCallId, toolName }) => {
      const output = { type: "error-text", value: notMade } as const;
      return { type: "tool-result", toolCallId, toolName, output } as const;
    });
  if (results.length === 0) return null;
  return withStep(conversation, last, { role: "tool", content: results });
}

const withStep = (conversation: Conversation, last: LastStep, ...more: readonly ModelMessage[]): Conversation => ({
  ...conversation,
  messages: [...conversation.messages, ...last.messages, ...more],
});
