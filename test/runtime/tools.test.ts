/** Tools of the program's own: offered, decided, run, recorded, stopped and taken away like any other. */
import { defineTool, type ExtensionAPI, type ToolDefinition } from "@mooring/host/runtime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ear, RuntimeWorld } from "./runtime-world.ts";

let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open();
});
afterEach(() => world.end());

const text = (said: string) => [{ type: "text", text: said }] as const;
const parameters = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", default: 1 } },
  required: ["city"],
};
type Asked = { readonly city: string; readonly days: number };
/** Answers, and says what it was asked. */
function weather(asked: Asked[], more: Partial<ToolDefinition> = {}): ToolDefinition {
  return defineTool<Asked>({
    name: "weather",
    label: "Weather",
    description: "The weather of a city.",
    parameters,
    execute: async (_, params) => {
      asked.push(params);
      return { content: text(`Rain in ${params.city}.`), details: { millimetres: 3 } };
    },
    ...more,
  });
}
const call = (input: unknown, then = "#say on"): string => `#tool weather ${JSON.stringify(input)}\n${then}`;
const ended = (ear: Ear): unknown[] => ear.of("tool_execution_end").map(({ result, isError }) => [result, isError]);
const asExtension = (tool: ToolDefinition) => (pi: ExtensionAPI) => pi.registerTool(tool);

test("a tool is offered, run with its checked input, and its call and result are recorded", async () => {
  const asked: Asked[] = [];
  const session = await world.session([], { customTools: [weather(asked)] });
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }));
  expect(asked).toEqual([{ city: "Bergen", days: 1 }]);
  expect(ear.of("tool_execution_start")).toMatchObject([{ toolName: "weather", args: { city: "Bergen", days: 1 } }]);
  expect([ended(ear), ear.said]).toEqual([[["Rain in Bergen.", false]], "on"]);
  const result = { role: "toolResult", toolName: "weather", content: text("Rain in Bergen."), isError: false };
  expect((await session.getMessages())[2]).toMatchObject({ ...result, details: { millimetres: 3 } });
  expect(ear.of("message_end").map(({ message }) => message)).toMatchObject([{}, {}, result, {}]);
});

test("B127: a result that says so ends the run: no further model call, and it settles", async () => {
  const session = await world.session([
    asExtension(weather([], { execute: async () => ({ content: text("Enough."), terminate: true }) })),
  ]);
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }, "#say never"));
  expect([ended(ear), ear.said]).toEqual([[["Enough.", false]], ""]);
  expect(ear.of("turn_start").length).toBe(1);
  expect(ear.course.slice(-3)).toEqual(["turn_end", "agent_end", "agent_settled"]);
  expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: false }]);
  expect((await session.getMessages()).map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  await session.prompt("#say again");
  expect(ear.said).toBe("again");
});
