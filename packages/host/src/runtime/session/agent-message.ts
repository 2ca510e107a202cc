/** A conversation in the words of the session runtime: what its events carry and its session files hold. Types only. */

export type TextContent = { readonly type: "text"; readonly text: string };
/** `data`: base64. */
export type ImageContent = { readonly type: "image"; readonly data: string; readonly mimeType: string };
export type ThinkingContent = { readonly type: "thinking"; readonly thinking: string };
export type ToolCallContent = {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
};
export type UserContent = string | readonly (TextContent | ImageContent)[];
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";
/** Tokens. */
export type MessageUsage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
};
/** `timestamp`: milliseconds since the epoch. */
export type UserMessage = { readonly role: "user"; readonly content: UserContent; readonly timestamp: number };
export type AssistantMessage = {
  readonly role: "assistant";
  readonly content: readonly (TextContent | ThinkingContent | ToolCallContent)[];
  readonly model: string;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  readonly usage?: MessageUsage;
  readonly timestamp: number;
};
export type ToolResultMessage = {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextContent | ImageContent)[];
  readonly details?: unknown;
  readonly isError: boolean;
  readonly timestamp: number;
};
/** What an extension said to the agent. */
export type CustomMessage = {
  readonly role: "custom";
  readonly customType: string;
  readonly content: UserContent;
  readonly display: boolean;
  readonly details?: unknown;
  readonly timestamp: number;
};
export type AgentMessage = UserMessage | AssistantMessage | ToolResultMessage | CustomMessage;
