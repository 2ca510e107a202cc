/**
 * The conversation as every protocol means it: what the wire adapters produce and the planner reads.
 * Invariants: plain data, safe to log as JSON; `text` is what the client sent, untouched.
 */

/** A tool call the assistant made. `input` is the JSON text of its arguments. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

export interface ToolResult {
  readonly callId: string;
  readonly text: string;
  /** The client marked it as an error or as denied. */
  readonly failed: boolean;
}

export type Message =
  | {
      readonly role: "user";
      readonly text: string;
      /** Media types of attachments. */
      readonly files: readonly string[];
    }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

/** A tool the client offers. `properties` maps argument names to their JSON type, `"unknown"` when not said. */
export interface OfferedTool {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface Conversation {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
}

/** A user message that a person wrote. `at` is its index in the messages. */
export interface Prompt {
  readonly at: number;
  readonly text: string;
}

const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
// Coding agents write this line into the user's turn after an interrupt; nobody typed it.
const interruptMark = /^\s*\[Request interrupted by user[^\]\n]*\]\s*$/gm;

/** The part of a user text that a person wrote. */
const humanText = (text: string): string => text.replace(reminder, "").replace(interruptMark, "").trim();

/** The messages a person wrote, oldest first; messages that hold only agent-made text are left out. */
export function promptsOf(messages: readonly Message[]): Prompt[] {
  return messages.flatMap((message, at) => {
    const text = message.role === "user" ? humanText(message.text) : "";
    return text === "" ? [] : [{ at, text }];
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

function messageChars(message: Message): number {
  if (message.role === "tool") return sum(message.results.map((result) => result.text.length));
  if (message.role === "user") return message.text.length;
  return message.text.length + sum(message.calls.map((call) => call.name.length + call.input.length));
}

/** Characters of the whole prompt: system text and messages, not the tool definitions. */
export const promptChars = (conversation: Conversation): number =>
  conversation.system.length + sum(conversation.messages.map(messageChars));

/** The made-up tokenizer: four characters are one token. */
export const tokensFor = (chars: number): number => Math.ceil(chars / 4);
