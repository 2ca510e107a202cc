/** An agent's rules as lines a person writes: `allow bash(git status*)`. Pure. */
import type { AgentRow, NewAgent } from "../api/types.ts";

export const ruleText = ({ effect, tool, pattern }: AgentRow["rules"][number]): string =>
  `${effect} ${tool}${pattern ? `(${pattern})` : ""}`;

const ruleForm = /^(allow|ask|deny)\s+([^\s(]+)(?:\((.*)\))?$/;
/** Null: a line is no rule. */
export function rulesOf(text: string): NonNullable<NewAgent["rules"]> | null {
  const found = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ruleForm.exec(line));
  if (found.includes(null)) return null;
  return found.flatMap((match) => {
    const [, effect, tool = "", pattern] = match ?? [];
    if (effect !== "allow" && effect !== "ask" && effect !== "deny") return [];
    return [{ effect, tool, pattern: pattern ?? null }];
  });
}
