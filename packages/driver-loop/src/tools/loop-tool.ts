/**
 * What a tool of the loop is. Invariant: nothing of a tool runs before its input passed its schema, and every path is
 * resolved again when the call runs, because a person may have taken an hour to allow it.
 */
import type { Clock, OwnToolResult, Processes, ToolInfo } from "@mooring/host/driver";
import type { Schema } from "ai";
import { z } from "zod";
import type { Place } from "./contained-path.ts";
import { ToolFailure } from "./tool-failure.ts";

export type ToolContext = Place & {
  readonly env: Readonly<Record<string, string>>;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly sessionId: string;
  readonly toolCallId: string;
  /** Aborted when the turn is stopped; a tool then ends what it started and rejects. */
  readonly signal: AbortSignal;
  /** What it has so far, for viewers. */
  progress(text: string): void;
};

/** One call with a valid input. */
export type OpenCall = {
  readonly input: unknown;
  /** Absolute paths it would touch. Rejects with `ToolFailure` when one is outside. */
  paths(place: Place): Promise<readonly string[]>;
  /** Its text is for the model, bounded. Rejects with `ToolFailure`. */
  run(context: ToolContext): Promise<OwnToolResult>;
};
export type LoopTool = ToolInfo & {
  readonly title?: string;
  readonly inputSchema: z.ZodType | Schema<unknown>;
  /** Throws `ToolFailure` when the input does not pass the schema. */
  open(input: unknown): OpenCall;
  /** With an input that somebody put in the model's place: it is not held against the schema. */
  openAsGiven(input: unknown): OpenCall;
};

type Definition<Schema extends z.ZodType> = ToolInfo & {
  readonly inputSchema: Schema;
  paths(input: z.output<Schema>, place: Place): Promise<readonly string[]>;
  run(input: z.output<Schema>, context: ToolContext): Promise<string>;
};

export function defineTool<Schema extends z.ZodType>(definition: Definition<Schema>): LoopTool {
  const { name, description, category, inputSchema } = definition;
  const open = (input: unknown): OpenCall => {
    const parsed = inputSchema.safeParse(input);
    if (!parsed.success) throw new ToolFailure(`Invalid input for ${name}: ${z.prettifyError(parsed.error)}`);
    return callOf(definition, parsed.data);
  };
  // Its types are the gate's promise now: what does not fit fails where it is used.
  const openAsGiven = (input: unknown): OpenCall => callOf(definition, input as z.output<Schema>);
  return { name, description, category, inputSchema, open, openAsGiven };
}
const callOf = <Schema extends z.ZodType>(definition: Definition<Schema>, input: z.output<Schema>): OpenCall => ({
  input,
  paths: async (place) => definition.paths(input, place),
  run: async (context) => ({ text: await definition.run(input, context) }),
});
