/** What tells one body from another. */
import { createHash } from "node:crypto";
import type { Part } from "../../protocol/input.ts";

/** Of parts, whatever the order of the keys in them. */
export const hashOf = (parts: readonly Part[]): string =>
  createHash("sha256")
    .update(JSON.stringify(parts, (_, value: unknown) => (isRecord(value) ? sorted(value) : value)))
    .digest("hex");
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const sorted = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
