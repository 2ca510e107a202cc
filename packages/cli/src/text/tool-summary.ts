/** A tool call and its result in a few words each, whatever the tool: its input and output are `unknown` to us. */
import { countText, sizeText } from "./amounts.ts";
import { jsonText, oneLine } from "./plain-text.ts";

/** Characters of the summary of an input, a result, an error. */
const inputMax = 72;
const resultMax = 72;
const errorMax = 200;

/** The fields that tell most, best first. The second list says where. */
const what = ["command", "cmd", "pattern", "query", "url", "path", "file_path", "filePath", "name", "description"];
const where = ["path", "file_path", "glob"];

/** `read README.md`, `grep TODO in src`, `bash npm test`. */
export function toolLabel(name: string, input: unknown): string {
  const summary = inputSummary(input);
  return [oneLine(name, inputMax), summary].filter((text) => text !== "").join(" ");
}

function inputSummary(input: unknown): string {
  if (input === undefined || input === null) return "";
  if (typeof input !== "object") return oneLine(String(input), inputMax);
  const [field, main] = firstText(input, what);
  if (main === null) return Object.keys(input).length === 0 ? "" : oneLine(jsonText(input), inputMax);
  const [, place] = field === "pattern" || field === "query" ? firstText(input, where) : [null, null];
  return oneLine(place === null ? main : `${main} in ${place}`, inputMax);
}

function firstText(input: object, fields: readonly string[]): readonly [string, string] | readonly [null, null] {
  for (const field of fields) {
    const value: unknown = Object.entries(input).find(([key]) => key === field)?.[1];
    if (typeof value === "string" && value !== "") return [field, value];
  }
  return [null, null];
}

/** A short result as it is; a longer one by its size. */
export function resultSummary(output: unknown): string {
  const text = resultText(output);
  const trimmed = text.trim();
  if (trimmed === "") return "no output";
  if (!trimmed.includes("\n") && trimmed.length <= resultMax) return oneLine(trimmed, resultMax);
  return `${countText(trimmed.split("\n").length, "line")}, ${sizeText(Buffer.byteLength(text))}`;
}

export const errorSummary = (text: string): string => oneLine(text, errorMax) || "it failed without a word";

/** The text in a result: itself, what it holds under a usual name, or its JSON. */
function resultText(output: unknown): string {
  if (typeof output === "string") return output;
  if (output === undefined || output === null) return "";
  if (typeof output === "object") {
    const [, text] = firstText(output, ["text", "stdout", "output", "content", "result"]);
    if (text !== null) return text;
  }
  return jsonText(output);
}
