/** Inside a run: queues, gates of tool calls, repeated requests, compaction. */
import { systemClock } from "@mooring/host";
import {
  type AgentSession,
  createAgentSessionFromServices,
  createAgentSessionServices,
  type ExtensionFactory,
  type QueueMode,
  SessionManager,
  SettingsManager,
  UnsupportedByDriver,
} from "@mooring/host/runtime";
import { createFakeDriver } from "@mooring/host/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ear, latch, RuntimeWorld } from "./runtime-world.ts";

/** Waits of a few seconds (those between repeated requests) pass at once; every other timer is real. */
const hasty = {
  ...systemClock,
  after: (ms: number, fire: () => void) => systemClock.after(ms > 500 && ms < 4_900 ? ms / 200 : ms, fire),
};
let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open("memory", { clock: hasty });
});
afterEach(() => world.end());

// --- queues -------------------------------------------------------------------------------------------------------

test("B111: steers reach the running turn, in order, and a follow-up comes last", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 0.3\n#say first");
  await ear.until("tool_execution_start");
  await session.followUp("#say last");
  await session.steer("one");
  await session.steer("two");
  await running;
  const said = ear.of("message_end").flatMap(({ message }) => (message.role === "user" ? [message.content] : []));
  expect(said).toEqual(["#bash sleep 0.3\n#say first", "one", "two", "#say last"]);
  expect(ear.of("agent_settled").length).toBe(1);
  const queues = ear.of("queue_update");
  expect(queues.some(({ steering, followUp }) => steering.length === 2 && followUp.length === 1)).toBe(true);
  expect(queues.at(-1)).toMatchObject({ steering: [], followUp: [] });
});

/** What was said, by whom: texts of the person, and `A` for each answer. */
const course = (ear: Ear): string[] =>
  ear.of("message_end").flatMap(({ message }) => {
    if (message.role === "user") return [String(message.content)];
    return message.role === "assistant" ? ["A"] : [];
  });

const inMode = async (mode: QueueMode | null, extensions: readonly ExtensionFactory[] = []) => {
  const session = await world.session(extensions);
  if (mode !== null) session.setSteeringMode(mode);
  if (mode !== null) session.setFollowUpMode(mode);
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 0.3");
  await ear.until("tool_execution_start");
  return { session, ear, running };
};

test("B112: in mode all steers are delivered together, then follow-ups together; else one by one", async () => {
  const went = async (mode: QueueMode | null): Promise<string[]> => {
    const { session, ear, running } = await inMode(mode);
    await Promise.all([session.followUp("#say c"), session.followUp("#say d")]);
    await session.steer("#say a");
    await session.steer("#say b");
    await running;
    expect(ear.of("agent_settled").length).toBe(1);
    expect(ear.of("queue_update").some(({ followUp }) => followUp.join() === "#say c,#say d")).toBe(true);
    return course(ear).slice(1);
  };
  expect(await went(null)).toEqual(["A", "#say a", "A", "#say b", "A", "#say c", "A", "#say d", "A"]);
  expect(await went("all")).toEqual(["A", "#say a", "#say b", "A", "#say c", "#say d", "A"]);
});

test("follow-ups that come together are asked about once each, counted and taken back as messages, stored as one input", async () => {
  const asked: string[] = [];
  const { session, ear, running } = await inMode("all", [
    (pi) =>
      pi.on("input", ({ text }) => {
        asked.push(text);
        return text === "#say two" ? { action: "transform", text: "#say 2" } : undefined;
      }),
  ]);
  for (const text of ["#say one", "#say two", "#say three"]) await session.followUp(text);
  expect(asked.slice(1)).toEqual(["#say one", "#say two", "#say three"]);
  const { host, hostedId } = session;
  expect((await host.inputs(hostedId ?? "").list()).filter(({ state }) => state === "queued").length).toBe(1);
  await ear.until("queue_update", 3);
  expect(session.pendingMessageCount).toBe(3);
  expect(await session.clearQueue()).toEqual({ steering: [], followUp: ["#say one", "#say 2", "#say three"] });
  await session.followUp("#say four"); // what it could have joined is gone
  await running;
  expect(course(ear).slice(1)).toEqual(["A", "A", "#say four", "A"]);
  const said = (await session.getMessages()).flatMap((message) => (message.role === "user" ? [message.content] : []));
  expect(said).toEqual(["#bash sleep 0.3", "#say four"]);
});

