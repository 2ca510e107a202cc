/** Tools of the program's own: offered, decided, run, recorded, stopped and taken away like any other. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@mooring/host";
import {
  type CreateAgentSessionOptions,
  defineTool,
  type ExtensionAPI,
  SessionManager,
  type ToolDefinition,
} from "@mooring/host/runtime";
import { createFakeDriver } from "@mooring/host/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ear, latch, RuntimeWorld } from "./runtime-world.ts";

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
  const listed = { name: "weather", description: "The weather of a city.", category: "other" };
  expect((await session.host.tools(session.hostedId ?? "")).at(-1)).toEqual(listed);
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

test("the run goes on when another call of the same answer did not ask for its end", async () => {
  const stays = weather([], { name: "stays" });
  const ends = weather([], { execute: async () => ({ content: text("Enough."), terminate: true }) });
  const session = await world.session([], { customTools: [ends, stays] });
  const ear = new Ear(session);
  const calls = ["weather", "stays"].map((name) => ({ name, input: { city: "Bergen" } }));
  await session.prompt(`#tools ${JSON.stringify(calls)}\n#say on`);
  expect([ended(ear).length, ear.said]).toEqual([2, "on"]);
});

// --- what is decided about its calls ------------------------------------------------------------------------------

test.each([
  ["asks a person, who is not there", "default" as const, {}, []],
  ["is denied where nothing may change", "plan" as const, {}, []],
  ["runs where it only reads", "plan" as const, { category: "read" as const }, [{ city: "Bergen", days: 1 }]],
  ["runs where all is allowed", "bypassPermissions" as const, {}, [{ city: "Bergen", days: 1 }]],
])("the permission mode holds for it: it %s (%s)", async (_, permissionMode, more, ran) => {
  const asked: Asked[] = [];
  const session = await world.session([], { permissionMode, customTools: [weather(asked, more)] });
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }));
  expect(asked).toEqual(ran);
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: ran.length === 0 }]);
  expect(ear.of("approval_requested").length).toBe(permissionMode === "default" ? 1 : 0);
  expect(ear.said).toBe("on");
});

test("a person's answer lets it run, and its result may end the run then too", async () => {
  const asked: Asked[] = [];
  const ends = weather(asked, {
    execute: async (_, params) => {
      asked.push(params as Asked);
      return { content: text("Enough."), terminate: true };
    },
  });
  const session = await world.session([], { permissionMode: "default", unattended: "wait", customTools: [ends] });
  const ear = new Ear(session);
  const running = session.prompt(call({ city: "Bergen" }, "#say never"));
  const { approval } = await ear.until("approval_requested");
  expect([approval.toolName, approval.input, asked]).toEqual(["weather", { city: "Bergen", days: 1 }, []]);
  await session.answerApproval(approval.id, { decision: "allow" });
  await running;
  expect([asked.length, ended(ear), ear.said]).toEqual([1, [["Enough.", false]], ""]);
});

test("a session that names its tools has no others; one without tools has none", async () => {
  const asked: Asked[] = [];
  const offered = async (options: CreateAgentSessionOptions) => {
    const session = await world.session([], { ...options, customTools: [weather(asked)] });
    const ear = new Ear(session);
    await session.prompt(call({ city: "Bergen" }));
    return ear.of("tool_execution_end").map(({ isError }) => isError);
  };
  expect(await offered({ tools: ["weather"] })).toEqual([false]);
  expect(await offered({ tools: ["read"] })).toEqual([true]);
  expect(await offered({ excludeTools: ["weather"] })).toEqual([true]);
  expect(await offered({ noTools: true })).toEqual([true]);
  expect(asked.length).toBe(1);
});

// --- what goes wrong ----------------------------------------------------------------------------------------------

test("an input that does not pass the schema is an error that names the field; the tool is not run", async () => {
  const asked: Asked[] = [];
  const session = await world.session([], { customTools: [weather(asked)] });
  const ear = new Ear(session);
  await session.prompt(call({ city: 5 }));
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true, result: expect.stringContaining("city") }]);
  expect([asked, ear.said]).toEqual([[], "on"]);
});

test.each([
  ["throws", async () => Promise.reject(new RangeError("no such city")), "no such city"],
  ["says so", async () => ({ content: text("no such city"), isError: true }), "no such city"],
  ["gives no result", (async () => undefined) as unknown as ToolDefinition["execute"], "did not give a result"],
  [
    "gives what is no text",
    (async () => ({ content: [{ type: "image" }] })) as unknown as ToolDefinition["execute"],
    'type "image"',
  ],
])("a tool that %s is a failed call", async (_, execute, said) => {
  const session = await world.session([], { customTools: [weather([], { execute })] });
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }));
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true, result: expect.stringContaining(said) }]);
});

test("a tool that waits for its own run is told so", async () => {
  const session = await world.session([
    (pi) =>
      pi.registerTool({
        ...weather([]),
        execute: async (): Promise<never> => {
          await session.waitForIdle();
          throw new TypeError("unreachable");
        },
      }),
  ]);
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }));
  expect(ear.of("tool_execution_end")).toMatchObject([
    { isError: true, result: expect.stringContaining("tool weather") },
  ]);
});

test.each([
  ["a name no model takes", { name: "the weather" }],
  ["parameters that are no object", { parameters: { type: "string" } }],
  ["a schema that cannot be checked", { parameters: { type: "object", properties: { city: { type: "town" } } } }],
  ["a schema without end", { parameters: { type: "object", description: "x".repeat(70_000) } }],
  ["no description", { description: undefined as unknown as string }],
])("%s is refused: bad-tool", async (_, more) => {
  const opened = world.session([], { customTools: [weather([], more)] });
  await expect(opened).rejects.toMatchObject({
    code: "bad-tool",
    message: expect.stringContaining("cannot be regist"),
  });
});

test("a long result is cut for the model and the record, the whole of it kept in a file it names", async () => {
  const long = `${"a".repeat(60_000)}end`;
  const execute = async () => ({ content: text(long), details: { all: long } });
  const session = await world.session([], { customTools: [weather([], { execute })] });
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }));
  const [end] = ear.of("tool_execution_end");
  expect(String(end?.result).length).toBeLessThan(31_000);
  expect(end?.result).toMatch(/^a+\n\[30003 characters left out; all of it: .+\.txt\]\na+end$/);
  expect((await session.getMessages())[2]).toMatchObject({
    details: { all: long }, // 60 kB: as much as is kept
  });
});

test("details that are too long are left out, and say so", async () => {
  const execute = async () => ({ content: text("on"), details: "d".repeat(70_000) });
  const session = await world.session([], { customTools: [weather([], { execute })] });
  await session.prompt(call({ city: "Bergen" }));
  expect((await session.getMessages())[2]).toMatchObject({
    content: text("on"),
    details: { leftOut: expect.stringContaining("70002 bytes") },
  });
});

// --- while it runs ------------------------------------------------------------------------------------------------

test("what it has so far is told while it runs, and nothing after it ended", async () => {
  const { open, opened } = latch();
  let late = (): void => {};
  const execute: ToolDefinition["execute"] = async (_, __, ___, onUpdate) => {
    late = () => onUpdate({ content: text("too late") });
    onUpdate({ content: text("half") });
    await opened;
    return { content: text("whole") };
  };
  const session = await world.session([], { customTools: [weather([], { execute })] });
  const ear = new Ear(session);
  const running = session.prompt(call({ city: "Bergen" }));
  expect(await ear.until("tool_execution_update")).toMatchObject({ toolName: "weather", partialResult: "half" });
  open();
  await running;
  late();
  await session.prompt("#say more");
  expect(ear.of("tool_execution_update").length).toBe(1);
  expect(ended(ear)).toEqual([["whole", false]]);
});

test("a stop aborts its signal; the call ends as stopped, its result is not taken", async () => {
  const { open, opened } = latch();
  const reasons: string[] = [];
  const execute: ToolDefinition["execute"] = async (_, __, signal) => {
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
    open();
    await stopped;
    reasons.push(String(signal.reason));
    return { content: text("never"), terminate: true };
  };
  const session = await world.session([], { customTools: [weather([], { execute })] });
  const ear = new Ear(session);
  const running = session.prompt(call({ city: "Bergen" }, "#say never"));
  await opened;
  await session.abort();
  await running;
  expect(reasons).toEqual([expect.stringContaining("stopped")]);
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true, result: expect.stringContaining("Stopped") }]);
  expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: true }]);
});

test("a stop does not wait for one that is deaf to it longer than the host's deadlines; what it does later is nobody's", async () => {
  await world.end();
  const clock = {
    ...systemClock,
    after: (ms: number, fire: () => void) => systemClock.after(ms > 500 && ms <= 10_000 ? ms / 50 : ms, fire),
  };
  world = await RuntimeWorld.open("memory", { clock });
  const begun = latch();
  const released = latch();
  const execute = async () => {
    begun.open();
    await released.opened;
    return { content: text("too late"), terminate: true };
  };
  const session = await world.session([], { customTools: [weather([], { execute })] });
  const ear = new Ear(session);
  const running = session.prompt(call({ city: "Bergen" }, "#say never"));
  await begun.opened;
  await session.abort();
  await running;
  released.open();
  await session.prompt("#say next");
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true }]);
  expect(ear.of("agent_settled").map(({ aborted }) => aborted)).toEqual([true, false]);
  expect([ear.said, JSON.stringify(await session.getMessages()).includes("too late")]).toEqual(["next", false]);
});

// --- while its session lives --------------------------------------------------------------------------------------

test("an extension that is reloaded without it takes it away", async () => {
  let loaded = 0;
  const asked: Asked[] = [];
  const session = await world.session([(pi) => (loaded++ === 0 ? pi.registerTool(weather(asked)) : undefined)]);
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }));
  await session.reload();
  await session.prompt(call({ city: "Oslo" }));
  expect([asked.map(({ city }) => city), loaded]).toEqual([["Bergen"], 2]);
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: false }, { isError: true }]);
});

test("a session that is opened again has the tools of its new program only", async () => {
  const before: Asked[] = [];
  const after: Asked[] = [];
  const first = await world.session([asExtension(weather(before))]);
  await first.prompt(call({ city: "Bergen" }));
  const stored = first.sessionFile ?? "";
  await first.dispose();
  const open = async (customTools: readonly ToolDefinition[]) => {
    const sessionManager = await SessionManager.open(stored);
    const session = await world.session([], { sessionManager, customTools });
    await session.prompt(call({ city: "Oslo" }));
    await session.dispose();
  };
  await open([]);
  expect([before.length, after.length]).toEqual([1, 0]);
  await open([weather(after)]);
  expect([before.length, after.length]).toEqual([1, 1]);
});

test("one that is registered later is offered from the next prompt on", async () => {
  const asked: Asked[] = [];
  const session = await world.session([
    (pi) => pi.registerCommand("learn", { handler: () => pi.registerTool(weather(asked)) }),
  ]);
  await session.prompt(call({ city: "Bergen" }));
  await session.prompt("/learn");
  await session.prompt(call({ city: "Oslo" }));
  expect(asked).toEqual([{ city: "Oslo", days: 1 }]);
});

test("two sessions with the same agent have their own tools", async () => {
  const asked: [Asked[], Asked[]] = [[], []];
  const sessions = await Promise.all(asked.map((heard) => world.session([], { customTools: [weather(heard)] })));
  await Promise.all(sessions.map((session, index) => session.prompt(call({ city: `town ${index}` }))));
  expect(asked).toEqual([[{ city: "town 0", days: 1 }], [{ city: "town 1", days: 1 }]]);
});

// --- agents that take none ----------------------------------------------------------------------------------------

test("an agent that takes no tools says so when its session is made, or when one is registered later", async () => {
  await world.end();
  world = await RuntimeWorld.open("memory", { drivers: [createFakeDriver({ type: "plain", mode: "echo" }).factory] });
  await world.host.stored.agents.add({ name: "plain", driver: "plain", model: "any" });
  const unsupported = { code: "unsupported-by-driver", message: expect.stringContaining('"plain"') };
  const plain = (extension: (pi: ExtensionAPI) => void, customTools: readonly ToolDefinition[] = []) =>
    world.session([extension], { agent: "plain", customTools });
  await expect(plain(() => {}, [weather([])])).rejects.toMatchObject(unsupported);
  await expect(plain(asExtension(weather([])))).rejects.toMatchObject(unsupported);
  const later: unknown[] = [];
  const session = await plain((pi) =>
    pi.registerCommand("learn", {
      handler: () => {
        try {
          pi.registerTool(weather([]));
        } catch (cause) {
          later.push(cause);
        }
      },
    }),
  );
  await session.prompt("/learn");
  expect(later).toMatchObject([unsupported]);
});

// --- gates that change an input -----------------------------------------------------------------------------------

test("B125: a gate changes the input in place: that is run, unchecked, decided on and recorded", async () => {
  const asked: unknown[] = [];
  const tool = weather([], { execute: async (_, params) => ({ content: text(JSON.stringify(asked.push(params))) }) });
  const session = await world.session(
    [
      asExtension(tool),
      (pi) =>
        pi.on("tool_call", ({ input }) => {
          input["city"] = 5; // no string: the schema is not asked again
        }),
      (pi) => pi.on("tool_call", ({ input }) => void Object.assign(input, { seen: input["city"] })),
    ],
    { permissionMode: "default", unattended: "wait" },
  );
  const ear = new Ear(session);
  const changed = { city: 5, days: 1, seen: 5 };
  const running = session.prompt(call({ city: "Bergen" }));
  const { approval } = await ear.until("approval_requested");
  expect(approval.input).toEqual(changed);
  await session.answerApproval(approval.id, { decision: "allow" });
  await running;
  expect(asked).toEqual([changed]);
  const [message] = ear.of("message_end").flatMap(({ message: one }) => (one.role === "assistant" ? [one] : []));
  expect(message?.content).toMatchObject([{ type: "toolCall", name: "weather", arguments: changed }]);
  expect((await session.getMessages())[1]).toMatchObject({ content: [{ type: "toolCall", arguments: changed }] });
  expect([ear.of("tool_execution_start").length, ear.said]).toEqual([1, "on"]);
});

test.each([
  ["a rule", { path: "secret.txt" }, /rule/i],
  ["the workspace", { path: "/etc/passwd" }, /outside/],
])("what a gate puts in the place of an input is held against %s", async (_, input, why) => {
  const session = await world.session([(pi) => pi.on("tool_call", (event) => void Object.assign(event.input, input))]);
  await world.host.stored.rules.add({ scope: "host", effect: "deny", tool: "write", pattern: "secret*" });
  const ear = new Ear(session);
  await session.prompt("#write allowed.txt text\n#say on");
  const [end] = ear.of("tool_execution_end");
  expect([end?.isError, ear.said]).toEqual([true, "on"]);
  expect(String(end?.result)).toMatch(why);
});

test("a file tool runs with the gate's input; the agent goes on from what really ran", async () => {
  const session = await world.session([
    (pi) =>
      pi.on("tool_call", (event) => {
        event.input["content"] = "changed";
      }),
  ]);
  await session.prompt("#write made.txt original\n#read made.txt");
  expect(await readFile(join(world.cwd, "made.txt"), "utf8")).toBe("changed");
  const written = (await session.getMessages())[1];
  expect(written).toMatchObject({ content: [{ arguments: { path: "made.txt", content: "changed" } }] });
});

test("an input that is no JSON any more blocks the call", async () => {
  const asked: Asked[] = [];
  const session = await world.session([
    asExtension(weather(asked)),
    (pi) =>
      pi.on("tool_call", ({ input }) => {
        input["itself"] = input;
      }),
  ]);
  const errors: string[] = [];
  await session.bindExtensions({ onError: ({ event }) => errors.push(event) });
  const ear = new Ear(session);
  await session.prompt(call({ city: "Bergen" }));
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true, result: expect.stringContaining("circular") }]);
  expect([asked, errors]).toEqual([[], ["tool_call"]]);
});
