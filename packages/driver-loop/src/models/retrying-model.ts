/**
 * The model of one turn: as the provider made it, with our retries and clocks around each request. Invariants: a
 * request is repeated only while it gave no output, at most `limits.requestAttempts` times, and every repeat is
 * announced before its wait; an abort ends a wait at once; a stream that ends without the provider's end is an error.
 * The seam is a language model middleware, because there a request that failed is still one request to the AI SDK.
 */
import type { Clock, Log, TokenUsage } from "@mooring/host/driver";
import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { pause, untilAborted } from "../abort.ts";
import { limits } from "../limits.ts";
import { cutAnswer, type ModelFailure, modelFailure } from "./model-failure.ts";

export type ProviderModel = Parameters<typeof wrapLanguageModel>[0]["model"];
export type LoopModel = ReturnType<typeof wrapLanguageModel>;
/** What one request took, filled as it goes. */
export type ModelRequest = {
  model: string;
  /** Milliseconds since it was sent. */
  firstTokenMs: number | null;
  totalMs: number | null;
  /** Null until it is complete, or when the provider says nothing. `input` counts cached tokens too. */
  tokens: TokenUsage | null;
};
type ApiRetry = {
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly status: number | null;
  readonly message: string;
};
type RequestWatch = {
  readonly clock: Clock;
  readonly log: Log;
  /** Before the wait. `attempt` is the one that failed, from 1. */
  onRetry(retry: ApiRetry): void;
  /** A request begins to answer. */
  onAnswer(request: ModelRequest): void;
  /** Its answer is complete, and so is this. */
  onEnd?(request: ModelRequest): void;
};

type WrapStream = NonNullable<LanguageModelMiddleware["wrapStream"]>;
type Options = Parameters<WrapStream>[0];
type Answer = Awaited<ReturnType<Options["doStream"]>>;
type Part = Answer["stream"] extends ReadableStream<infer P> ? P : never;
type Finish = Part & { type: "finish" };
type Reader = ReadableStreamDefaultReader<Part>;

export function retryingModel(model: ProviderModel, watch: RequestWatch): LoopModel {
  const wrapStream: WrapStream = async ({ doStream, params, model: { modelId } }) => {
    const signal = params.abortSignal ?? new AbortController().signal;
    for (let attempt = 1; ; attempt++) {
      try {
        return await beginAnswer(doStream, modelId, watch, signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = modelFailure(error, watch.clock.now());
        const delayMs = delayBefore(attempt, failure);
        if (delayMs === null) throw error;
        const { status, message } = failure;
        watch.onRetry({ attempt, maxAttempts: limits.requestAttempts, delayMs, status, message });
        await pause(watch.clock, delayMs, signal);
      }
    }
  };
  return wrapLanguageModel({ model, middleware: { wrapStream } });
}

/** Milliseconds until the next attempt; null: there is none. */
function delayBefore(attempt: number, { isPassing, retryAfterMs }: ModelFailure): number | null {
  if (!isPassing || attempt >= limits.requestAttempts) return null;
  const own = limits.retryFirstMs * 2 ** (attempt - 1);
  if (retryAfterMs === null) return own;
  return retryAfterMs <= limits.retryAfterMaxMs ? retryAfterMs : null;
}

/** Resolves at the first output; rejects when the request failed before it. */
async function beginAnswer(
  doStream: Options["doStream"],
  modelId: string,
  watch: RequestWatch,
  signal: AbortSignal,
): Promise<Answer> {
  const sentAt = watch.clock.monotonic();
  const request: ModelRequest = { model: modelId, firstTokenMs: null, totalMs: null, tokens: null };
  const answer = await untilAborted(Promise.resolve(doStream()), signal);
  const reader = answer.stream.getReader();
  const opening: Part[] = [];
  for (;;) {
    const { done, value } = await untilAborted(reader.read(), signal);
    if (done) throw cutAnswer();
    if (value.type === "error") {
      reader.cancel(value.error).catch(() => {}); // its end is of no interest: the request is given up
      throw value.error;
    }
    if (value.type === "response-metadata") request.model = value.modelId ?? modelId;
    opening.push(value.type === "stream-start" ? withoutWarnings(value, watch.log) : value);
    if (isOutput(value)) break;
  }
  request.firstTokenMs = watch.clock.monotonic() - sentAt;
  watch.onAnswer(request);
  const onEnd = ({ usage }: Finish): void => {
    request.totalMs = watch.clock.monotonic() - sentAt;
    request.tokens = tokensOf(usage);
    watch.onEnd?.(request);
  };
  return { ...answer, stream: continued(opening, reader, onEnd) };
}

function tokensOf({ inputTokens, outputTokens }: Finish["usage"]): TokenUsage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
  };
}

/** Parts that show somebody something. A request that failed before the first can be repeated unseen. */
const outputs: ReadonlySet<string> = new Set([
  "text-delta",
  "reasoning-delta",
  "reasoning-file",
  "file",
  "tool-input-delta",
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "finish",
]);
const isOutput = (part: Part): boolean => outputs.has(part.type);

/** The AI SDK would print them. */
function withoutWarnings(part: Part & { type: "stream-start" }, log: Log): Part {
  if (part.warnings.length > 0) log.warn("loop.model-warnings", { warnings: part.warnings });
  return { ...part, warnings: [] };
}

function continued(opening: Part[], reader: Reader, onEnd: (finish: Finish) => void): ReadableStream<Part> {
  let isComplete = false;
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const held = opening.shift();
        const { done, value } = held === undefined ? await reader.read() : { done: false, value: held };
        if (value !== undefined) {
          isComplete ||= value.type === "finish" || value.type === "error";
          if (value.type === "finish") onEnd(value);
          controller.enqueue(value);
        }
        if (!done) return;
        if (!isComplete) controller.enqueue({ type: "error", error: cutAnswer() });
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