test("a follow-up does not join what a stop holds: it runs", async () => {
  const { session, ear, running } = await inMode("all");
  await session.followUp("#say held");
  await session.abort();
  await running;
  await session.followUp("#say now");
  await session.waitForIdle();
  expect(course(ear).slice(-2)).toEqual(["#say now", "A"]);
});

test("modes come from the settings; an agent that takes steers its own way refuses one", async () => {
  await world.end();
  world = await RuntimeWorld.open("memory", { drivers: [createFakeDriver({ type: "plain", mode: "echo" }).factory] });
  await world.host.stored.agents.add({ name: "plain", driver: "plain", model: "any" });
  const settingsManager = SettingsManager.inMemory({ steeringMode: "all", followUpMode: "all" });
  const { host, cwd, agentDir } = world;
  const services = await createAgentSessionServices({ host, cwd, agentDir, settingsManager });
  const sessionManager = SessionManager.create(cwd);
  const { session } = await createAgentSessionFromServices({ services, sessionManager, agent: "plain" });
  expect([session.steeringMode, session.followUpMode]).toEqual(["all", "all"]);
  expect(() => session.setSteeringMode("one-at-a-time")).toThrow(UnsupportedByDriver);
  session.setFollowUpMode("one-at-a-time");
  expect([session.steeringMode, session.followUpMode]).toEqual(["all", "one-at-a-time"]);
});

test("what waits can be taken back", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 0.3\n#say over");
  await ear.until("tool_execution_start");
  await session.followUp("#say never");
  await ear.until("queue_update");
  expect([session.pendingMessageCount, await session.clearQueue()]).toEqual([
    1,
    { steering: [], followUp: ["#say never"] },
  ]);
  await running;
  expect([ear.said, session.pendingMessageCount]).toEqual(["over", 0]);
});

// --- gates --------------------------------------------------------------------------------------------------------

const results = (ear: Ear): unknown[] => ear.of("tool_execution_end").map(({ result, isError }) => [result, isError]);

test("B122: a blocked call is not made, its reason is its result, and the run goes on", async () => {
  const asked: unknown[] = [];
  const session = await world.session([
    (pi) =>
      pi.on("tool_call", ({ toolName, toolCallId, input }) => {
        asked.push([toolName, typeof toolCallId, input]);
        return { block: true, reason: "Not on a Sunday." };
      }),
  ]);
  const ear = new Ear(session);
  await session.prompt("#write made.txt no\n#say on");
  expect(asked).toEqual([["write", "string", { path: "made.txt", content: "no" }]]);
  expect(JSON.stringify(results(ear))).toContain("Not on a Sunday.");
  expect([ear.of("tool_execution_end")[0]?.isError, ear.said]).toEqual([true, "on"]);
});

test("B123: a gate that throws blocks the call with what it threw", async () => {
  const session = await world.session([
    (pi) =>
      pi.on("tool_call", () => {
        throw new TypeError("the gate is broken");
      }),
  ]);
  const errors: string[] = [];
  await session.bindExtensions({ onError: ({ event }) => errors.push(event) });
  const ear = new Ear(session);
  await session.prompt("#bash touch made.txt\n#say on");
  expect(JSON.stringify(results(ear))).toContain("the gate is broken");
  expect([errors, ear.said]).toEqual([["tool_call"], "on"]);
});

test("B126: a stop while a gate thinks ends the run at once; the call is not made", async () => {
  const { open, opened } = latch();
  const session = await world.session([
    (pi) =>
      pi.on("tool_call", () => {
        open();
        return new Promise<undefined>(() => {});
      }),
  ]);
  const ear = new Ear(session);
  const running = session.prompt("#bash touch made.txt");
  await opened;
  await session.abort();
  await running;
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true }]);
  expect(ear.of("agent_settled")).toMatchObject([{ aborted: true }]);
});

