/**
 * Finds the offered tool that does a job (shell, read, write, list) and shapes its arguments by its schema.
 * Invariant: only argument names that the schema knows are used; without a schema, the name's usual ones.
 */
import type { OfferedTool } from "./conversation.ts";

/** A call without its id yet. `input` is JSON text, broken on purpose for `#malformed`. */
export interface PlannedCall {
  readonly name: string;
  readonly input: string;
}

type Tools = readonly OfferedTool[];

const shells = ["exec_command", "shell_command", "shell", "run_shell_command", "Bash", "bash"];
const jobs = {
  read: ["read", "Read"],
  write: ["write", "Write"],
  list: ["ls", "LS"],
} as const;
export type Job = keyof typeof jobs;

function findTool(tools: Tools, names: readonly string[]): OfferedTool | undefined {
  for (const name of names) {
    const tool = tools.find((offered) => offered.name === name);
    if (tool !== undefined) return tool;
  }
  return undefined;
}

/** The offered tool for a job, if any. */
export const toolFor = (tools: Tools, job: Job): OfferedTool | undefined => findTool(tools, jobs[job]);

/** Whether a tool of this name does the job. */
export const doesJob = (name: string, job: Job): boolean => jobs[job].some((known) => known === name);

const hasSchema = (tool: OfferedTool): boolean => Object.keys(tool.properties).length > 0;

function argument(tool: OfferedTool, candidates: readonly string[], usual: string): string {
  return candidates.find((name) => Object.hasOwn(tool.properties, name)) ?? usual;
}

const call = (tool: OfferedTool, input: Readonly<Record<string, unknown>>): PlannedCall => ({
  name: tool.name,
  input: JSON.stringify(input),
});

/** A call of the shell-like tool, or `undefined` when none is offered. */
export function shellCall(tools: Tools, command: string): PlannedCall | undefined {
  const tool = findTool(tools, shells);
  if (tool === undefined) return undefined;
  const key = argument(tool, ["command", "cmd"], tool.name === "exec_command" ? "cmd" : "command");
  const type = tool.properties[key] ?? (tool.name === "shell" ? "array" : "string");
  const input: Record<string, unknown> = { [key]: type === "array" ? ["bash", "-lc", command] : command };
  if (Object.hasOwn(tool.properties, "description")) input["description"] = "scripted command";
  return call(tool, input);
}

function pathArgument(tool: OfferedTool): string {
  const usual = tool.name === "Read" || tool.name === "Write" ? "file_path" : "path";
  return argument(tool, ["path", "file_path", "filePath"], usual);
}

/** A call that reads a file, or `undefined` when no such tool is offered. */
export function readCall(tools: Tools, path: string): PlannedCall | undefined {
  const tool = toolFor(tools, "read");
  return tool && call(tool, { [pathArgument(tool)]: path });
}

/** A call that writes a file, or `undefined` when no such tool is offered. */
export function writeCall(tools: Tools, path: string, content: string): PlannedCall | undefined {
  const tool = toolFor(tools, "write");
  return tool && call(tool, { [pathArgument(tool)]: path, content });
}

/** A call that lists the working folder, or `undefined` when no such tool is offered. */
export function listCall(tools: Tools): PlannedCall | undefined {
  const tool = toolFor(tools, "list");
  return tool && call(tool, !hasSchema(tool) || Object.hasOwn(tool.properties, "path") ? { path: "." } : {});
}

/** A call whose arguments are not JSON. */
export function malformedCall(tools: Tools): PlannedCall {
  const name = (findTool(tools, shells) ?? tools[0])?.name ?? "bash";
  return { name, input: '{"command": "echo broken' };
}
