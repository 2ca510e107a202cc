/**
 * The deterministic model as an AI SDK language model (specification v4), in process and without a network.
 * Invariants: an abort ends a call with the signal's reason, as `fetch` would; a scripted status is an
 * `APICallError` thrown before the stream starts, so the SDK's own retries apply; a cut is a retryable
 * `APICallError` without a status, in the stream or instead of the result.
 */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { conversationOfCall } from "./ai-sdk-prompt.ts";
import { isCut } from "./errors.ts";
import { abortReason, type PlayEvent, play, playWhole, type Timing } from "./play.ts";
import { type FailedReply, Player, type PlayerOptions, type Reply, type ReplyBlock } from "./player.ts";
import type { LoggedRequest } from "./request-log.ts";

export interface ScriptedModelOptions extends PlayerOptions, Timing {
  /** `scripted` by default. */
  readonly modelId?: string;
}

export type ScriptedModel = LanguageModelV4 & {
  /** The last 1000 requests, oldest first; a live view. */
  readonly requests: readonly LoggedRequest[];
};

// APICallError wants an address; this one says that there is none.
const noUrl = "scripted:";

function statusError(reply: FailedReply, prompt: unknown): APICallError {
  const headers = reply.retryAfter === undefined ? {} : { "retry-after": String(reply.retryAfter) };
  return new APICallError({
    message: reply.message,
    url: noUrl,
    requestBodyValues: { prompt },
    statusCode: reply.status,
    responseHeaders: headers,
    responseBody: JSON.stringify({ error: { message: reply.message } }),
  });
}

function cutError(cause: unknown): APICallError {
  const message = "The connection was cut by the script.";
  return new APICallError({ message, url: noUrl, requestBodyValues: {}, cause, isRetryable: true });
}

const asSdkError = (error: unknown): unknown => (isCut(error) ? cutError(error) : error);

function finishOf(reply: Reply): LanguageModelV4FinishReason {
  const unified = reply.blocks.some((block) => block.type === "call") ? "tool-calls" : "stop";
  return { unified, raw: unified };
}

function usageOf({ usage }: Reply): LanguageModelV4Usage {
  return {
    inputTokens: { total: usage.input, noCache: usage.input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: usage.output, text: usage.output - usage.reasoning, reasoning: usage.reasoning },
  };
}

const contentOf = (block: ReplyBlock): LanguageModelV4Content =>
  block.type === "call"
    ? { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.input }
    : { type: block.type, text: block.text };

function callParts(event: PlayEvent, id: string, name: string, input: string): LanguageModelV4StreamPart[] {
  if (event.type === "open") return [{ type: "tool-input-start", id, toolName: name }];
  if (event.type === "delta") return [{ type: "tool-input-delta", id, delta: event.delta }];
  return [
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName: name, input },
  ];
}

function partsOf(event: PlayEvent): LanguageModelV4StreamPart[] {
  const { block } = event;
  if (block.type === "call") return callParts(event, block.id, block.name, block.input);
  const id = String(event.index);
  if (event.type === "open") return [{ type: `${block.type}-start`, id }];
  if (event.type === "delta") return [{ type: `${block.type}-delta`, id, delta: event.delta }];
  return [{ type: `${block.type}-end`, id }];
}

async function* streamParts(
  reply: Reply,
  metadata: { readonly id: string; readonly modelId: string },
  timing: Timing,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart, void, void> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", ...metadata };
  for await (const event of play(reply, timing, signal)) yield* partsOf(event);
  yield { type: "finish", finishReason: finishOf(reply), usage: usageOf(reply) };
}

type Parts = AsyncGenerator<LanguageModelV4StreamPart, void, void>;

/** Pull by pull, so that a slow reader slows the model and a cancelled one stops it. */
function toStream(
  start: (signal: AbortSignal) => Parts,
  signal?: AbortSignal,
): ReadableStream<LanguageModelV4StreamPart> {
  const stop = new AbortController();
  const parts = start(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await parts.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(asSdkError(error));
      }
    },
    cancel() {
      stop.abort();
    },
  });
}

/** A language model that plays the directives of the newest prompt; see the package's README. */
export function scriptedModel(options: ScriptedModelOptions = {}): ScriptedModel {
  const modelId = options.modelId ?? "scripted";
  const player = new Player(options);

  function replyTo(call: LanguageModelV4CallOptions): Reply {
    if (call.abortSignal?.aborted) throw abortReason(call.abortSignal);
    const reply = player.reply("ai-sdk", modelId, conversationOfCall(call));
    if (reply.type === "failure") throw statusError(reply, call.prompt);
    return reply;
  }

  async function doGenerate(call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const reply = replyTo(call);
    try {
      await playWhole(reply, options, call.abortSignal ?? new AbortController().signal);
    } catch (error) {
      throw asSdkError(error);
    }
    const response = { id: reply.id, modelId };
    const content = reply.blocks.map(contentOf);
    return { content, finishReason: finishOf(reply), usage: usageOf(reply), response, warnings: [] };
  }

  async function doStream(call: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const reply = replyTo(call);
    const metadata = { id: reply.id, modelId };
    return { stream: toStream((signal) => streamParts(reply, metadata, options, signal), call.abortSignal) };
  }

  return {
    specificationVersion: "v4",
    provider: "mooring.scripted",
    modelId,
    // Every address is "supported": the SDK must not download a prompt's files for a model that never looks at them.
    supportedUrls: { "*/*": [/.*/] },
    requests: player.requests.entries,
    doGenerate,
    doStream,
  };
}
