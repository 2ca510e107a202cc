/** Careful reading of JSON that somebody else wrote. Invariant: nothing here throws. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one when it is anything else. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** The value as a list; an empty one when it is anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value when it is a string, else `""`. */
export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The parsed value, or `undefined` when the text is not JSON (no JSON text parses to `undefined`). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Strings as they are, everything else as JSON text. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value ?? null) ?? "null");
