/**
 * The session runtime over the real Claude Code: what its capabilities give works as over any driver, the rest is refused
 * by name. The agent keeps its history itself, so what is said here is seen in what its model is asked.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claudeCodeDriver } from "@mooring/driver-claude-code";
import {
  type AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  createAgentSessionServices,
  ModelRuntime,
  SessionManager,
} from "@mooring/host/runtime";
import { NamedPipe } from "@mooring/host/testing";
import { type ScriptedServer, startScriptedServer } from "@mooring/scripted-model/server";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { Ear, RuntimeWorld } from "../../runtime/runtime-world.ts";
import { agentsDirectory, model } from "../claude-code/desk.ts";
import { realTest } from "../claude-code/real-test.ts";

let world: RuntimeWorld;
let server: ScriptedServer;
beforeAll(async () => {
  if (inject("agentsMissing") !== null) return;
  const drivers = [claudeCodeDriver({ projectDir: agentsDirectory })];
  world = await RuntimeWorld.open("memory", { drivers, env: { PATH: "/usr/local/bin:/usr/bin:/bin" } });
  server = await startScriptedServer();
  const provider = { kind: "anthropic", apiKey: "dummy", baseUrl: server.url } as const;
  const agent = { name: "claude", driver: "claude-code", model, provider } as const;
  await world.host.stored.agents.add({ ...agent, permissionMode: "bypassPermissions" });
});
afterAll(async () => {
  if (inject("agentsMissing") !== null) return;
  await world.end();
  await server.close();
});

const runtimeOf = (): Promise<AgentSessionRuntime> =>
  createAgentSessionRuntime(
    async ({ cwd, agentDir, host, sessionManager, sessionStartEvent }) => {
      const modelRuntime = await ModelRuntime.create({ authPath: null, modelsPath: null });
      const services = await createAgentSessionServices({ cwd, agentDir, host, modelRuntime });
      const options = { services, sessionManager, sessionStartEvent, agent: "claude" };
      return { ...(await createAgentSessionFromServices(options)), services, diagnostics: services.diagnostics };
    },
    { cwd: world.cwd, agentDir: world.agentDir, host: world.host, sessionManager: SessionManager.create(world.cwd) },
  );
const asked = (): string => JSON.stringify(server.requests.at(-1));

realTest("a prompt with a tool, a steer into it, a stop: each run is settled once", async () => {
  const runtime = await runtimeOf();
  const { session } = runtime;
  const ear = new Ear(session);
  const pipe = NamedPipe.make(join(world.cwd, "held"));
  const running = session.prompt(`#bash cat ${pipe.path}\n#say heard`);
  const held = await pipe.hold();
  await session.prompt("mark-steer too", { streamingBehavior: "steer" });
  await held.close();
  await running;
  expect(asked()).toContain("mark-steer");
  expect(ear.of("tool_execution_end").map(({ isError }) => isError)).toEqual([false]);
  expect(ear.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: false }]);

  const stopped = session.prompt("#bash sleep 60\n#say never");
  await ear.until("tool_execution_start", 2);
  await session.abort();
  await stopped;
  expect(ear.of("agent_settled").map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(session.isIdle).toBe(true);
  await session.prompt("#say after all");
  expect(ear.said).toContain("after all");
  expect(ear.of("agent_settled").length).toBe(3);
  await runtime.dispose();
});

realTest("a new session knows nothing, the old one goes on, a fork knows what came before it", async () => {
  const runtime = await runtimeOf();
  await runtime.session.prompt("#say mark-first");
  const first = runtime.session.sessionFile ?? "";
  await runtime.session.prompt("#say mark-second");
  await runtime.newSession();
  await runtime.session.prompt("#say elsewhere");
  expect(asked()).not.toContain("mark-first");
  await runtime.switchSession(first);
  expect((await runtime.session.getMessages()).length).toBe(4);
  await runtime.session.prompt("#say back");
  expect(asked()).toContain("mark-second");
  const entry = (await runtime.session.getUserMessagesForForking())[1]?.entryId ?? "";
  expect(await runtime.fork(entry)).toEqual({ cancelled: false, selectedText: "#say mark-second" });
  expect(runtime.session.sessionId).not.toBe(first);
  await runtime.session.prompt("#say forked");
  expect(asked()).toContain("mark-first");
  expect(asked()).not.toContain("mark-second");
  await runtime.dispose();
});

realTest("what its capabilities do not give is refused by name, and the session stays", async () => {
  const runtime = await runtimeOf();
  await runtime.session.prompt("#say one");
  await runtime.session.prompt("#say two");
  const [first] = await runtime.session.getUserMessagesForForking();
  await expect(runtime.session.navigateTree(first?.entryId ?? "")).rejects.toMatchObject({
    code: "rewind-unsupported",
  });
  await runtime.session.prompt("#say three");
  expect(asked()).toContain("two");
  await runtime.dispose();
});

realTest("what is exported is imported: the agent begins anew, told what was said", async () => {
  const runtime = await runtimeOf();
  await runtime.session.prompt("#bash echo mark-made\n#say mark-said");
  const path = join(world.place, "out.jsonl");
  await writeFile(path, await runtime.session.exportToJsonl());
  await runtime.importFromJsonl(path);
  expect(runtime.session.sessionId).toMatch(/-1$/);
  const ear = new Ear(runtime.session);
  await runtime.session.prompt("#say onwards");
  expect(ear.said).toBe("onwards");
  expect(asked()).toContain("mark-said");
  expect((await runtime.session.getMessages()).at(-1)).toMatchObject({ role: "assistant" });
  await runtime.dispose();
});
