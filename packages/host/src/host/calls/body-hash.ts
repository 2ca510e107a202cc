/** A hash of what a client sent that does not depend on the order of keys: equal for a repeat, different for an edit. */
import { createHash } from "node:crypto";

export const hashOf = (body: unknown): string => createHash("sha256").update(stableJson(body)).digest("hex");

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isPlain(inner) ? sorted(inner) : inner)) ?? "null";
}
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const sorted = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
