/** Runs: what a prompt promises, in which order things are told, and when a run is over. */
import type { ExtensionEventType, InlineExtension } from "@mooring/host/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Ear, latch, RuntimeWorld, type StoreKind } from "./runtime-world.ts";

let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open();
});
afterEach(() => world.end());

/** Notes the events of these types, as they come to extensions. */
const notes =
  (order: string[], ...types: ExtensionEventType[]): InlineExtension =>
  (pi) => {
    for (const type of types) pi.on(type, () => void order.push(type));
  };

describe.each<StoreKind>(["memory", "sqlite"])("on the %s store", (store) => {
  beforeEach(async () => {
    await world.end();
    world = await RuntimeWorld.open(store);
  });

  test("B077 B092 B012: one prompt, told from admission to settling in order", async () => {
    const order: string[] = [];
    const types = ["session_start", "before_agent_start", "agent_start", "agent_end", "agent_before_settle"] as const;
    const session = await world.session([notes(order, ...types, "agent_settled")]);
    const ear = new Ear(session);
    session.subscribe(({ type }) => type === "agent_settled" && order.push(`heard idle ${session.isIdle}`));
    await session.prompt("#say hello", { preflightResult: (result) => order.push(`preflight ${result}`) });
    expect(order).toEqual([
      "before_agent_start",
      "preflight started",
      "agent_start",
      "agent_end",
      "agent_before_settle",
      "agent_settled",
      "heard idle true",
    ]);
    expect(ear.course).toEqual([
      ...["agent_start", "message_start", "message_end", "turn_start", "message_start", "message_end", "turn_end"],
      ...["agent_end", "agent_settled"],
    ]);
    expect(ear.said).toBe("hello");
    expect(ear.of("agent_end")).toMatchObject([
      { willRetry: false, messages: [{ role: "user" }, { role: "assistant" }] },
    ]);
    expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: false }]);
    expect((await session.host.messages(session.hostedId ?? "")).messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
    ]);
  });

  test("a tool call is told with its result, and what the model says after it", async () => {
    const session = await world.session();
    const ear = new Ear(session);
    await session.prompt("#bash echo hi\n#say seen");
    expect(ear.course.slice(3, -2)).toEqual([
      ...["turn_start", "message_start", "tool_execution_start", "message_end", "tool_execution_end"],
      ...["message_start", "message_end", "turn_end"],
      ...["turn_start", "message_start", "message_end", "turn_end"],
    ]);
    expect(ear.of("tool_execution_start")).toMatchObject([{ toolName: "bash", args: { command: "echo hi" } }]);
    expect(ear.of("tool_execution_end")).toMatchObject([{ toolName: "bash", isError: false }]);
    expect(ear.of("turn_end")).toMatchObject([
      { message: { stopReason: "toolUse" }, toolResults: [{ role: "toolResult" }] },
      { message: { stopReason: "stop" } },
    ]);
  });
});

// --- admission ----------------------------------------------------------------------------------------------------

test("B078: a command runs at once, while the agent works too, and starts no run", async () => {
  const ran: string[] = [];
  const session = await world.session([(pi) => pi.registerCommand("note", { handler: (args) => void ran.push(args) })]);
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 5");
  await ear.until("tool_execution_start");
  let result = "";
  await session.prompt("/note this and that", { preflightResult: (said) => (result = said) });
  expect([ran, result]).toEqual([["this and that"], "handled"]);
  await session.abort();
  await running;
  expect(ear.of("agent_start").length).toBe(1);
});

test("B079: a handler of input takes it over: no run, nothing stored", async () => {
  const session = await world.session([(pi) => pi.on("input", () => ({ action: "handled" }))]);
  const results: string[] = [];
  const ear = new Ear(session);
  await session.prompt("anything", { preflightResult: (said) => results.push(said) });
  expect([results, ear.heard, session.isIdle]).toEqual([["handled"], [], true]);
  expect((await session.host.messages(session.hostedId ?? "")).messages).toEqual([]);
});

test("B080: a changed text is what is stored and sent", async () => {
  const session = await world.session([
    (pi) => pi.on("input", ({ text }) => ({ action: "transform", text: text.replace("X", "hello") })),
  ]);
  const ear = new Ear(session);
  await session.prompt("#say X");
  expect(ear.said).toBe("hello");
  expect(ear.of("message_end")[0]).toMatchObject({ message: { role: "user", content: "#say hello" } });
});

test("B081: a busy session refuses a prompt that does not say how it may wait", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 5\n#say over");
  await ear.until("tool_execution_start");
  const results: string[] = [];
  const refused = session.prompt("#say no", { preflightResult: (said) => results.push(said) });
  await expect(refused).rejects.toMatchObject({ code: "session-busy" });
  expect(results).toEqual([]);
  await session.abort();
  await running;
});