test("a call that needs a person is denied when nobody is there, and asked where somebody is", async () => {
  const ask = async (session: AgentSession): Promise<Ear> => {
    const ear = new Ear(session);
    await session.prompt("#bash echo ran\n#say on");
    return ear;
  };
  const alone = await ask(await world.session([], { permissionMode: "default" }));
  expect(alone.of("approval_requested")).toMatchObject([{ approval: { toolName: "bash" } }]);
  expect(alone.of("approval_closed")).toMatchObject([{ how: "deny" }]);
  expect(alone.of("tool_execution_end")).toMatchObject([{ isError: true }]);
  const titles: string[] = [];
  const withPerson = await world.session([], { permissionMode: "default" });
  const uiContext = {
    confirm: async (title: string) => titles.push(title) > 0,
    select: async () => undefined,
    input: async () => undefined,
    notify: () => {},
  };
  await withPerson.bindExtensions({ mode: "rpc", uiContext });
  const asked = await ask(withPerson);
  expect(titles).toEqual(["Allow bash?"]);
  expect(asked.of("tool_execution_end")).toMatchObject([{ isError: false }]);
});

test("B169: a stop answers an open dialog", async () => {
  const { open, opened } = latch();
  const answers: unknown[] = [];
  const session = await world.session([
    (pi) =>
      pi.on("tool_call", async (_, { ui }) => {
        answers.push(await ui.confirm("Sure?", ""));
        return { block: true };
      }),
  ]);
  const uiContext = {
    confirm: () => {
      open();
      return new Promise<boolean>(() => {});
    },
    select: async () => undefined,
    input: async () => undefined,
    notify: () => {},
  };
  await session.bindExtensions({ uiContext });
  const running = session.prompt("#bash true");
  await opened;
  await session.abort();
  await running;
  expect(answers).toEqual([false]);
});

// --- repeated requests --------------------------------------------------------------------------------------------

test("B093: two failures and a success are one run: each repetition told, settled once", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  await session.prompt("#status 529 x2\n#say at last");
  expect(ear.of("agent_end").map(({ willRetry }) => willRetry)).toEqual([true, true, false]);
  expect(ear.of("auto_retry_start").map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(ear.of("auto_retry_end")).toMatchObject([{ success: true, attempt: 2 }]);
  expect([ear.of("agent_start").length, ear.of("agent_settled").length, ear.said]).toEqual([3, 1, "at last"]);
});

test("B094: repetitions that are used up end the run with what went wrong", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  await session.prompt("#status 529\n#say never");
  expect(ear.of("agent_end").at(-1)).toMatchObject({ willRetry: false });
  const [end] = ear.of("auto_retry_end");
  expect(end).toMatchObject({ success: false });
  expect(end?.finalError).toMatch(/529|overloaded|busy/i);
  expect(ear.course.slice(-3)).toEqual(["agent_end", "auto_retry_end", "agent_settled"]);
});

test("B095: an error that is not repeated ends the run, and prompt resolves", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  await session.prompt("#status 400 no such thing\n#say never");
  expect(ear.of("auto_retry_start")).toEqual([]);
  expect(ear.of("message_end").at(-1)).toMatchObject({
    message: { stopReason: "error", errorMessage: expect.stringContaining("no such thing") },
  });
  expect(ear.course.slice(-2)).toEqual(["agent_end", "agent_settled"]);
  expect(session.isIdle).toBe(true);
});

test.each([
  ["B096: abortRetry", (session: AgentSession) => session.abortRetry(), false],
  ["B097: abort", (session: AgentSession) => session.abort(), true],
])("%s in the wait before a repetition ends the run, aborted or not", async (_, stop, aborted) => {
  await world.end();
  world = await RuntimeWorld.open(); // where waits last
  const session = await world.session();
  const ear = new Ear(session);
  const running = session.prompt("#status 529\n#say never");
  await ear.until("auto_retry_start");
  expect([session.isRetrying, session.isIdle]).toEqual([true, false]);
  await stop(session);
  await running;
  expect(ear.of("auto_retry_end")).toMatchObject([{ success: false, finalError: "cancelled" }]);
  expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted }]);
  expect(ear.said).toBe("");
});

