/** The tools as the AI SDK takes them: described to the model, and run through the gate. */
import { type ToolSet, tool } from "ai";
import type { LoopTool } from "../tools/loop-tool.ts";
import { loopTools } from "../tools/loop-tools.ts";
import { ownLoopTool } from "../tools/own-tool.ts";
import type { SessionContext } from "./session-context.ts";
import type { ToolGate } from "./tool-gate.ts";

/** As of now. A tool of the program's own takes the place of ours of that name. */
export function toolsOf({ input }: Pick<SessionContext, "input">): readonly LoopTool[] {
  const current = () => input.ownTools?.() ?? [];
  const own = current().map((described) => ownLoopTool(described, current));
  return [...loopTools.filter(({ name }) => !own.some((other) => other.name === name)), ...own];
}

export function toolSet(gate: ToolGate, tools: readonly LoopTool[]): ToolSet {
  const entries = tools.map((loopTool) => {
    const { name, description, inputSchema, title } = loopTool;
    const made = tool({
      description,
      inputSchema,
      ...(title === undefined ? {} : { title }),
      // The loop always gives a signal; a call without one could not be stopped.
      execute: (input: unknown, { toolCallId, abortSignal = AbortSignal.abort() }) =>
        gate.run(loopTool, input, { toolCallId, signal: abortSignal }),
    });
    return [name, made] as const;
  });
  return Object.fromEntries(entries);
}

/** Of those a run began with. */
export function enabledTools(context: SessionContext, tools: ToolSet): string[] {
  const now = new Set(toolsOf(context).map(({ name }) => name));
  return Object.keys(tools).filter((name) => now.has(name) && !context.isDisabled(name));
}
