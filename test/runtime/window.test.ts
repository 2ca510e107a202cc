/** A model that cannot hold everything, answers too much or says nothing: what the runtime tells of it. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import { defaultLimits } from "@mooring/host";
import {
  type AgentSessionEvent,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  type RuntimeHostOptions,
  SessionManager,
} from "@mooring/host/runtime";
import { NamedPipe } from "@mooring/host/testing";
import { scriptedModel } from "@mooring/scripted-model";
import { APICallError, wrapLanguageModel } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { Ear, latch, RuntimeWorld, type StoreKind } from "./runtime-world.ts";

type Model = ReturnType<typeof wrapLanguageModel>;
async function worldOf(
  model: () => Model,
  store: StoreKind = "memory",
  more: Partial<RuntimeHostOptions> = {},
): Promise<RuntimeWorld> {
  const world = await RuntimeWorld.open(store, { drivers: [loopDriver({ models: { scripted: model } })], ...more });
  onTestFinished(() => world.end());
  return world;
}
/** The kinds of events, without those that come as often as the agent likes. */
const courseOf = (ear: Ear): string[] => ear.course.filter((type) => !/^(message|turn)_/.test(type));
const compactions = (ear: Ear): AgentSessionEvent[] => [...ear.of("compaction_start"), ...ear.of("compaction_end")];

test("B084: while a run compacts, a prompt is refused, and a follow-up waits for it", async () => {
  const world = await worldOf(scriptedModel);
  const provider = { kind: "scripted" } as const;
  const driverOptions = { contextWindow: 1_000 };
  await world.host.stored.agents.add({ name: "small", driver: "loop", model: "scripted", provider, driverOptions });
  const [begun, goOn] = [latch(), latch()];
  const session = await world.session(
    [
      (pi) =>
        pi.on("session_before_compact", async () => {
          begun.open();
          await goOn.opened;
        }),
    ],
    { agent: "small" },
  );
  await session.prompt("#usage 790 20\n#say first");
  const ear = new Ear(session);
  const running = session.prompt("#say second");
  await begun.opened;
  await expect(session.prompt("#say lost")).rejects.toMatchObject({ code: "session-busy" });
  await session.prompt("#say third", { streamingBehavior: "followUp" });
  goOn.open();
  await running;
  expect(ear.said).toBe("secondthird");
  expect(compactions(ear)).toMatchObject([{ reason: "threshold" }, { reason: "threshold", aborted: false }]);
  expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: false }]);
  const course = courseOf(ear);
  expect(course.indexOf("compaction_end")).toBeLessThan(course.indexOf("agent_settled"));
});

/** Refuses a request that is longer than it was told, as a provider does. */
function narrowModel(): Model {
  const tooLong = { url: "http://x", requestBodyValues: {}, statusCode: 400, message: "prompt is too long" };
  return wrapLanguageModel({
    model: scriptedModel(),
    middleware: {
      wrapStream: async ({ doStream, params }) => {
        if (params.prompt.filter(({ role }) => role !== "system").length > 3) throw new APICallError(tooLong);
        return doStream();
      },
    },
  });
}
test("B105: a request that is too long is sent once more behind a compaction, in a run that settles once", async () => {
  const session = await (await worldOf(narrowModel)).session();
  await session.prompt("#say one");
  await session.prompt("#say two");
  const ear = new Ear(session);
  await session.prompt("#say three");
  expect(compactions(ear)).toMatchObject([{ reason: "overflow" }, { reason: "overflow", willRetry: true }]);
  expect(ear.said).toBe("three");
  expect(courseOf(ear).at(-1)).toBe("agent_settled");
  expect(ear.of("agent_end").map(({ willRetry }) => willRetry)).toEqual([false]);
  expect(ear.of("agent_settled").length).toBe(1);
});

/** Its first answer ends at the output limit. */
function cutModel(): Model {
  const scripted = scriptedModel();
  return wrapLanguageModel({
    model: scripted,
    middleware: {
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        if (scripted.requests.length > 1) return { stream, ...rest };
        const cut = new TransformStream<typeof stream extends ReadableStream<infer P> ? P : never>({
          transform: (part, out) =>
            out.enqueue(part.type === "finish" ? { ...part, finishReason: { unified: "length", raw: "cut" } } : part),
        });
        return { stream: stream.pipeThrough(cut), ...rest };
      },
    },
  });
}
test("B128: calls of an answer that was cut are not made and no gate is asked; the model is told, and goes on", async () => {
  const world = await worldOf(cutModel);
  const asked: string[] = [];
  const session = await world.session([(pi) => pi.on("tool_call", ({ toolName }) => void asked.push(toolName))]);
  const ear = new Ear(session);
  await session.prompt("#bash touch made\n#say ok");
  expect([asked, existsSync(join(world.cwd, "made"))]).toEqual([[], false]);
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true }]);
  expect([ear.said, ear.of("agent_settled").length]).toEqual(["ok", 1]);
});

test("B108: a model that hangs is given up after a while: the answer failed, the run settles", async () => {
  const limits = { timerMs: { ...defaultLimits.timerMs, silence: 50 } };
  const session = await (await worldOf(scriptedModel, "memory", { limits })).session();
  const ear = new Ear(session);
  await session.prompt("#hang");
  expect(ear.of("message_end").at(-1)?.message).toMatchObject({ role: "assistant", stopReason: "error" });
  expect(ear.of("agent_settled").length).toBe(1);
  expect(session.isIdle).toBe(true);
});

test("B120: a stop does not wait for a tool that will not hear of it", async () => {
  const world = await worldOf(scriptedModel);
  const session = await world.session();
  const ear = new Ear(session);
  const deaf = NamedPipe.make(join(world.cwd, "deaf"));
  const running = session.prompt(`#bash trap '' TERM INT HUP; cat ${deaf.path}; while true; do sleep 0.1; done`);
  await (await deaf.hold()).close(); // it does not hear signals from here on
  await session.abort();
  await running;
  expect(ear.of("tool_execution_end")).toMatchObject([{ isError: true }]);
  expect(ear.of("agent_settled")).toMatchObject([{ aborted: true }]);
});

test("B067: where sessions are kept need not be there: an import makes it", async () => {
  const world = await worldOf(scriptedModel, "sqlite");
  const path = join(world.place, "one.jsonl");
  const header = { type: "session", version: 3, id: "one", cwd: world.cwd };
  const said = { type: "message", id: "a", parentId: null, message: { role: "user", content: "hello" } };
  await writeFile(path, `${JSON.stringify(header)}\n${JSON.stringify(said)}\n`);
  const { cwd, agentDir, host } = world;
  const runtime = await createAgentSessionRuntime(
    async ({ sessionManager, sessionStartEvent }) => {
      const services = await world.services();
      const made = await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent });
      return { ...made, services, diagnostics: services.diagnostics };
    },
    { cwd, agentDir, host, sessionManager: SessionManager.create(cwd) },
  );
  await runtime.importFromJsonl(path);
  expect(await runtime.session.getMessages()).toMatchObject([{ role: "user", content: "hello" }]);
});
