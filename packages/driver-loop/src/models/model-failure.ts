/**
 * What a failed model request means: a stable code, the provider's own words, and whether to try again. Invariant:
 * total; any thrown value gets an answer.
 */
import { MooringError } from "@mooring/host/driver";
import { APICallError, LoadAPIKeyError } from "ai";

type Retry = MooringError["retry"];
export type ModelFailure = {
  /**
   * `auth`, `rate-limited`, `overloaded`, `context-overflow`, `model-unreachable`, `model-error`, or that of the
   * `MooringError` it is.
   */
  readonly code: string;
  readonly message: string;
  readonly retry: Retry;
  /** HTTP status, if there was one. */
  readonly status: number | null;
  /** The same request may succeed in a moment. */
  readonly isPassing: boolean;
  /** What `retry-after` asked for. */
  readonly retryAfterMs: number | null;
};

/** The connection broke before the answer was complete. */
export const cutAnswer = (): MooringError =>
  new MooringError("model-unreachable", "The connection ended before the model's answer was complete.", {
    retry: "now",
  });

/** `now`: wall time in ms, for a `retry-after` given as a date. */
export function modelFailure(error: unknown, now: number): ModelFailure {
  const facts = factsOf(error);
  const code = codeOf(error, facts);
  return {
    code,
    message: messageOf(error, facts),
    retry: MooringError.isInstance(error) ? error.retry : retryOf(code),
    status: facts.status,
    isPassing: code !== "context-overflow" && facts.isPassing,
    retryAfterMs: retryAfter(facts.headers, now),
  };
}

type Facts = {
  readonly status: number | null;
  readonly isPassing: boolean;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};

function factsOf(error: unknown): Facts {
  if (APICallError.isInstance(error)) {
    const { statusCode, isRetryable, message, responseBody, responseHeaders, cause } = error;
    // An answer that began well and broke off says 200 and blames the reader.
    if (statusCode !== undefined && isNetwork(cause)) return factsOf(cutAnswer());
    const text = message === "" ? (responseBody ?? "") : message;
    return { status: statusCode ?? null, isPassing: isRetryable, text, headers: responseHeaders ?? {} };
  }
  if (MooringError.isInstance(error)) {
    return { status: null, isPassing: error.code === "model-unreachable", text: error.message, headers: {} };
  }
  return streamFacts(error);
}

/** Errors inside a stream are not `APICallError`s: providers send an object, the network an `Error`. */
function streamFacts(error: unknown): Facts {
  if (typeof error !== "object" || error === null) {
    return { status: null, isPassing: false, text: String(error), headers: {} };
  }
  const { message, statusCode, isRetryable } = error as Readonly<Record<string, unknown>>;
  return {
    status: typeof statusCode === "number" ? statusCode : null,
    isPassing: typeof isRetryable === "boolean" ? isRetryable : isNetwork(error),
    text: typeof message === "string" ? message : JSON.stringify(error),
    headers: {},
  };
}

const networkCodes = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|UND_ERR_)/;
const isNetwork = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false;
  if (error instanceof TypeError && /terminated|fetch failed|network/i.test(error.message)) return true;
  return "code" in error && networkCodes.test(String(error.code));
};

// The wording of the providers; none has one code for it.
const overflow =
  /prompt is too long|context.?length|context window|maximum context|too many (input )?tokens|input (token count|is too long).*|exceeds? (the )?(model'?s? )?max(imum)? (input|token|context)|request_too_large/i;

function codeOf(error: unknown, { status, isPassing, text }: Facts): string {
  if (MooringError.isInstance(error)) return error.code;
  if (LoadAPIKeyError.isInstance(error) || status === 401 || status === 403) return "auth";
  if (status === 413 || (status !== 429 && overflow.test(text))) return "context-overflow";
  if (status === 429) return "rate-limited";
  if (status === 503 || status === 529) return "overloaded";
  return status === null && isPassing ? "model-unreachable" : "model-error";
}

function retryOf(code: string): Retry {
  if (code === "rate-limited" || code === "overloaded") return "later";
  return code === "model-unreachable" ? "now" : "never";
}

function messageOf(error: unknown, { text, status }: Facts): string {
  if (text !== "") return text;
  if (status !== null) return `The model's provider answered with status ${status}.`;
  return error instanceof Error ? error.name : "The model request failed.";
}

function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const precise = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (precise >= 0) return precise;
  const value = headers["retry-after"];
  if (value === undefined) return null;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1_000;
  return ms >= 0 ? ms : null;
}
