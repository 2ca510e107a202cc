/**
 * A call that waits for an answer, as the engine judges it again: as it was asked, or with the input a person put in its
 * place. Which files the edited call would touch is read from the fields that named them before.
 */
import { resolve } from "node:path";
import type { ApprovalRow } from "../../protocol/rows.ts";
import { realPathOf } from "./containment.ts";
import type { AskedCall } from "./judge-call.ts";

export function askedCall({ toolName, input, asked }: ApprovalRow): AskedCall {
  const { category, paths, needsPerson = false } = asked ?? unknownCall(input);
  return { toolName, input, category, paths, needsPerson };
}
/** Null: nobody can tell which files it would touch. */
export async function editedCall(row: ApprovalRow, input: unknown, workspace: string): Promise<AskedCall | null> {
  const call = askedCall(row);
  const { category } = row.asked ?? unknownCall(input);
  if (call.paths.length === 0) return { ...call, input, category };
  const before = texts(call.input);
  const after = new Map(texts(input));
  const named = new Set<string>();
  const paths: string[] = [];
  for (const [field, text] of before) {
    const path = await realPathOf(resolve(workspace, text));
    if (path === null || !call.paths.includes(path)) continue;
    named.add(path);
    const edited = after.get(field);
    if (edited !== undefined) paths.push(resolve(workspace, edited));
  }
  return call.paths.every((path) => named.has(path)) && paths.length > 0 ? { ...call, input, paths } : null;
}
const texts = (input: unknown): readonly (readonly [string, string])[] =>
  Object.entries(typeof input === "object" && input !== null ? input : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
/** The agent asked without asking the host first: a command is known by its field. */
function unknownCall(input: unknown): {
  readonly category: "shell" | "other";
  readonly paths: readonly string[];
  readonly needsPerson?: boolean;
} {
  const isCommand = texts(input).some(([field]) => field === "command");
  return { category: isCommand ? "shell" : "other", paths: [] };
}
