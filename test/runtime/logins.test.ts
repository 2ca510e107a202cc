/** Logins that expire: refreshed once when they are due, written back, and sent with what is asked next. */
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  type AgentSessionServices,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  createAgentSessionServices,
  ModelRuntime,
  type OAuthCredentials,
  SessionManager,
} from "@mooring/host/runtime";
import { type ScriptedServer, startScriptedServer } from "@mooring/scripted-model/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RuntimeWorld } from "./runtime-world.ts";

let world: RuntimeWorld;
let model: ScriptedServer;
let front: Server;
/** Keys as the provider got them. */
let keys: (string | undefined)[] = [];
let authPath = "";
beforeEach(async () => {
  keys = [];
  world = await RuntimeWorld.open();
  model = await startScriptedServer({ port: 0 });
  front = createServer(async (request, response) => {
    keys.push(request.headers.authorization?.replace("Bearer ", ""));
    const body = await text(request);
    const answer = await fetch(`${model.url}${request.url}`, { method: "POST", body });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  await mkdir(world.agentDir, { recursive: true });
  authPath = join(world.agentDir, "auth.json");
});
afterEach(async () => {
  front.close();
  front.closeAllConnections();
  await model.close();
  await world.end();
});

const hour = 3_600_000;
const credentials = (access: string, expires: number): OAuthCredentials => ({
  access,
  refresh: `r-${access}`,
  expires,
});
const inFile = async (): Promise<unknown> => JSON.parse(await readFile(authPath, "utf8"));
const keepInFile = (login: OAuthCredentials): Promise<void> =>
  writeFile(authPath, JSON.stringify({ mine: { type: "oauth", ...login }, other: { type: "api_key", key: "sk" } }));

type Refresh = (old: OAuthCredentials) => Promise<OAuthCredentials>;
async function modelsWith(refreshToken: Refresh): Promise<ModelRuntime> {
  const modelRuntime = await ModelRuntime.create({ authPath, modelsPath: null });
  const { port } = front.address() as AddressInfo;
  modelRuntime.registerProvider("mine", {
    kind: "openai-compatible",
    baseUrl: `http://127.0.0.1:${port}/v1`,
    oauth: { refreshToken },
    models: [{ id: "m1" }],
  });
  return modelRuntime;
}
const servicesWith = async (modelRuntime: ModelRuntime): Promise<AgentSessionServices> =>
  createAgentSessionServices({ cwd: world.cwd, agentDir: world.agentDir, host: world.host, modelRuntime });

test("one that is due is refreshed before a request, once for all who need it; what is good is used as it is", async () => {
  await keepInFile(credentials("old", 1));
  const asked: string[] = [];
  const modelRuntime = await modelsWith(async ({ access }) => {
    asked.push(access);
    return credentials(`${access}+`, asked.length === 1 ? 2 : Date.now() + hour);
  });
  expect(modelRuntime.hasConfiguredAuth("mine")).toBe(true);
  const both = await Promise.all([modelRuntime.resolveApiKey("mine"), modelRuntime.resolveApiKey("mine")]);
  expect([both, asked]).toEqual([["old+", "old+"], ["old"]]);
  const services = await servicesWith(modelRuntime);
  const { session } = await createAgentSessionFromServices({
    services,
    sessionManager: SessionManager.create(world.cwd),
  });
  await session.prompt("#say one");
  await session.prompt("#say two");
  expect([keys, asked]).toEqual([
    ["old++", "old++"],
    ["old", "old+"],
  ]);
  await session.dispose();
});

test("one that runs out between two prompts is refreshed, and the agent gets the new key", async () => {
  await keepInFile(credentials("a", Date.now() + hour));
  let next = credentials("b", 1);
  const modelRuntime = await modelsWith(async () => next);
  const services = await servicesWith(modelRuntime);
  const manager = SessionManager.create(world.cwd);
  const { session } = await createAgentSessionFromServices({ services, sessionManager: manager });
  await session.prompt("#say one");
  await session.dispose();
  await keepInFile(credentials("a", 1));
  const later = await servicesWith(await modelsWith(async () => next));
  const opened = SessionManager.open(manager.getSessionId());
  const again = (await createAgentSessionFromServices({ services: later, sessionManager: opened })).session;
  await again.prompt("#say two"); // still due after it: refreshed before each
  next = credentials("c", Date.now() + hour);
  await again.prompt("#say three");
  await again.prompt("#say four");
  expect(keys).toEqual(["a", "b", "c", "c"]);
  await again.dispose();
});

test("B072: dispose waits until a refresh under way is written; the rest of the file stays", async () => {
  await keepInFile(credentials("old", 1));
  const refreshed = Promise.withResolvers<OAuthCredentials>();
  const modelRuntime = await modelsWith(() => refreshed.promise);
  await world.host.stored.agents.add({ name: "agent", driver: "loop", model: "scripted" });
  const runtime = await createAgentSessionRuntime(
    async ({ sessionManager, sessionStartEvent }) => {
      const services = await servicesWith(modelRuntime);
      const made = await createAgentSessionFromServices({
        services,
        sessionManager,
        sessionStartEvent,
        agent: "agent",
      });
      return { ...made, services, diagnostics: services.diagnostics };
    },
    {
      cwd: world.cwd,
      agentDir: world.agentDir,
      host: world.host,
      sessionManager: SessionManager.create(world.cwd),
    },
  );
  const key = modelRuntime.resolveApiKey("mine");
  const course: string[] = [];
  const disposed = runtime.dispose().then(() => course.push("disposed"));
  await Promise.race([disposed, new Promise((resolve) => setImmediate(resolve))]);
  course.push("refreshed");
  const fresh = credentials("new", Date.now() + hour);
  refreshed.resolve(fresh);
  await disposed;
  expect([await key, course]).toEqual(["new", ["refreshed", "disposed"]]);
  expect(await inFile()).toEqual({ mine: { ...fresh, type: "oauth" }, other: { type: "api_key", key: "sk" } });
  expect((await stat(authPath)).mode & 0o777).toBe(0o600);
});

test("one that cannot be refreshed says what to do and leaves the file; nothing is sent", async () => {
  await keepInFile(credentials("old", 1));
  const before = await inFile();
  const modelRuntime = await modelsWith(() => Promise.reject(new TypeError("revoked")));
  await expect(modelRuntime.resolveApiKey("mine")).rejects.toMatchObject({
    code: "login-not-refreshed",
    message: expect.stringMatching(/"mine" .*revoked.* Log in again/),
  });
  const services = await servicesWith(modelRuntime);
  const made = createAgentSessionFromServices({ services, sessionManager: SessionManager.create(world.cwd) });
  await expect(made).rejects.toMatchObject({ code: "login-not-refreshed" });
  await modelRuntime.settled();
  expect([await inFile(), keys]).toEqual([before, []]);
});
