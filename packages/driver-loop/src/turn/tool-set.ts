/** The tools as the AI SDK takes them: described to the model, and run through the gate. */
import { type ToolSet, tool } from "ai";
import { loopTools } from "../tools/loop-tools.ts";
import type { SessionContext } from "./session-context.ts";
import type { ToolGate } from "./tool-gate.ts";

export const isKnownTool = (name: string): boolean => loopTools.some((known) => known.name === name);

export function toolSet(gate: ToolGate): ToolSet {
  const entries = loopTools.map((loopTool) => {
    const { name, description, inputSchema } = loopTool;
    const made = tool({
      description,
      inputSchema,
      // The loop always gives a signal; a call without one could not be stopped.
      execute: (input: unknown, { toolCallId, abortSignal = AbortSignal.abort() }) =>
        gate.run(loopTool, input, { toolCallId, signal: abortSignal }),
    });
    return [name, made] as const;
  });
  return Object.fromEntries(entries);
}

export const enabledTools = (context: SessionContext): string[] =>
  loopTools.map(({ name }) => name).filter((name) => !context.isDisabled(name));
