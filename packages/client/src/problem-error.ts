/**
 * What a call can end with: the server's own word on it (RFC 9457), or none at all. `code` is stable and the same as
 * that of the embedded host's errors; `retry` says what a caller may do.
 */

export type Retry = "never" | "later" | "now";

type ProblemFacts = {
  readonly code: string;
  /** Of HTTP; 0: nothing answered. */
  readonly status: number;
  readonly retry: Retry;
  /** Ms the server asks to wait before another try; null: it did not say. */
  readonly retryAfterMs: number | null;
  /** Ids, fields, limits. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};

const marker = Symbol.for("mooring.problem");

export class ProblemError extends Error {
  readonly [marker] = true;
  readonly code: string;
  readonly status: number;
  readonly retry: Retry;
  readonly retryAfterMs: number | null;
  readonly detail: Readonly<Record<string, unknown>>;

  /** `message`: for people. */
  constructor(message: string, { code, status, retry, retryAfterMs, detail, cause }: ProblemFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ProblemError";
    this.code = code;
    this.status = status;
    this.retry = retry;
    this.retryAfterMs = retryAfterMs;
    this.detail = detail;
  }
  /** Survives two copies of the package. */
  static isInstance(value: unknown): value is ProblemError {
    return typeof value === "object" && value !== null && marker in value;
  }
}

/** The server could not be reached, or the connection broke. */
export function noConnection(url: string, cause: unknown): ProblemError {
  const why = cause instanceof Error ? innermost(cause).message : String(cause);
  return new ProblemError(`${new URL(url).origin} does not answer (${why}).`, {
    code: "no-connection",
    status: 0,
    retry: "later",
    retryAfterMs: null,
    detail: {},
    cause,
  });
}
/** Node says only "fetch failed"; what failed is its cause. */
const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error);

/** An answer that a Mooring server does not give: another server, or a proxy in between. */
export function badResponse({ url, status }: Pick<Response, "url" | "status">, what: string): ProblemError {
  return new ProblemError(`${url || "The server"} answered with ${what}: is it a Mooring server?`, {
    code: "bad-response",
    status,
    retry: "never",
    retryAfterMs: null,
    detail: {},
  });
}
