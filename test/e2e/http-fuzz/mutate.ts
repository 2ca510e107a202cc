/** Requests that are a little wrong: in a value, in the text of the body, in the address, in a header. */
import type { Random } from "./random.ts";

export type Draft = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  /** Address, method and headers are as the route wants them. */
  readonly isPlain: boolean;
};

const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  "",
  "\u0000",
  "\ud800",
  "a\u2028b",
  "../../../etc/passwd",
  "x".repeat(70_000),
  [],
  {},
  [[[[[[]]]]]],
  { type: "text" },
  { __proto__: null, constructor: { prototype: {} } },
];
/** A value somewhere in it is another one, is missing, is there twice, or has an odd name. */
export function mutateValue(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random.chance(25)) return random.of(oddValues);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(40)) return [...value, ...value, random.of(oddValues)];
    return value.with(random.below(value.length), random.of(oddValues));
  }
  const entries = Object.entries(value);
  const entry = random.of(entries);
  if (entry === undefined) return { [random.of(oddNames)]: random.of(oddValues) };
  const [name, inner] = entry;
  const rest = entries.filter(([other]) => other !== name);
  if (random.chance(25)) return Object.fromEntries(rest);
  if (random.chance(20)) return Object.fromEntries([...entries, [random.of(oddNames), inner]]);
  return Object.fromEntries([...rest, [name, mutateValue(random, inner)]]);
}
const oddNames = ["__proto__", "constructor", "toString", "", "a/b~c", "\ud800", "length", "0"] as const;

/** The text of a body with some of it changed: seldom JSON after that. */
export function mutateText(random: Random, text: string): string | Uint8Array {
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.of(['"', "}", "{", ",", "\\", "\u0000", "\\ud800", "1e999"]) + text.slice(at);
    case 2:
      return `${"[".repeat(5_000)}${text}${"]".repeat(5_000)}`;
    case 3:
      return `${text}${text}`;
    case 4:
      return `\uFEFF${text}`;
    default: {
      const bytes = Buffer.from(text === "" ? "{}" : text);
      bytes[random.below(bytes.length)] = random.below(256);
      return new Uint8Array(bytes);
    }
  }
}
const oddHeaders: readonly (readonly [string, string])[] = [
  ["authorization", "Bearer wrong-token-of-the-fuzz"],
  ["authorization", "Basic eDp5"],
  ["content-type", "text/plain"],
  ["content-type", "application/json; charset=latin1"],
  ["content-type", "multipart/form-data"],
  ["origin", "https://evil.example"],
  ["origin", "null"],
  ["host", "rebound.example"],
  ["sec-fetch-site", "cross-site"],
  ["idempotency-key", "\u00e4 b"],
  ["idempotency-key", "again"],
  ["last-event-id", "nonsense"],
  ["content-length", "999999999"],
  ["cookie", "mooring-=; =;;"],
];
export function mutateAround(random: Random, draft: Draft): void {
  switch (random.below(4)) {
    case 0: {
      const [name, value] = random.of(oddHeaders) ?? ["x", "y"];
      draft.headers[name] = value;
      break;
    }
    case 1:
      draft.path += random.of(["/", "/x", "?limit=-1", "?after=%00", "&q=%F0%9F", "%2f..", "?a=b&a=c", "#x"]);
      break;
    case 2:
      draft.path = draft.path.replace(
        /[^/]+$/,
        (last) => random.of([last.slice(0, -1), `${last}0`, "%", "%00", "..%2f..", "%ED%A0%80"]) || "x",
      );
      break;
    default:
      draft.method = random.of(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
  }
}
