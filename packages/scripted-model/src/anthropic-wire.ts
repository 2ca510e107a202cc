/**
 * The Anthropic Messages protocol: reads its requests, writes its responses and events.
 * Invariant: its API merges neighbouring user turns into one message, so each text part of a user message counts as
 * a message of its own, and tool results as one before or between them, in the order they have.
 */
import type { Conversation, Message, ToolResult } from "./conversation.ts";
import { type JsonObject, listOf, objectOf, parseJson, stringOf, textOf } from "./json.ts";
import type { PlayEvent } from "./play.ts";
import type { Reply, ReplyBlock } from "./player.ts";
import { propertiesOf } from "./tool-schema.ts";
import type { Wire, WireRequest } from "./wire.ts";

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** Content is a string or a list of parts; both as parts. */
const partsOf = (content: unknown): JsonObject[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(objectOf);

const joinText = (content: unknown): string =>
  partsOf(content)
    .flatMap((part) => (part["type"] === "text" ? [stringOf(part["text"])] : []))
    .join("\n");

const resultOf = (part: JsonObject): ToolResult => ({
  callId: stringOf(part["tool_use_id"]),
  text: joinText(part["content"]),
  failed: part["is_error"] === true,
});

function userMessages(content: unknown): Message[] {
  const messages: Message[] = [];
  for (const part of partsOf(content)) {
    const last = messages.at(-1);
    if (part["type"] === "tool_result") {
      const results = last?.role === "tool" ? [...last.results, resultOf(part)] : [resultOf(part)];
      if (last?.role === "tool") messages.pop();
      messages.push({ role: "tool", results });
    } else if (part["type"] === "text") {
      messages.push({ role: "user", text: stringOf(part["text"]), files: [] });
    } else {
      const type = stringOf(objectOf(part["source"])["media_type"]) || stringOf(part["type"]);
      messages.push({ role: "user", text: "", files: [type] });
    }
  }
  return messages;
}

function assistantMessage(content: unknown): Message {
  const calls = partsOf(content)
    .filter((part) => part["type"] === "tool_use")
    .map((part) => ({ id: stringOf(part["id"]), name: stringOf(part["name"]), input: textOf(part["input"]) }));
  return { role: "assistant", text: joinText(content), calls };
}

function messagesOf(value: unknown): Message[] {
  const message = objectOf(value);
  if (message["role"] === "assistant") return [assistantMessage(message["content"])];
  return message["role"] === "user" ? userMessages(message["content"]) : [];
}

function conversationOf(body: JsonObject): Conversation {
  const messages = listOf(body["messages"]);
  // Some clients send late system text as a message of that role.
  const late = messages.map(objectOf).filter((message) => message["role"] === "system");
  const noTools = objectOf(body["tool_choice"])["type"] === "none";
  return {
    system: [joinText(body["system"]), ...late.map((message) => joinText(message["content"]))].join("\n").trim(),
    messages: messages.flatMap(messagesOf),
    tools: (noTools ? [] : listOf(body["tools"]).map(objectOf)).map((tool) => ({
      name: stringOf(tool["name"]),
      properties: propertiesOf(tool["input_schema"]),
    })),
  };
}

function read(value: unknown): WireRequest {
  const body = objectOf(value);
  return {
    conversation: conversationOf(body),
    model: stringOf(body["model"]),
    stream: body["stream"] === true,
    streamUsage: true,
  };
}

const stopReason = (reply: Reply): string =>
  reply.blocks.some((block) => block.type === "call") ? "tool_use" : "end_turn";

const usageOf = (reply: Reply, output: number): JsonObject => ({
  input_tokens: reply.usage.input,
  output_tokens: output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
});

// Clients must send a signature back unread; any text will do.
const signature = "c2NyaXB0ZWQ=";

function contentOf(block: ReplyBlock): JsonObject {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "reasoning") return { type: "thinking", thinking: block.text, signature };
  // A whole response cannot hold broken JSON; the raw text in place of an object is as malformed as it gets.
  return { type: "tool_use", id: block.id, name: block.name, input: parseJson(block.input) ?? block.input };
}

function messageBody(reply: Reply, request: WireRequest, content: readonly JsonObject[], output: number): JsonObject {
  return {
    id: reply.id,
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: content.length > 0 ? stopReason(reply) : null,
    stop_sequence: null,
    usage: usageOf(reply, output),
  };
}

const frame = (event: JsonObject): string => `event: ${stringOf(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`;

function openBlock(block: ReplyBlock): JsonObject {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "reasoning") return { type: "thinking", thinking: "", signature: "" };
  return { type: "tool_use", id: block.id, name: block.name, input: {} };
}

function deltaOf(block: ReplyBlock, delta: string): JsonObject {
  if (block.type === "text") return { type: "text_delta", text: delta };
  if (block.type === "reasoning") return { type: "thinking_delta", thinking: delta };
  return { type: "input_json_delta", partial_json: delta };
}

function framesOf(event: PlayEvent): string {
  const { index, block } = event;
  if (event.type === "open") return frame({ type: "content_block_start", index, content_block: openBlock(block) });
  if (event.type === "delta") return frame({ type: "content_block_delta", index, delta: deltaOf(block, event.delta) });
  const signed = frame({ type: "content_block_delta", index, delta: { type: "signature_delta", signature } });
  return (block.type === "reasoning" ? signed : "") + frame({ type: "content_block_stop", index });
}

async function* stream(
  reply: Reply,
  request: WireRequest,
  events: AsyncIterable<PlayEvent>,
): AsyncGenerator<string, void, void> {
  let started = false;
  for await (const event of events) {
    if (!started) yield frame({ type: "message_start", message: messageBody(reply, request, [], 1) });
    started = true;
    yield framesOf(event);
  }
  const delta = { stop_reason: stopReason(reply), stop_sequence: null };
  yield frame({ type: "message_delta", delta, usage: usageOf(reply, reply.usage.output) });
  yield frame({ type: "message_stop" });
}

/** Anthropic Messages. */
export const anthropicWire: Wire = {
  protocol: "anthropic",
  read,
  failure: ({ status, message }) => ({
    type: "error",
    error: { type: errorTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error"), message },
  }),
  whole: (reply, request) => messageBody(reply, request, reply.blocks.map(contentOf), reply.usage.output),
  stream,
};
