/** What went wrong in SQLite, as the port's codes. */
import { messageOf, type RefusedCode, StoreRefused } from "../../protocol/errors.ts";

/** A write that contradicts what is stored. Ends that write alone. */
export class RuleBroken extends StoreRefused {
  constructor(message: string) {
    super("constraint", message);
    this.name = "RuleBroken";
  }
}

/** Primary result codes of SQLite that mean something here. */
export const resultCodes = {
  busy: 5,
  locked: 6,
  corrupt: 11,
  full: 13,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const;
const refusals = new Map<number | null, RefusedCode>([
  [resultCodes.busy, "busy"],
  [resultCodes.locked, "busy"],
  [resultCodes.corrupt, "corrupt"],
  [resultCodes.notADatabase, "corrupt"],
  [resultCodes.full, "full"],
  [resultCodes.tooBig, "constraint"],
  [resultCodes.constraint, "constraint"],
  [resultCodes.mismatch, "constraint"],
]);

/** SQLite's primary result code; null: the error is not SQLite's. */
export function resultCode(cause: unknown): number | null {
  if (typeof cause !== "object" || cause === null || !("errcode" in cause)) return null;
  return typeof cause.errcode === "number" ? cause.errcode & 0xff : null;
}

/** Whatever is not known counts as the disk's fault: `io`. */
export function asRefused(cause: unknown): StoreRefused {
  if (cause instanceof StoreRefused) return cause;
  const code = resultCode(cause);
  const source = code === null ? "" : "SQLite: ";
  return new StoreRefused(refusals.get(code) ?? "io", `${source}${messageOf(cause)}`, cause);
}