test("B085 B114: while before_agent_start is out, a prompt is refused or queued into the same run", async () => {
  const { open, opened } = latch();
  const session = await world.session([
    (pi) => pi.on("before_agent_start", ({ prompt }) => (prompt === "#say one" ? opened : undefined)),
  ]);
  const ear = new Ear(session);
  const running = session.prompt("#say one");
  await expect(session.prompt("#say two")).rejects.toMatchObject({ code: "session-busy" });
  let result = "";
  await session.prompt("#say three", { streamingBehavior: "steer", preflightResult: (said) => (result = said) });
  expect([result, session.isStreaming]).toEqual(["queued", true]);
  open();
  await running;
  expect(ear.of("agent_settled").length).toBe(1);
  expect(ear.said).toBe("onethree");
  const queues = ear.heard.flatMap((event) => (event.type === "queue_update" ? [event.followUp] : []));
  expect(queues).toEqual([["#say three"], []]);
  const at = (found: (event: (typeof ear.heard)[number]) => boolean): number => ear.heard.findIndex(found);
  expect(at((event) => event.type === "queue_update" && event.followUp.length === 0)).toBeLessThan(
    at((event) => event.type === "message_start" && JSON.stringify(event.message).includes("three")),
  );
});

test("B089: of two prompts in one tick one is admitted, and one run settles", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  const results: string[] = [];
  const preflightResult = (said: string): void => void results.push(said);
  const first = session.prompt("#say one", { preflightResult });
  expect(session.isIdle).toBe(false);
  await expect(session.prompt("#say two", { preflightResult })).rejects.toMatchObject({ code: "session-busy" });
  await first;
  expect([results, ear.said, ear.of("agent_settled").length]).toEqual([["started"], "one", 1]);
});

test("B117 B118: steer and followUp start a turn when there is none, and take no command", async () => {
  const session = await world.session([(pi) => pi.registerCommand("x", { handler: () => {} })]);
  const ear = new Ear(session);
  await session.steer("#say steered");
  await session.waitForIdle();
  await session.followUp("#say followed");
  await session.waitForIdle();
  expect([ear.said, ear.of("agent_settled").length]).toEqual(["steeredfollowed", 2]);
  await expect(session.steer("/x")).rejects.toMatchObject({ code: "command-not-queued" });
});

// --- stop ---------------------------------------------------------------------------------------------------------

test("B091: a stop wins over a handler of input that never answers", async () => {
  const { open, opened } = latch();
  const session = await world.session([
    (pi) =>
      pi.on("input", () => {
        open();
        return new Promise<undefined>(() => {});
      }),
  ]);
  const ear = new Ear(session);
  const prompted = session.prompt("#say never");
  const refused = expect(prompted).rejects.toMatchObject({ code: "stopped-before-start" });
  await opened;
  await session.abort();
  await refused;
  expect([ear.of("agent_start"), session.isIdle]).toEqual([[], true]);
});

test("B088: a stop while before_agent_start is out ends the run without a model call", async () => {
  const { open, opened } = latch();
  const session = await world.session([
    (pi) =>
      pi.on("before_agent_start", () => {
        open();
        return new Promise<undefined>(() => {});
      }),
  ]);
  const ear = new Ear(session);
  const results: string[] = [];
  const prompted = session.prompt("#say never", { preflightResult: (said) => results.push(said) });
  await opened;
  await session.abort();
  await prompted;
  expect([results, ear.said, ear.of("agent_settled")]).toEqual([
    ["started"],
    "",
    [{ type: "agent_settled", aborted: true }],
  ]);
});

test("B119: a stop in a tool call leaves its error, an aborted answer, and a settled run", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  const prompted = session.prompt("#bash sleep 30");
  await ear.until("tool_execution_start");
  await session.abort();
  await prompted;
  const messages = ear.of("message_end").map(({ message }) => message);
  expect(messages.slice(1)).toMatchObject([
    { role: "assistant", stopReason: "toolUse" },
    { role: "toolResult", isError: true },
    { role: "assistant", stopReason: "aborted", content: [] },
  ]);
  expect(ear.course.slice(-2)).toEqual(["agent_end", "agent_settled"]);
  expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: true }]);
});

test("a stop inside a handler stops, and does not wait for what waits for the handler", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  session.subscribe(async ({ type }) => {
    if (type === "tool_execution_start") await session.abort();
  });
  await session.prompt("#bash sleep 30");
  expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: true }]);
});

// --- the end of a run ---------------------------------------------------------------------------------------------

