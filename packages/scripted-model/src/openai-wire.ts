/**
 * The OpenAI Chat Completions protocol: reads its requests, writes its responses and chunks.
 * Invariant: usage is streamed only to a client that asked for it with `stream_options.include_usage`.
 */
import type { Conversation, Message } from "./conversation.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "./json.ts";
import type { PlayEvent } from "./play.ts";
import type { Reply, ReplyBlock } from "./player.ts";
import { propertiesOf } from "./tool-schema.ts";
import type { Wire, WireRequest } from "./wire.ts";

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

const joinText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map((part) => stringOf(objectOf(part)["text"]))
        .join("\n");

const filesIn = (content: unknown): string[] =>
  listOf(content)
    .map((part) => stringOf(objectOf(part)["type"]))
    .filter((type) => type !== "text");

function assistantMessage(message: JsonObject): Message {
  const calls = listOf(message["tool_calls"]).map((value) => {
    const call = objectOf(value);
    const fn = objectOf(call["function"]);
    return { id: stringOf(call["id"]), name: stringOf(fn["name"]), input: stringOf(fn["arguments"]) };
  });
  return { role: "assistant", text: joinText(message["content"]), calls };
}

function messagesOf(message: JsonObject): Message[] {
  const text = joinText(message["content"]);
  if (message["role"] === "assistant") return [assistantMessage(message)];
  if (message["role"] === "user") return [{ role: "user", text, files: filesIn(message["content"]) }];
  if (message["role"] !== "tool") return [];
  // This protocol cannot mark a result as failed.
  return [{ role: "tool", results: [{ callId: stringOf(message["tool_call_id"]), text, failed: false }] }];
}

const isSystem = (message: JsonObject): boolean => message["role"] === "system" || message["role"] === "developer";

function conversationOf(body: JsonObject): Conversation {
  const messages = listOf(body["messages"]).map(objectOf);
  const tools = body["tool_choice"] === "none" ? [] : listOf(body["tools"]);
  return {
    system: messages
      .filter(isSystem)
      .map((message) => joinText(message["content"]))
      .join("\n"),
    messages: messages.flatMap(messagesOf),
    tools: tools.map((tool) => {
      const fn = objectOf(objectOf(tool)["function"]);
      return { name: stringOf(fn["name"]), properties: propertiesOf(fn["parameters"]) };
    }),
  };
}

function read(value: unknown): WireRequest {
  const body = objectOf(value);
  return {
    conversation: conversationOf(body),
    model: stringOf(body["model"]),
    stream: body["stream"] === true,
    streamUsage: objectOf(body["stream_options"])["include_usage"] === true,
  };
}

type CallBlock = Extract<ReplyBlock, { readonly type: "call" }>;

const finishReason = (reply: Reply): string =>
  reply.blocks.some((block) => block.type === "call") ? "tool_calls" : "stop";

const usageOf = ({ usage }: Reply): JsonObject => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});

const baseOf = (reply: Reply, request: WireRequest, object: string): JsonObject => ({
  id: `chatcmpl-${reply.id}`,
  object,
  created: 0,
  model: request.model,
});

const callOf = (block: CallBlock, args: string): JsonObject => ({
  id: block.id,
  type: "function",
  function: { name: block.name, arguments: args },
});

const textIn = (reply: Reply, type: "text" | "reasoning"): string =>
  reply.blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join("\n");

function whole(reply: Reply, request: WireRequest): JsonObject {
  const calls = reply.blocks.flatMap((block) => (block.type === "call" ? [callOf(block, block.input)] : []));
  const reasoning = textIn(reply, "reasoning");
  const message = {
    role: "assistant",
    content: textIn(reply, "text") || null,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, finish_reason: finishReason(reply) }];
  return { ...baseOf(reply, request, "chat.completion"), choices, usage: usageOf(reply) };
}

/** Calls are numbered among themselves. */
const callIndex = (reply: Reply, block: CallBlock): number =>
  reply.blocks.flatMap((other) => (other.type === "call" ? [other.id] : [])).indexOf(block.id);

function deltaOf(reply: Reply, event: PlayEvent): JsonObject | undefined {
  const { block } = event;
  if (event.type === "close") return undefined;
  if (block.type === "call") {
    const index = callIndex(reply, block);
    const call = event.type === "open" ? callOf(block, "") : { function: { arguments: event.delta } };
    return { tool_calls: [{ index, ...call }] };
  }
  if (event.type === "open") return undefined;
  return block.type === "text" ? { content: event.delta } : { reasoning_content: event.delta };
}

const frame = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`;

async function* stream(
  reply: Reply,
  request: WireRequest,
  events: AsyncIterable<PlayEvent>,
): AsyncGenerator<string, void, void> {
  const base = baseOf(reply, request, "chat.completion.chunk");
  const chunk = (delta: JsonObject, finish: string | null): string =>
    frame({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  let started = false;
  for await (const event of events) {
    if (!started) yield chunk({ role: "assistant", content: "" }, null);
    started = true;
    const delta = deltaOf(reply, event);
    if (delta !== undefined) yield chunk(delta, null);
  }
  yield chunk({}, finishReason(reply));
  if (request.streamUsage) yield frame({ ...base, choices: [], usage: usageOf(reply) });
  yield "data: [DONE]\n\n";
}

/** OpenAI Chat Completions. */
export const openaiWire: Wire = {
  protocol: "openai",
  read,
  failure: ({ status, message }) => ({
    error: { message, type: errorTypes[status] ?? "server_error", param: null, code: null },
  }),
  whole,
  stream,
};
