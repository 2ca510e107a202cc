/** What a response is to the one who writes it, and the frames every kind of response has. Pure. */
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { SessionEvent } from "../../protocol/events.ts";
import type { InputId, MessageId, Seq, SessionId, TurnId } from "../../protocol/ids.ts";
import type { Frame } from "./chat-frames.ts";

export type Told = { readonly cursor: string; readonly seq: Seq; readonly event: SessionEvent };
type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

/** A projection of a session's events. Its frames depend on the events alone, whenever they come. */
export interface ChatResponse {
  /** Before any event. */
  begin(): readonly Frame[];
  take(told: Told): readonly Frame[];
  /** Nothing more will come: the stream ends. */
  readonly isOver: boolean;
  /** No message is open that it could carry: it may be left waiting only so long. */
  readonly isWaiting: boolean;
  /** All it shows that is not over is a question: it may `pause`, unless more questions come at once. */
  readonly mayPause: boolean;
  /** Ends it for a person to answer. */
  pause(): readonly Frame[];
  /** It has to be read again from this cursor on; null: it has not. */
  readonly again: string | null;
}

export type MessageMetadata = {
  readonly sessionId: SessionId;
  readonly turnId?: TurnId;
  readonly inputId?: InputId;
  /** How far the client has the message: an answer to its questions goes on from there. */
  readonly cursor?: string;
};
export const startOf = (messageId: MessageId, messageMetadata: MessageMetadata): UIMessageChunk => ({
  type: "start",
  messageId,
  messageMetadata,
});
export const finish: UIMessageChunk = { type: "finish", finishReason: "stop" };
/** With a question goes how far the message is shown, should the response break off. */
export const withPlace = (chunks: readonly UIMessageChunk[], cursor: string): readonly UIMessageChunk[] =>
  chunks.length === 0 ? chunks : [...chunks, { type: "message-metadata", messageMetadata: { cursor } }];
export const pauseAt = (cursor: string): readonly UIMessageChunk[] => [
  { type: "finish-step" },
  { type: "finish", finishReason: "tool-calls", messageMetadata: { cursor } },
];
/** How a turn's end is told. */
export function endOf({ outcome, error }: Pick<Of<"turn.settled">, "outcome" | "error">): UIMessageChunk {
  switch (outcome) {
    case "completed":
      return finish;
    case "failed":
      return { type: "error", errorText: error?.message ?? "The turn failed." };
    case "stopped":
      return { type: "abort", reason: "stopped" };
    case "interrupted":
      return { type: "abort", reason: error?.message ?? "interrupted" };
  }
}

/** The turn goes on with another message. */
export function opensIn(event: SessionEvent, turnId: TurnId): event is Of<"message.opened"> {
  return event.type === "message.opened" && event.turnId === turnId && event.flow === undefined;
}