test("B099: what a handler of agent_end queues runs before the run settles", async () => {
  const order: string[] = [];
  let queued = false;
  const session = await world.session([
    notes(order, "agent_start", "agent_end", "agent_settled"),
    (pi) =>
      pi.on("agent_end", async () => {
        if (queued) return;
        queued = true;
        await pi.sendUserMessage("#say more", { deliverAs: "followUp" });
      }),
  ]);
  const ear = new Ear(session);
  await session.prompt("#say one");
  expect(order).toEqual(["agent_start", "agent_end", "agent_start", "agent_end", "agent_settled"]);
  expect(ear.said).toBe("onemore");
});

test("B100: prompts made in agent_settled run after all its handlers, in order, each to its own end", async () => {
  const order: string[] = [];
  let times = 0;
  const session = await world.session([
    (pi) =>
      pi.on("agent_settled", async () => {
        if (times++ > 0) return;
        await session.prompt("#say two");
        order.push("handler over");
      }),
  ]);
  const ear = new Ear(session);
  session.subscribe(({ type }) => {
    if (type !== "agent_settled" || times > 1) return;
    void session.prompt("#say three");
    order.push("listener over");
  });
  await session.prompt("#say one");
  expect([order, ear.said, ear.of("agent_settled").length]).toEqual([
    ["handler over", "listener over"],
    "onetwothree",
    3,
  ]);
});

test("B101: a command may wait for the run to end", async () => {
  const order: string[] = [];
  const session = await world.session([
    notes(order, "agent_settled"),
    (pi) =>
      pi.registerCommand("wait", {
        handler: async (_, context) => {
          await context.waitForIdle();
          order.push(`waited, idle ${context.isIdle()}`);
        },
      }),
  ]);
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 0.2\n#say over");
  await ear.until("tool_execution_start");
  await session.prompt("/wait");
  await running;
  expect(order).toEqual(["agent_settled", "waited, idle true"]);
});

test("B102: agent_before_settle continues the run with what it says", async () => {
  const order: string[] = [];
  let asked = 0;
  const session = await world.session([
    notes(order, "agent_start", "agent_end", "agent_before_settle", "agent_settled"),
    (pi) =>
      pi.on("agent_before_settle", () =>
        asked++ > 0 ? undefined : { continue: true, entries: [{ customType: "check", content: "#say checked" }] },
      ),
  ]);
  const ear = new Ear(session);
  await session.prompt("#say one");
  expect(order).toEqual([
    ...["agent_start", "agent_end", "agent_before_settle"],
    ...["agent_start", "agent_end", "agent_before_settle", "agent_settled"],
  ]);
  expect(ear.said).toBe("onechecked");
  expect(ear.of("message_end").map(({ message }) => message.role)).toEqual([
    "user",
    "assistant",
    "custom",
    "assistant",
  ]);
});

test("B104: waiting for the run inside a handler of it is refused, not waited for", async () => {
  const codes: unknown[] = [];
  const session = await world.session([
    (pi) => {
      for (const type of ["agent_end", "tool_call", "before_agent_start"] as const)
        pi.on(type, async () => {
          await session.waitForIdle().catch((cause: { readonly code: unknown }) => codes.push(`${type} ${cause.code}`));
        });
    },
  ]);
  await session.prompt("#bash true\n#say over");
  expect(codes).toEqual(["before_agent_start would-deadlock", "tool_call would-deadlock", "agent_end would-deadlock"]);
});

test("a listener that throws is reported and keeps nothing from anybody", async () => {
  const session = await world.session();
  const errors: string[] = [];
  await session.bindExtensions({ onError: ({ extensionPath, error }) => errors.push(`${extensionPath} ${error}`) });
  session.subscribe(({ type }) => {
    if (type === "message_end") throw new TypeError("mine");
  });
  const ear = new Ear(session);
  await session.prompt("#say hello");
  expect(ear.course.slice(-2)).toEqual(["agent_end", "agent_settled"]);
  expect(errors).toEqual(["<subscriber> mine", "<subscriber> mine"]);
  expect((await session.host.messages(session.hostedId ?? "")).messages.length).toBe(2);
});

test("B106 B107: what an extension says joins the next prompt, or starts a run", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  await session.sendCustomMessage({ customType: "hint", content: "a hint" });
  expect([ear.heard, session.hostedId]).toEqual([[], null]);
  await session.prompt("#say one");
  await session.sendCustomMessage({ customType: "go", content: "#say two" }, { triggerTurn: true });
  await session.waitForIdle();
  expect(ear.of("message_end").map(({ message: { role } }) => role)).toEqual([
    ...["user", "custom", "assistant"],
    ...["custom", "assistant"],
  ]);
  expect(ear.of("message_end")[1]).toMatchObject({ message: { customType: "hint", content: "a hint", display: true } });
  expect(ear.said).toBe("onetwo");
});
