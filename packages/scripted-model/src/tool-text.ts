/**
 * Reads what file tools answered, whatever their format: plain lines, bullet lists or JSON.
 * Invariants: never throws; nothing here knows the file system.
 */
import type { ToolResult } from "./conversation.ts";
import { objectOf, parseJson } from "./json.ts";

const textFile =
  /(^|[/\\])(readme|license|makefile|dockerfile)[^/\\]*$|\.(md|txt|json|ya?ml|toml|ts|tsx|js|mjs|py|rs|go|java|c|h|css|html|sh|csv)$/i;
const notText =
  /\.(png|jpe?g|gif|webp|ico|pdf|zip|t?gz|tar|exe|dll|so|bin|wasm|mp[34]|mov|woff2?|ttf|db|sqlite|key|pem|p12)$/i;
const refusal =
  /^\s*(error\b|denied\b|permission denied|tool call execution denied|not allowed|the user (denied|refused))/i;
const maxLine = 120;

/** Whether a result is an error or a refusal. Some protocols cannot mark it, so the text counts too. */
export const wentWrong = (result: ToolResult): boolean => result.failed || refusal.test(result.text);

function namesInJson(value: unknown): string[] {
  if (typeof value === "string") return value.split(/\r?\n/);
  if (Array.isArray(value)) return value.flatMap(namesInJson);
  const object = objectOf(value);
  const name = object["name"] ?? object["path"];
  if (typeof name === "string") return [object["type"] === "directory" ? `${name}/` : name];
  return Object.values(object)
    .filter((inner) => Array.isArray(inner) || typeof inner === "string")
    .flatMap(namesInJson);
}

/** The entries of a folder listing, in its order; folders keep their closing slash. */
export function listedNames(listing: string): string[] {
  const json = parseJson(listing);
  const lines = typeof json === "object" && json !== null ? namesInJson(json) : listing.split(/\r?\n/);
  const names = lines.map((line) => line.replace(/^\s*[-*•]\s+/, "").trim());
  // Remarks of the tool itself, such as "(empty)" or "[12 more]", are no entries.
  return names.filter((name) => name !== "" && name !== "." && !/^(\(.*\)|\[.*\])$/.test(name));
}

/** The file of a listing that is nicest to read: the read-me, the package file, else the first text file. */
export function textFileIn(names: readonly string[]): string | undefined {
  // Hidden files are left alone: they are where keys live.
  const files = names.filter((name) => !/[/\\@]$/.test(name) && !/(^|[/\\])\./.test(name));
  return (
    files.find((name) => /^readme(\.\w+)?$/i.test(name)) ??
    files.find((name) => name === "package.json") ??
    files.find((name) => textFile.test(name)) ??
    files.find((name) => !notText.test(name))
  );
}

/** The first line with words in what a read tool answered, without line numbers, cut to 120 characters. */
export function firstLineOf(result: string): string {
  const json = objectOf(parseJson(result));
  const inner = json["content"] ?? json["text"];
  const lines = (typeof inner === "string" ? inner : result).split(/\r?\n/);
  const clean = lines.map((line) => line.replace(/^\s*\d+\s*[\t→|:]\s?/, "").trim());
  return (clean.find((line) => /\w/.test(line)) ?? "").slice(0, maxLine);
}
