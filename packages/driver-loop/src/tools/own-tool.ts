/**
 * A tool of the program's own as a tool of the loop. Invariants: it is looked up again for every call, so that one the
 * program took away is not run; what reaches the model of it is bounded like the output of a command.
 */
import { type JSONObject, messageOf, type OwnTool, type OwnToolResult } from "@mooring/host/driver";
import { jsonSchema, type Schema } from "ai";
import { limits } from "../limits.ts";
import type { LoopTool, OpenCall, ToolContext } from "./loop-tool.ts";
import { makeRoom, outputName, ShellOutput } from "./shell-output.ts";
import { ToolFailure } from "./tool-failure.ts";

/** `current`: the program's tools at the moment it is called. */
export function ownLoopTool(described: OwnTool, current: () => readonly OwnTool[]): LoopTool {
  const { name, description, category, title } = described;
  const now = (): OwnTool => {
    const own = current().find((tool) => tool.name === name);
    if (own !== undefined) return own;
    throw new ToolFailure(`The tool ${name} is not there any more.`);
  };
  const open = (input: unknown): OpenCall => {
    const parsed = now().parse(input);
    if ("problem" in parsed) throw new ToolFailure(`Invalid input for ${name}: ${parsed.problem}`);
    return openAsGiven(parsed.input);
  };
  const openAsGiven = (input: unknown): OpenCall => ({
    input,
    paths: async () => [],
    run: async (context) => run(now(), input, context),
  });
  const inputSchema = schemaOf(described);
  return { name, description, category, inputSchema, open, openAsGiven, ...(title === undefined ? {} : { title }) };
}

function schemaOf({ inputSchema, parse }: OwnTool): Schema<unknown> {
  return jsonSchema<unknown>(inputSchema satisfies JSONObject, {
    validate: (input) => {
      const parsed = parse(input);
      if ("input" in parsed) return { success: true, value: parsed.input };
      return { success: false, error: new ToolFailure(parsed.problem) };
    },
  });
}

async function run(own: OwnTool, input: unknown, context: ToolContext): Promise<OwnToolResult> {
  const { toolCallId, signal } = context;
  const result = await own.run({ toolCallId, input, signal, progress: context.progress }).catch((cause: unknown) => {
    if (signal.aborted) throw signal.reason;
    return { text: messageOf(cause), isError: true };
  });
  return { ...result, text: await bounded(result.text, context) };
}

async function bounded(text: string, context: ToolContext): Promise<string> {
  if (text.length <= limits.shellChars) return text;
  await makeRoom(context.outputs);
  const output = new ShellOutput(context.outputs, outputName(context));
  output.pipe()(Buffer.from(text));
  return output.text();
}
