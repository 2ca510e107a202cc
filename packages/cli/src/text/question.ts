/**
 * An approval as it is put to a person, and the answer as it is typed. Invariant: what is shown is what will run;
 * characters that could hide a part of it are shown as escapes, and a cut says that it is one.
 */
import type { ApprovalId, Decision } from "@mooring/host";
import type { Look } from "./look.ts";
import { oneLine, visibleText } from "./plain-text.ts";

export type Question = {
  readonly id: ApprovalId;
  readonly toolName: string;
  readonly input: unknown;
};
export type TypedAnswer = { readonly decision: Decision; readonly reason?: string };

/** Lines of one field of the input. */
const fieldLines = 60;

export const answerKeys = "[a]llow once · [d]eny · d REASON to deny with a reason";

export function questionText(question: Question, look: Look): string {
  const head = `${look.yellow("?")} ${look.bold(oneLine(question.toolName, 80))} asks to run ${look.dim(question.id)}`;
  return [head, ...inputLines(question.input).map((line) => `    ${line}`), ""].join("\n");
}

/** The input of a call, field by field. */
export function inputLines(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return cut(valueText(input).split("\n"));
  return Object.entries(input).flatMap(([name, value]) => fieldText(visibleText(name), valueText(value).split("\n")));
}

function fieldText(name: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 1) return [`${name}: ${lines[0] ?? ""}`];
  return [`${name}:`, ...cut(lines).map((line) => `  ${line}`)];
}

const cut = (lines: readonly string[]): readonly string[] =>
  lines.length <= fieldLines
    ? lines
    : [...lines.slice(0, fieldLines), `… and ${lines.length - fieldLines} more lines that are not shown here`];

const valueText = (value: unknown): string =>
  visibleText(typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? String(value)));

/** Null: that was no answer. */
export function parseAnswer(line: string): TypedAnswer | null {
  const [, word = "", reason = ""] = /^\s*(\p{L}*)[\s,.:;]*(.*?)\s*$/u.exec(line) ?? [];
  const said = word.toLowerCase();
  if (["a", "allow", "y", "yes"].includes(said) && reason === "") return { decision: "allow" };
  if (!["d", "deny", "n", "no"].includes(said)) return null;
  return reason === "" ? { decision: "deny" } : { decision: "deny", reason };
}
