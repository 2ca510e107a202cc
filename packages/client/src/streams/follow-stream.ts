/**
 * A stream that comes back by itself. Invariants: it goes on after the last event it gave, so each comes once; it waits
 * as long as the server asks, and longer each time nothing came; it ends with its signal, and fails only with what no
 * further try mends.
 */

import type { StreamLimits } from "../limits.ts";
import { badResponse, noConnection, ProblemError } from "../problem-error.ts";
import { readProblem } from "../read-problem.ts";
import { readStream } from "./read-stream.ts";

/** `id`: the place after it; null: it has none. */
export type SentEvent = { readonly id: string | null; readonly data: unknown };
export type StreamSource = {
  readonly url: string;
  /** `after`: the place to go on from; null: the beginning of the stream. Rejects when nothing answers. */
  open(after: string | null, signal: AbortSignal): Promise<Response>;
};
export type StreamPorts = {
  readonly limits: StreamLimits;
  /** Calls once, `ms` from now; the returned function takes that back. */
  after(ms: number, call: () => void): () => void;
  /** From 0 to 1: keeps clients that lost the same server from coming back at the same moment. */
  random(): number;
};

/**
 * `problem`: null when the stream just ended. `attempts`: those in a row that brought nothing, this one included.
 * `waitMs`: until the next.
 */
export type Loss = { readonly problem: ProblemError | null; readonly attempts: number; readonly waitMs: number };
export type Following = {
  readonly after: string | null;
  readonly signal: AbortSignal;
  /** Hears of each loss, before the wait for the next try. */
  readonly onLost?: (loss: Loss) => void;
};

export async function* followStream(
  source: StreamSource,
  { after, signal, onLost = () => {} }: Following,
  ports: StreamPorts,
): AsyncGenerator<SentEvent, void, undefined> {
  const pace = new Pace(ports);
  let place = after;
  while (!signal.aborted) {
    try {
      for await (const event of attempt(source, { after: place, signal }, ports, pace)) {
        place = event.id ?? place;
        yield event;
      }
      onLost(pace.lost(null));
    } catch (cause) {
      if (signal.aborted) return;
      if (!ProblemError.isInstance(cause) || isFinal(cause)) throw cause;
      onLost(pace.lost(cause));
    }
    await wait(pace.waitMs, signal, ports);
  }
}

/** The request itself is wrong, or what answers is no event stream. A server that fails may do better later. */
const isFinal = ({ status, retry }: ProblemError): boolean => retry === "never" && status > 0 && status < 500;

/** One connection, from its request to its end. Rejects with a `ProblemError`. */
async function* attempt(
  { url, open }: StreamSource,
  { after, signal }: { readonly after: string | null; readonly signal: AbortSignal },
  ports: StreamPorts,
  pace: Pace,
): AsyncGenerator<SentEvent> {
  const connection = new AbortController();
  const give = (): void => connection.abort();
  signal.addEventListener("abort", give);
  const within = guard(ports, connection);
  try {
    const response = await within(ports.limits.openMs, () => open(after, connection.signal));
    const body = await bodyOf(response);
    const messages = readStream(body, {
      eventChars: ports.limits.eventChars,
      signal: connection.signal,
      guard: (read) => within(ports.limits.silenceMs, read),
      alive: () => pace.alive(),
      retry: (ms) => pace.asked(ms),
    });
    for await (const { id, data } of messages) yield { id: id ?? null, data: parsed(data, response) };
  } catch (cause) {
    throw ProblemError.isInstance(cause) ? cause : noConnection(url, cause);
  } finally {
    signal.removeEventListener("abort", give);
    connection.abort();
  }
}

type Within = <T>(ms: number, work: () => Promise<T>) => Promise<T>;
/** Breaks the connection when a piece of work on it takes too long; the work then rejects. */
function guard(ports: StreamPorts, connection: AbortController): Within {
  return async (ms, work) => {
    const disarm = ports.after(ms, () => connection.abort(new Error(`nothing came for ${ms} ms`)));
    try {
      return await work();
    } finally {
      disarm();
    }
  };
}

async function bodyOf(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (!response.ok) throw await readProblem(response);
  const type = response.headers.get("content-type") ?? "no content type";
  if (response.body !== null && type.startsWith("text/event-stream")) return response.body;
  await response.body?.cancel();
  throw badResponse(response, type);
}

function parsed(data: string, response: Response): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw badResponse(response, "an event that is not JSON");
  }
}

/** How long to wait before the next try. */
class Pace {
  readonly #ports: StreamPorts;
  #retryMs: number;
  #fruitless = 0;
  #waitMs = 0;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#retryMs = ports.limits.retryMs;
  }
  /** The server named the wait of its stream. */
  asked(ms: number): void {
    this.#retryMs = Math.min(ms, this.#ports.limits.retryMostMs);
  }
  alive(): void {
    this.#fruitless = 0;
  }
  get waitMs(): number {
    return this.#waitMs;
  }
  lost(problem: ProblemError | null): Loss {
    const { limits, random } = this.#ports;
    const asked = Math.min(problem?.retryAfterMs ?? 0, limits.retryAfterMs);
    const grown = this.#retryMs * 2 ** this.#fruitless++;
    const most = Math.max(limits.backoffMs, this.#retryMs);
    this.#waitMs = Math.max(Math.min(grown, most), asked) * (1 + random() / 4);
    return { problem, attempts: this.#fruitless, waitMs: this.#waitMs };
  }
}

/** Resolves early when the signal ends it. */
function wait(ms: number, signal: AbortSignal, ports: StreamPorts): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = (): void => {
      disarm();
      signal.removeEventListener("abort", over);
      resolve();
    };
    const disarm = ports.after(ms, over);
    signal.addEventListener("abort", over);
  });
}
