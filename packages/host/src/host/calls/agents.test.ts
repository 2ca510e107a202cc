import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type TestHost, testHost } from "../../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());

test("add, get by id or name, update, remove", async () => {
  world = await testHost();
  const { agents } = world.host;
  const made = await agents.add({ name: "second", driver: "fake", permissionMode: "plan", queueAfter: "run" });
  expect(made).toMatchObject({ name: "second", model: null, permissionMode: "plan", queueAfter: "run", revision: 1 });
  expect(await agents.get("second")).toEqual(made);
  expect(await agents.get(made.id)).toEqual(made);
  expect(await agents.update("second", { model: "m9" })).toMatchObject({
    model: "m9",
    permissionMode: "plan",
    revision: 2,
  });
  expect((await agents.list()).map((row) => row.name)).toEqual(["agent", "second"]);
  await agents.remove("second");
  await expect(agents.get("second")).rejects.toMatchObject({ code: "no-such-agent" });
  expect((await (await world.restart()).agents.list()).map((row) => row.name)).toEqual(["agent"]);
});

test.each([
  [{ name: "agent", driver: "fake" }, "name"],
  [{ name: "", driver: "fake" }, "name"],
  [{ name: "x", driver: "none" }, "driver"],
  [{ name: "x", driver: "fake", permissionMode: "yolo" as never }, "permissionMode"],
])("%j is refused with the field", async (agent, field) => {
  world = await testHost();
  await expect(world.host.agents.add(agent)).rejects.toMatchObject({ code: "bad-agent", detail: { field } });
});

test("two of a name at once: one wins", async () => {
  world = await testHost();
  const both = await Promise.allSettled([1, 2].map(() => world.host.agents.add({ name: "twin", driver: "fake" })));
  expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a key goes to the secrets file and to the driver at connect, and into no row or event", async () => {
  world = await testHost({ agent: { provider: { kind: "openai", apiKey: "key-1", baseUrl: "http://x" } } });
  const row = await world.host.agents.get("agent");
  expect(row.provider).toEqual({ kind: "openai", baseUrl: "http://x" });
  expect(JSON.stringify(await world.store.query.agents())).not.toContain("key-1");
  expect(await readFile(join(world.dataDir, "secrets.json"), "utf8")).toContain("key-1");
  await world.host.submit(await world.session(), { text: "hi" });
  const { input } = await world.driver.connections.next();
  expect(input.credentials).toEqual({ provider: "openai", apiKey: "key-1", baseUrl: "http://x" });
  expect(Object.keys(input.env)).toEqual(["HOME"]);
  expect(input.home).toBe(join(world.dataDir, "homes", row.id));
});

test("an agent whose key's variable is not set is not ready, so it is nobody's default", async () => {
  world = await testHost({ env: { THERE: "key" } });
  const { agents } = world.host;
  const provider = (apiKeyEnv: string) => ({ kind: "openai-compatible", apiKeyEnv });
  await agents.add({ name: "lacks", driver: "fake", provider: provider("NOT_THERE") });
  expect((await agents.default())?.name).toBe("agent");
  await agents.add({ name: "has", driver: "fake", provider: provider("THERE") });
  expect((await agents.default())?.name).toBe("has");
});

test("the default is the one set, else the first that is ready", async () => {
  world = await testHost();
  const { agents } = world.host;
  await agents.add({ name: "second", driver: "fake", model: "m" });
  expect((await agents.default())?.name).toBe("agent");
  await agents.setDefault("second");
  expect((await agents.default())?.name).toBe("second");
  expect((await (await world.restart()).agents.default())?.name).toBe("second");
});

test("with none ready a session says so", async () => {
  world = await testHost({ driver: { readiness: { credentials: "missing" } } });
  expect(await world.host.agents.default()).toBeNull();
  await expect(world.host.create({})).rejects.toMatchObject({ code: "no-agent" });
  expect(await world.host.drivers()).toMatchObject([{ type: "fake", readiness: { credentials: "missing" } }]);
});

test("a changed model reaches a warm idle connection before its next turn", async () => {
  world = await testHost({ driver: { mode: "echo" } });
  const id = await world.session();
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  await agent.sends.next();
  await world.store.change([]);
  await world.host.agents.update("agent", { model: "m2" });
  expect((await agent.targets.next()).model).toBe("m2");
  expect(agent.closes.all).toEqual([]);
});
