/** Typed errors. `code` is stable; `retry` says what a caller may do; `isInstance` survives two copies of the package. */

export type RefusedCode = "lease-lost" | "full" | "io" | "busy" | "corrupt" | "closed" | "constraint";
const marker = Symbol.for("mooring.error");
export type Retry = "never" | "later" | "now";

export class MooringError extends Error {
  readonly [marker] = true;
  readonly code: string;
  readonly retry: Retry;
  /** Extra facts for a problem document: ids, fields, limits. Never secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
  constructor(
    code: string,
    message: string,
    options: {
      readonly retry?: Retry;
      readonly detail?: Readonly<Record<string, unknown>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MooringError";
    this.code = code;
    this.retry = options.retry ?? "never";
    this.detail = options.detail ?? {};
  }
  static isInstance(value: unknown): value is MooringError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
/** The native session cannot be continued; what happens next is the agent's policy, never a silent fresh start. */
export class ResumeFailed extends MooringError {
  constructor(why: "missing" | "damaged" | "refused", message: string, cause?: unknown) {
    super("resume-failed", message, { detail: { why }, cause });
    this.name = "ResumeFailed";
  }
}
/** A message for people from anything that was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
/** The code of a thrown value; `fallback` when it has none. */
export const codeOf = (cause: unknown, fallback: string): string =>
  MooringError.isInstance(cause) ? cause.code : fallback;
/** The store said no; nothing of that write is stored. */
export class StoreRefused extends MooringError {
  constructor(code: RefusedCode, message: string, cause?: unknown) {
    super(code, message, { retry: code === "full" || code === "io" || code === "busy" ? "later" : "never", cause });
    this.name = "StoreRefused";
  }
}
