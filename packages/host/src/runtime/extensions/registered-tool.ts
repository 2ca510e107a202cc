/**
 * A tool an extension registered, and how an agent's driver runs it. Invariants: what is registered can be offered: its
 * name and schema were checked; its code is never run with an input that does not pass the schema, save one that a gate
 * put in its place; what it returns that is no result is an error of the call.
 */
import { MooringError } from "../../index.ts";
import type { OwnTool, OwnToolCall, OwnToolResult } from "../../ports/driver.ts";
import type { JSONObject, JSONValue } from "../../protocol/chunks.ts";
import { runtimeLimits } from "../limits.ts";
import { inHandler } from "./handler-scope.ts";
import { inputParser } from "./tool-input.schema.ts";
import type { ExtensionContext, ToolDefinition, ToolResult } from "./types.ts";

export type RegisteredTool = Omit<OwnTool, "run"> & { readonly definition: ToolDefinition };

/** A tool for a variable or a list: what `execute` takes is kept by its own type, and checked by the tool's schema. */
export const defineTool = <Params = Record<string, unknown>, Details = unknown>(
  tool: ToolDefinition<Params, Details>,
): ToolDefinition => tool as unknown as ToolDefinition;

/** Throws `bad-tool`. */
export function registeredTool(definition: ToolDefinition): RegisteredTool {
  const { name, label, description, parameters, category = "other", execute } = definition;
  if (!/^[\w-]{1,64}$/.test(name)) throw badTool(name, "A name is 1 to 64 letters, digits, _ and -.");
  if (typeof description !== "string") throw badTool(name, "Give it a description: the model chooses by it.");
  if (typeof execute !== "function") throw badTool(name, "Give it a function `execute`.");
  const inputSchema = schemaOf(name, parameters);
  try {
    const parse = inputParser(inputSchema);
    const title = label === undefined ? {} : { title: label };
    return { name, description, category, inputSchema, parse, definition, ...title };
  } catch (cause) {
    throw badTool(name, "Its parameters are no JSON schema that can be checked here.", cause);
  }
}
/** As JSON: a driver may hand it to another process. */
function schemaOf(name: string, parameters: unknown): JSONObject {
  const text = JSON.stringify(parameters) ?? "";
  if (Buffer.byteLength(text) > runtimeLimits.toolSchemaBytes)
    throw badTool(name, `Its parameters have more than ${runtimeLimits.toolSchemaBytes} bytes.`);
  const schema: unknown = text === "" ? null : JSON.parse(text);
  const isObject = typeof schema === "object" && schema !== null && "type" in schema && schema.type === "object";
  if (!isObject) throw badTool(name, 'Its parameters are no JSON schema of an object: `{ type: "object", ... }`.');
  return schema as JSONObject;
}
export const badTool = (name: string, problem: string, cause?: unknown): MooringError =>
  new MooringError("bad-tool", `The tool "${name}" cannot be registered. ${problem}`, {
    detail: { tool: name },
    cause,
  });

/** For the driver. `context`: what the tool is given of its session, made for each call. */
export function ownTool({ definition, ...described }: RegisteredTool, context: () => ExtensionContext): OwnTool {
  return { ...described, run: (call) => run(definition, call, context) };
}
async function run(
  tool: ToolDefinition,
  { toolCallId, input, signal, progress }: OwnToolCall,
  context: () => ExtensionContext,
): Promise<OwnToolResult> {
  const tell = (partial: ToolResult): void => progress(textOf(tool.name, partial));
  const params = input as Record<string, unknown>; // it passed the schema, or a gate chose it
  const result = await inHandler(`tool ${tool.name}`, () => tool.execute(toolCallId, params, signal, tell, context()));
  const { isError = false, terminate = false, details } = checked(tool.name, result);
  return {
    text: textOf(tool.name, result),
    isError,
    terminate,
    ...(details === undefined ? {} : { details: kept(details) }),
  };
}
function checked(name: string, result: ToolResult): ToolResult {
  const given: unknown = result; // a program need not be typed
  const isResult = typeof given === "object" && given !== null && "content" in given && Array.isArray(given.content);
  if (isResult) return result;
  throw badResult(name, "It returned no `{ content: [...] }`.");
}
function textOf(name: string, result: ToolResult): string {
  return checked(name, result)
    .content.map(({ type, text }) => {
      if (type === "text" && typeof text === "string") return text;
      throw badResult(name, `It returned content of type "${type}": here it is text.`);
    })
    .join("\n");
}
const badResult = (name: string, problem: string): MooringError =>
  new MooringError("bad-tool-result", `The tool "${name}" did not give a result. ${problem}`, {
    detail: { tool: name },
  });

/** As JSON; when that is too long, the number of its bytes. */
function kept(details: unknown): JSONValue {
  const text = JSON.stringify(details) ?? "null";
  const bytes = Buffer.byteLength(text);
  const most = runtimeLimits.toolDetailsBytes;
  if (bytes > most) return { leftOut: `The details had ${bytes} bytes; at most ${most} are kept.` };
  return JSON.parse(text) as JSONValue;
}
