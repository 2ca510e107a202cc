/**
 * What happens to a written file before it is read: the versions the package wrote before 3, a line that was cut by a
 * crash, a call whose result never came, kinds of entries that come later. Pure: text in, text out.
 */
import type { Json } from "./pi-package.ts";
import type { Story } from "./stories.ts";

export function aged(text: string, as: Story["as"]): string {
  const lines = text.trimEnd().split("\n");
  switch (as) {
    case "version-1":
      return joined(versionOne(lines.map(parsed)));
    case "version-2":
      return joined(lines.map(parsed).map(versionTwo));
    case "cut":
      return `${text}${lines.at(-1)?.slice(0, -9)}`;
    case "mid-tool":
      return upToCall(lines);
    case "from-the-future":
      return withUnknown(lines);
    default:
      return text;
  }
}
const parsed = (line: string): Json => JSON.parse(line);
const joined = (values: readonly Json[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const isHeader = ({ type }: Json): boolean => type === "session";

/** A plain list without ids; the first entry a compaction kept is named by its line. */
function versionOne(values: readonly Json[]): readonly Json[] {
  const lineOf = new Map(values.map(({ id }, index) => [id, index]));
  return values.map((value) => {
    if (isHeader(value)) return without(value, ["version"]);
    const bare = without(value, ["id", "parentId", "firstKeptEntryId"]);
    const kept = lineOf.get(value["firstKeptEntryId"]);
    return kept === undefined ? bare : { ...bare, firstKeptEntryIndex: kept };
  });
}
const without = (value: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

/** An extension's message had another role. */
function versionTwo(value: Json): Json {
  if (isHeader(value)) return { ...value, version: 2 };
  const { message } = value;
  const isCustom = Object(message).role === "custom";
  return isCustom ? { ...value, message: { ...Object(message), role: "hookMessage" } } : value;
}
function upToCall(lines: readonly string[]): string {
  const call = lines.findLastIndex((line) => line.includes('"stopReason":"toolUse"'));
  return lines
    .slice(0, call + 1)
    .map((line) => `${line}\n`)
    .join("");
}
/** Written as no writer of today writes it: odd spaces, odd order, numbers as they came. */
function withUnknown(lines: readonly string[]): string {
  const lastId = String(parsed(lines.at(-1) ?? "{}")["id"]);
  const [header = "", first = "", ...rest] = lines;
  const firstId = String(parsed(first)["id"]);
  const beside = `{ "parentId": "${firstId}" , "id":"beside01", "odd" : 1.50, "type":"hologram","at":[ ] }`;
  const behind = `{"type":"verdict", "id":"behind01","parentId":"${lastId}","timestamp":"2031-01-01T00:00:00.000Z","n":1e3}`;
  return `${[header, first, beside, ...rest, behind].join("\n")}\n`;
}