// --- compaction ---------------------------------------------------------------------------------------------------

test("B130 B137: a compaction is told from start to end; waitForIdle waits for it, and one that fails says why", async () => {
  const failures: string[] = [];
  const session = await world.session([
    (pi) => pi.on("session_compact_failed", ({ error }) => void failures.push(error)),
  ]);
  await expect(session.compact()).rejects.toMatchObject({ code: "not-stored-yet" });
  await session.prompt("#say something worth a summary");
  const ear = new Ear(session);
  const compacted = session.compact("briefly").catch((cause: unknown) => cause);
  expect([session.isCompacting, session.isIdle]).toEqual([true, false]);
  await session.waitForIdle();
  const cause = await compacted;
  expect(ear.course).toEqual(["compaction_start", "compaction_end"]);
  const [end] = ear.of("compaction_end");
  if (end?.errorMessage === undefined) expect([cause, failures]).toEqual([undefined, []]);
  else expect([cause, failures]).toMatchObject([{ code: "compaction-failed" }, [end.errorMessage]]);
});

test("B133: of two compactions at once one is admitted, and its events are balanced", async () => {
  const session = await world.session();
  await session.prompt("#say something");
  const ear = new Ear(session);
  const first = session.compact().catch(() => {});
  await expect(session.compact()).rejects.toMatchObject({ code: "session-busy" });
  await first;
  expect(ear.course).toEqual(["compaction_start", "compaction_end"]);
});

test("B083: a prompt during a compaction is refused, or queued when it says so", async () => {
  const session = await world.session();
  await session.prompt("#say something");
  const ear = new Ear(session);
  const compacted = session.compact().catch(() => {});
  await expect(session.prompt("#say no")).rejects.toMatchObject({ code: "session-busy" });
  const queued = session.prompt("#say after", { streamingBehavior: "followUp" });
  await Promise.all([compacted, queued]);
  await session.waitForIdle();
  expect(ear.said).toBe("after");
});

test("B132: a compaction stops what runs first, and does not go on with it", async () => {
  const session = await world.session();
  const ear = new Ear(session);
  const running = session.prompt("#bash sleep 30\n#say never");
  await ear.until("tool_execution_start");
  await session.compact().catch(() => {});
  await running;
  const course = ear.course.slice(ear.course.indexOf("agent_end"));
  expect(course).toEqual(["agent_end", "agent_settled", "compaction_start", "compaction_end"]);
  expect(ear.said).toBe("");
});

test("B135: a handler cancels a compaction; that is no failure of it", async () => {
  const session = await world.session([(pi) => pi.on("session_before_compact", () => ({ cancel: true }))]);
  await session.prompt("#say a long story\n#say and more");
  const ear = new Ear(session);
  const cause: unknown = await session.compact().catch((thrown: unknown) => thrown);
  const [end] = ear.of("compaction_end");
  expect([cause, end]).toMatchObject([{ code: "compaction-cancelled" }, { aborted: true }]);
  expect(end?.errorMessage).toBeUndefined();
});

test("B134: a compaction is aborted while it runs, once", async () => {
  const begun = Promise.withResolvers<void>();
  const never = Promise.withResolvers<void>();
  const session = await world.session([
    (pi) =>
      pi.on("session_before_compact", async () => {
        begun.resolve();
        await never.promise;
      }),
  ]);
  await session.abortCompaction(); // none runs
  await session.prompt("#say a long story\n#say and more");
  const ear = new Ear(session);
  const compacted = session.compact().catch((thrown: unknown) => thrown);
  await begun.promise;
  await session.abortCompaction();
  never.resolve();
  expect(await compacted).toMatchObject({ code: "compaction-cancelled" });
  expect([ear.course, ear.of("compaction_end")]).toMatchObject([
    ["compaction_start", "compaction_end"],
    [{ aborted: true }],
  ]);
  expect(ear.of("compaction_end")[0]?.errorMessage).toBeUndefined();
  await session.prompt("#say goes on");
  expect(ear.said).toBe("goes on");
});
