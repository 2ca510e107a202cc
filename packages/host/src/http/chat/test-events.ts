/** A session's events for tests of projections: what they leave out does not matter there. */
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { SessionEvent, StoredMessage } from "../../protocol/events.ts";
import type { InputState, Outcome } from "../../protocol/input.ts";
import type { Frame } from "./chat-frames.ts";
import type { ChatResponse, Told } from "./response.ts";

const sessionId = "ses_1";
type Event = SessionEvent;

export const accepted = (inputId: string): Event => ({
  type: "input.accepted",
  sessionId,
  inputId,
  parts: [],
  author: null,
});
export const changed = (inputId: string, state: InputState, turnId?: string): Event => ({
  type: "input.changed",
  sessionId,
  inputId,
  state,
  ...(turnId === undefined ? {} : { turnId }),
});
export const order = (...ids: string[]): Event => ({ type: "queue.changed", sessionId, order: ids });
export const started = (turnId: string, inputId?: string): Event => ({
  type: "turn.started",
  sessionId,
  turnId,
  origin: inputId === undefined ? "agent" : "user",
  ...(inputId === undefined ? {} : { inputId }),
});
export const opened = (messageId: string, turnId: string): Event => ({
  type: "message.opened",
  sessionId,
  messageId,
  turnId,
  role: "assistant",
  parentId: null,
});
export const flowOpened = (messageId: string, turnId: string): Event => ({
  type: "message.opened",
  sessionId,
  messageId,
  turnId,
  role: "assistant",
  parentId: null,
  flow: { toolCallId: "c1" },
});
export const chunk = (messageId: string, said: UIMessageChunk): Event => ({
  type: "chunk",
  sessionId,
  messageId,
  chunk: said,
});
export const delta = (messageId: string, text: string): Event =>
  chunk(messageId, { type: "text-delta", id: "0", delta: text });
export const call = (messageId: string, toolCallId: string): Event =>
  chunk(messageId, { type: "tool-input-available", toolCallId, toolName: "bash", input: {} });
export const output = (messageId: string, toolCallId: string): Event =>
  chunk(messageId, { type: "tool-output-available", toolCallId, output: 1 });
export const asked = (messageId: string, approvalId: string, toolCallId: string): Event => ({
  type: "approval.requested",
  sessionId,
  approvalId,
  messageId,
  toolCallId,
  toolName: "bash",
  input: {},
  durable: true,
});
export const decided = (approvalId: string): Event => ({
  type: "approval.closed",
  sessionId,
  approvalId,
  how: "allow",
  answer: null,
});
export const rests = (turnId: string): Event => ({ type: "turn.waiting", sessionId, turnId });
export const resumes = (turnId: string): Event => ({ type: "turn.resumed", sessionId, turnId });
export const closed = (messageId: string, status: Outcome = "completed"): Event => ({
  type: "message.closed",
  sessionId,
  messageId,
  message: { id: messageId, role: "assistant", status } as StoredMessage,
});
export const dropped = (messageId: string): Event => ({ type: "message.dropped", sessionId, messageId });
export const settled = (turnId: string, outcome: Outcome = "completed", message?: string): Event => ({
  type: "turn.settled",
  sessionId,
  turnId,
  outcome,
  ...(message === undefined ? {} : { error: { code: "x", message } }),
  usage: { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
  durationMs: 0,
});

export const cursorOf = (seq: number): string => `store0000.1.${seq}`;
export const told = (events: readonly Event[], first = 1): Told[] =>
  events.map((event, at) => ({ cursor: cursorOf(first + at), seq: first + at, event }));

/** What a response tells, one word for each chunk. */
export const codeOf = ({ chunk: said }: Frame): string => {
  switch (said.type) {
    case "start":
      return `start:${said.messageId}`;
    case "text-delta":
      return said.delta;
    case "tool-input-available":
    case "tool-output-available":
    case "tool-output-error":
    case "tool-output-denied":
    case "tool-approval-request":
      return `${said.type.slice(5)}:${said.toolCallId}`;
    case "data-input":
    case "data-continue":
      return `${said.type}:${Object.values(said.data as object).join("/")}`;
    case "error":
      return `error:${said.errorText}`;
    case "abort":
      return `abort:${said.reason}`;
    default:
      return said.type;
  }
};
export const tell = (response: ChatResponse, events: readonly Told[]): string[] =>
  [...response.begin(), ...events.flatMap((event) => (response.isOver ? [] : response.take(event)))].map(codeOf);
