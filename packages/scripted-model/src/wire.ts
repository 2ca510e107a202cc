/** What an HTTP protocol must be able to do; the server knows nothing else about the two it speaks. */
import type { Conversation } from "./conversation.ts";
import type { PlayEvent } from "./play.ts";
import type { FailedReply, Reply } from "./player.ts";

export interface WireRequest {
  readonly conversation: Conversation;
  readonly model: string;
  readonly stream: boolean;
  /** The client wants the usage figures at the end of a stream. */
  readonly streamUsage: boolean;
}

export interface Wire {
  readonly protocol: "anthropic" | "openai";
  /** Reads a request body. Total: what is missing or odd counts as empty. */
  read(body: unknown): WireRequest;
  /** The body of an error response. */
  failure(reply: Pick<FailedReply, "status" | "message">): unknown;
  /** The body of a response that is not streamed. */
  whole(reply: Reply, request: WireRequest): unknown;
  /** The server-sent events of a streamed response. Nothing comes before the first event of the reply. */
  stream(reply: Reply, request: WireRequest, events: AsyncIterable<PlayEvent>): AsyncGenerator<string, void, void>;
}
