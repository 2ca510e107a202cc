/**
 * One run of the AI SDK's agent loop: request, tools, request, until the model is done. The loop, the steering and the
 * conversion of messages are the AI SDK's; here are only the places where it asks us: before each step (compaction,
 * edited inputs, tools on offer) and after it (steers handed over). A turn is one run, or a few when a run had to be
 * begun again with other messages.
 */
import {
  experimental_createSteering as createSteering,
  isStepCount,
  type ModelMessage,
  type Experimental_Steering as Steering,
  type StepResult,
  experimental_streamTextLowMemory as streamText,
  type ToolSet,
} from "ai";
import { untilAborted } from "../abort.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { LoopModel } from "../models/retrying-model.ts";
import type { SessionContext, TurnConfig } from "./session-context.ts";
import type { SteerInbox } from "./steer-inbox.ts";
import type { ToolGate } from "./tool-gate.ts";
import { enabledTools, toolSet, toolsOf } from "./tool-set.ts";
import type { Translator } from "./translate.ts";

type RunParts = {
  readonly context: SessionContext;
  readonly config: TurnConfig;
  readonly model: LoopModel;
  readonly gate: ToolGate;
  readonly inbox: SteerInbox;
  readonly translator: Translator;
  readonly signal: AbortSignal;
  /** The shorter conversation, or null. Called before a request when the window is nearly full. */
  compact(conversation: Conversation): Promise<Conversation | null>;
};
export type LastStep = Pick<StepResult<ToolSet>, "finishReason" | "rawFinishReason" | "toolCalls" | "toolResults"> & {
  readonly messages: readonly ModelMessage[];
};
type RunEnd =
  | { readonly kind: "ended"; readonly last: LastStep }
  | { readonly kind: "failed"; readonly error: unknown };

export class AgentRun {
  readonly #parts: RunParts;
  readonly #tools: ToolSet;
  /** As the last request was sent. */
  #conversation: Conversation;
  #steps = 0;
  #last: LastStep | null = null;

  constructor(parts: RunParts, conversation: Conversation) {
    this.#parts = parts;
    this.#conversation = conversation;
    this.#tools = toolSet(parts.gate, toolsOf(parts.context));
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get steps(): number {
    return this.#steps;
  }

  /** At most `maxSteps` requests. Never rejects; an abort ends it in either way. */
  async go(maxSteps: number): Promise<RunEnd> {
    const steering = createSteering();
    const { signal, context } = this.#parts;
    const { events } = context;
    let failure: { readonly error: unknown } | null = null;
    try {
      await this.#handOver(steering);
      for await (const part of this.#stream(steering, maxSteps)) {
        if (part.type === "error") failure ??= { error: part.error };
        this.#parts.translator.take(part, this.#tools);
        if (events.isFull) await untilAborted(events.room(), signal);
      }
    } catch (error) {
      failure ??= { error };
    }
    if (failure?.error === turnOver) return { kind: "ended", last: nothingMore };
    if (failure !== null) return { kind: "failed", error: failure.error };
    return this.#last === null ? { kind: "failed", error: noStep } : { kind: "ended", last: this.#last };
  }

  #stream(steering: Steering, maxSteps: number) {
    const { config, gate, model, signal } = this.#parts;
    const { maxOutputTokens } = config.settings;
    const result = streamText({
      model,
      messages: [...this.#conversation.messages],
      tools: this.#tools,
      stopWhen: [isStepCount(maxSteps), ({ steps }) => gate.endsTurn(callsOf(steps.at(-1)?.toolCalls))],
      maxRetries: 0,
      reasoning: config.effort,
      abortSignal: signal,
      experimental_steering: steering,
      // The prompt grows by appending, so the provider may keep what it read; others ignore the hint.
      providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
      prepareStep: ({ messages }) => this.#beforeStep(messages),
      onStepEnd: (step) => this.#afterStep(step, steering),
      onError: () => {}, // the stream says it too
      ...(config.instructions === "" ? {} : { instructions: config.instructions }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
    return result.stream;
  }

  async #beforeStep(messages: readonly ModelMessage[]) {
    const { context, compact, gate } = this.#parts;
    if (gate.endsTurn(answeredLast(messages))) throw turnOver;
    const current: Conversation = { ...this.#conversation, messages: withEdits(messages, gate.edits) };
    const shorter = context.meter.isFull(current.messages) ? await compact(current) : null;
    this.#conversation = shorter ?? current;
    return { messages: [...this.#conversation.messages], activeTools: enabledTools(context, this.#tools) };
  }

  async #afterStep(step: StepResult<ToolSet>, steering: Steering): Promise<void> {
    const { finishReason, rawFinishReason, toolCalls, toolResults, response } = step;
    this.#steps++;
    this.#last = { finishReason, rawFinishReason, toolCalls, toolResults, messages: response.messages };
    if (finishReason !== "error") await this.#handOver(steering);
  }

  #handOver(steering: Steering): Promise<void> {
    const { context, inbox } = this.#parts;
    return inbox.handOver(steering, context.input.steeringMode?.() ?? "all");
  }
}

const noStep = new TypeError("The model gave no answer.");
/** Thrown where the AI SDK is about to ask the model after the calls of a waiting turn, and they said not to. */
const turnOver = new DOMException("The calls ended the turn.", "AbortError");

const nothingMore: LastStep = {
  finishReason: "tool-calls",
  rawFinishReason: undefined,
  toolCalls: [],
  toolResults: [],
  messages: [],
};

const callsOf = (calls: readonly { readonly toolCallId: string }[] = []): readonly string[] =>
  calls.map(({ toolCallId }) => toolCallId);

/** Calls whose results are the last thing said. */
function answeredLast(messages: readonly ModelMessage[]): readonly string[] {
  const from = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  return messages.slice(from).flatMap(({ role, content }) => {
    if (role !== "tool") return [];
    return callsOf(content.flatMap((part) => (part.type === "tool-result" ? [part] : [])));
  });
}

/** The model reads what ran, not what it asked for. */
function withEdits(messages: readonly ModelMessage[], edits: ReadonlyMap<string, unknown>): readonly ModelMessage[] {
  if (edits.size === 0) return messages;
  return messages.map((message): ModelMessage => {
    if (message.role !== "assistant" || typeof message.content === "string") return message;
    const content = message.content.map((part) =>
      part.type === "tool-call" && edits.has(part.toolCallId) ? { ...part, input: edits.get(part.toolCallId) } : part,
    );
    return { ...message, content };
  });
}
