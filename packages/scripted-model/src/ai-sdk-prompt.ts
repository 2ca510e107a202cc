/**
 * Reads an AI SDK call as a conversation. Invariant: total; parts this model has no use for are passed over.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { Conversation, Message, OfferedTool, ToolResult } from "./conversation.ts";
import { textOf } from "./json.ts";
import { propertiesOf } from "./tool-schema.ts";

const joinText = (parts: readonly { readonly type: string }[]): string =>
  parts.flatMap((part) => ("text" in part && part.type === "text" ? [textOf(part.text)] : [])).join("\n");

function outputText(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case "execution-denied":
      return output.reason ?? "denied";
    case "content":
      return joinText(output.value);
    default:
      return textOf(output.value);
  }
}

const failing = new Set(["execution-denied", "error-text", "error-json"]);

const resultOf = (part: LanguageModelV4ToolResultPart): ToolResult => ({
  callId: part.toolCallId,
  text: outputText(part.output),
  failed: failing.has(part.output.type),
});

function messageOf(message: LanguageModelV4Message): Message[] {
  switch (message.role) {
    case "system":
      return [];
    case "user": {
      const files = message.content.flatMap((part) => (part.type === "file" ? [part.mediaType] : []));
      return [{ role: "user", text: joinText(message.content), files }];
    }
    case "assistant": {
      const calls = message.content.flatMap((part) =>
        part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, input: textOf(part.input) }] : [],
      );
      return [{ role: "assistant", text: joinText(message.content), calls }];
    }
    case "tool": {
      const results = message.content.flatMap((part) => (part.type === "tool-result" ? [resultOf(part)] : []));
      return [{ role: "tool", results }];
    }
  }
}

const offered = (tool: LanguageModelV4FunctionTool): OfferedTool => ({
  name: tool.name,
  properties: propertiesOf(tool.inputSchema),
});

/** The conversation of a call. With tool choice `none` no tool is offered. */
export function conversationOfCall(call: LanguageModelV4CallOptions): Conversation {
  const tools = call.toolChoice?.type === "none" ? [] : (call.tools ?? []);
  return {
    system: call.prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n"),
    messages: call.prompt.flatMap(messageOf),
    tools: tools.flatMap((tool) => (tool.type === "function" ? [offered(tool)] : [])),
  };
}
