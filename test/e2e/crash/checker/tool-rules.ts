/** No tool runs twice, unasked, or in silence. Every command of these tests appends a line of its own to `side.log`. */
import { found, type Rule, repeated, said } from "./evidence.ts";
import type { Stored } from "./stored.ts";

const sideLine = /side_\w+/;
const lineOf = (command: unknown): string | undefined => sideLine.exec(JSON.stringify(command) ?? "")?.[0];

const once: Rule = ({ side }) => found("no tool runs twice", repeated(side));

const allowedOnce: Rule = ({ stored, lines, side }) => {
  const allowed = new Set(said(lines, "allowed").map(({ approvalId }) => approvalId));
  const wrong = stored.approvals
    .filter(({ id }) => allowed.has(id))
    .filter(({ command }) => side.filter((line) => line === lineOf(command)).length !== 1);
  return found(
    "a call that was allowed runs once",
    wrong.map(({ id, command }) => `${id}: ${command}`),
  );
};

const asked: Rule = ({ stored, side }) => {
  const unasked = stored.approvals
    .filter(({ how }) => how !== "allow")
    .filter(({ command }) => side.includes(lineOf(command) ?? ""));
  return found(
    "no call runs that was not allowed",
    unasked.map(({ id }) => id),
  );
};

const told: Rule = ({ stored, side }) => {
  const calls = callsOf(stored);
  const silent = side.filter((line) => !calls.some((call) => call.line === line));
  const untrue = calls.filter(({ state, line }) => state === "output-available" && !side.includes(line));
  return [
    ...found("a tool that ran is in the conversation", silent),
    ...found(
      "a tool that gave its output ran",
      untrue.map(({ line }) => line),
    ),
  ];
};

/** Calls in closed messages; of open ones the approval tells. */
function callsOf({ messages, approvals }: Stored): { readonly line: string; readonly state: unknown }[] {
  const inMessages = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const line = "toolCallId" in part ? lineOf(part["input"]) : undefined;
      return line === undefined ? [] : [{ line, state: part["state"] }];
    }),
  );
  return [...inMessages, ...approvals.map(({ command }) => ({ line: lineOf(command) ?? "", state: null }))];
}

export const toolRules: readonly Rule[] = [once, allowedOnce, asked, told];
