/**
 * One answer of server-sent events, read at the pace of whoever takes them. Invariants: an event comes whole or not at
 * all; whenever reading stops, the connection is given up; nothing is kept but what one read brought.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ProblemError } from "../problem-error.ts";

export type StreamReading = {
  /** Characters of an event that is not whole yet. */
  readonly eventChars: number;
  /** Ends it: not every fetch ends a body with its request's signal. */
  readonly signal: AbortSignal;
  /** Runs `read` with a limit on its silence. */
  guard<T>(read: () => Promise<T>): Promise<T>;
  /** Anything came: an event, or a comment that says the other side is there. */
  alive(): void;
  /** Ms the server asks to wait before the stream is opened again. */
  retry(ms: number): void;
};

export async function* readStream(
  body: ReadableStream<Uint8Array>,
  { eventChars, signal, guard, alive, retry }: StreamReading,
): AsyncGenerator<EventSourceMessage> {
  const arrived: EventSourceMessage[] = [];
  let failure: ProblemError | null = null;
  const parser = createParser({
    maxBufferSize: eventChars,
    onEvent: (message) => arrived.push(message),
    onComment: alive,
    onRetry: retry,
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") failure = tooLarge(eventChars);
    },
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const end = (): void => void reader.cancel().catch(() => {}); // it broke already
  signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      const { done, value } = await guard(() => reader.read());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const message of arrived.splice(0)) {
        alive();
        yield message;
      }
      if (failure !== null) throw failure;
    }
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

const tooLarge = (eventChars: number): ProblemError =>
  new ProblemError(`An event has more than ${eventChars} characters.`, {
    code: "event-too-large",
    status: 200,
    retry: "never",
    retryAfterMs: null,
    detail: { eventChars },
  });
