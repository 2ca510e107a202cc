/**
 * An approval as it is put to a person, and the answer as it is typed. Invariant: what is shown is what will run;
 * characters that could hide a part of it are shown as escapes, and a cut says that it is one.
 */
import type { AnswerScope, ApprovalId, Asked, Decision } from "@mooring/host";
import type { Look } from "./look.ts";
import { oneLine, visibleText } from "./plain-text.ts";

export type Question = {
  readonly id: ApprovalId;
  readonly toolName: string;
  readonly input: unknown;
  /** Why it is asked; null: the agent did not say. */
  readonly asked: Asked | null;
};
export type TypedAnswer = { readonly decision: Decision; readonly reason?: string; readonly scope?: AnswerScope };

/** What an allow may be for, beside the one call. */
const scopes = ["session", "agent", "host"] as const satisfies readonly AnswerScope[];

/** Lines of one field of the input. */
const fieldLines = 60;

/** The answers there are. Without a rule that says exactly this call it can only be allowed once. */
export function answerKeys({ asked }: Pick<Question, "asked">): string {
  const scoped = asked?.rule ? ` · a session (or agent, host): from now on` : "";
  return `[a]llow once${scoped} · [d]eny · d REASON to deny with a reason`;
}

export function questionText(question: Question, look: Look): string {
  const head = `${look.yellow("?")} ${look.bold(oneLine(question.toolName, 80))} asks to run ${look.dim(question.id)}`;
  const because = question.asked === null ? [] : [look.dim(`    (${oneLine(question.asked.because, 200)})`)];
  return [head, ...inputLines(question.input).map((line) => `    ${line}`), ...because, ""].join("\n");
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

function allowed(rest: string): TypedAnswer | null {
  if (rest === "") return { decision: "allow" };
  const scope = scopes.find((one) => one === rest);
  return scope === undefined ? null : { decision: "allow", scope };
}

/** Null: that was no answer. */
export function parseAnswer(line: string): TypedAnswer | null {
  const [, word = "", reason = ""] = /^\s*(\p{L}*)[\s,.:;]*(.*?)\s*$/u.exec(line) ?? [];
  const said = word.toLowerCase();
  if (["a", "allow", "y", "yes"].includes(said)) return allowed(reason.toLowerCase());
  if (!["d", "deny", "n", "no"].includes(said)) return null;
  return reason === "" ? { decision: "deny" } : { decision: "deny", reason };
}
