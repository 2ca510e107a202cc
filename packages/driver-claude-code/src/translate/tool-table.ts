/**
 * The built-in tools in one table: what each may do and which paths it touches. Invariant: a tool that is not here is
 * `other`, which no mode but the most permissive lets through without a question.
 */
import { resolve } from "node:path";
import type { ToolInfo } from "@mooring/host/driver";
import { textIn } from "./frames.ts";

type Category = ToolInfo["category"];
type Tool = {
  readonly name: string;
  readonly description: string;
  readonly category: Category;
  /** Names of the inputs that hold a path. */
  readonly paths?: readonly string[];
  /** A person has to answer it: no mode lifts that. */
  readonly asks?: true;
};

const tools: readonly Tool[] = [
  { name: "Read", description: "Reads a file", category: "read", paths: ["file_path"] },
  { name: "Glob", description: "Finds files by pattern", category: "read", paths: ["path"] },
  { name: "Grep", description: "Searches file contents", category: "read", paths: ["path"] },
  { name: "Write", description: "Writes a file", category: "write", paths: ["file_path"] },
  { name: "Edit", description: "Changes a file", category: "write", paths: ["file_path"] },
  { name: "NotebookEdit", description: "Changes a notebook", category: "write", paths: ["notebook_path"] },
  { name: "Bash", description: "Runs a command", category: "shell" },
  { name: "WebFetch", description: "Reads a web page", category: "network" },
  { name: "WebSearch", description: "Searches the web", category: "network" },
  // What a sub-agent does is decided call by call, as the main agent's calls are.
  { name: "Agent", description: "Gives a task to a sub-agent", category: "read" },
  { name: "TodoWrite", description: "Keeps a list of steps", category: "read" },
  { name: "TaskOutput", description: "Reads what a background task wrote", category: "read" },
  { name: "TaskStop", description: "Ends a background task", category: "read" },
  { name: "ToolSearch", description: "Looks up tools", category: "read" },
  { name: "AskUserQuestion", description: "Asks the user", category: "read", asks: true },
  { name: "ExitPlanMode", description: "Proposes a plan", category: "read", asks: true },
];
/** Names that other versions use for the same tool. */
const aliases: Readonly<Record<string, string>> = { Task: "Agent", KillShell: "TaskStop", BashOutput: "TaskOutput" };

const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));
const find = (name: string): Tool | undefined => byName.get(aliases[name] ?? name);

export const toolInfos: readonly ToolInfo[] = tools.map(({ name, description, category }) => {
  return { name, description, category };
});
/** Named explicitly, so that a new version's tools do not turn up by themselves. */
export const toolNames: readonly string[] = tools.map(({ name }) => name);

export const categoryOf = (name: string): Category => find(name)?.category ?? "other";
export const isOfServer = (name: string | null): boolean => name?.startsWith("mcp__") ?? false;
export const isQuestion = (name: string): boolean => find(name)?.asks === true;

/** Absolute, as they are written: the host resolves links. */
export function pathsOf(name: string, input: unknown, workspace: string): readonly string[] {
  const named = (find(name)?.paths ?? []).flatMap((key) => textIn(input, key) ?? []);
  return named.map((path) => resolve(workspace, path));
}
