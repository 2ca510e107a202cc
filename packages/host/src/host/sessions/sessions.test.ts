import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Reader, type TestHost, testHost } from "../../testing/test-host.ts";
import { defaultLimits } from "../limits.ts";

let world: TestHost;
afterEach(() => world.end());

test("a managed workspace is made before the row, a named one must be inside a root", async () => {
  world = await testHost();
  const made = await world.host.create({ title: "T", id: "my-chat" });
  expect((await stat(made.workspace)).isDirectory()).toBe(true);
  expect(made).toMatchObject({ managed: true, title: "T", externalId: "my-chat", state: "idle", agentName: "agent" });
  expect(await world.host.get("my-chat")).toEqual(made);
  await expect(world.host.create({ workspace: "/etc" })).rejects.toMatchObject({ code: "bad-workspace" });
  const inside = join(world.dataDir, "workspaces", "shared");
  await mkdir(inside);
  expect(await world.host.create({ workspace: inside })).toMatchObject({ managed: false });
});

test.each([{ id: "ses_x" }, { id: "a b" }, { id: "" }, { permissionMode: "yolo" as never }])(
  "%j is refused",
  async (given) => {
    world = await testHost();
    await expect(world.host.create(given)).rejects.toMatchObject({ code: "bad-session" });
  },
);

test("an own id is unique, also at once", async () => {
  world = await testHost();
  const both = await Promise.allSettled([1, 2].map(() => world.host.create({ id: "same" })));
  expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(world.host.create({ id: "same" })).rejects.toMatchObject({ code: "session-exists" });
});

test("what is at rest leaves memory and comes back as it was; what is not stays", async () => {
  world = await testHost({ driver: { mode: "echo" }, limits: { timerMs: { ...defaultLimits.timerMs, idle: 1_000 } } });
  const id = await world.session();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  await reader.until("turn.settled");
  const agent = await world.driver.connections.next();
  world.clock.advance(1_000);
  await agent.closes.next();
  await world.pass(30_000, 4);
  const before = await world.store.claim(1); // nobody else may have it: who loads it again claims it again
  await world.host.submit(id, { text: "two" });
  expect(await reader.until("turn.settled", 2)).toMatchObject({ outcome: "completed" });
  expect(await world.store.claim(1)).toBe(before + 2);
  await reader.stop();
});

test("title and mode are stored, told, and survive", async () => {
  world = await testHost();
  const id = await world.session();
  const reader = new Reader(world.host, id);
  expect(await world.host.update(id, { title: "New", permissionMode: "plan" })).toMatchObject({
    title: "New",
    permissionMode: "plan",
  });
  expect(await reader.until("session.changed")).toMatchObject({ change: { title: "New", permissionMode: "plan" } });
  expect(await (await world.restart()).get(id)).toMatchObject({ title: "New", permissionMode: "plan" });
  await expect(world.host.update(id, { permissionMode: "yolo" as never })).rejects.toMatchObject({
    code: "bad-session",
  });
  await reader.stop();
});

test("what the agent says of title and mode is the session's", async () => {
  world = await testHost();
  const id = await world.session();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.emit({ type: "title", title: "Named" });
  agent.emit({ type: "config-changed", permissionMode: "plan" });
  await reader.until("session.changed", 2);
  expect(await world.host.get(id)).toMatchObject({ title: "Named", permissionMode: "plan" });
  const write = { toolCallId: "c", toolName: "write", input: {}, category: "write", paths: [], turnId } as const;
  expect(await agent.input.policy.decide(write)).toMatchObject({ deny: expect.any(String) });
  await reader.stop();
});

test("removed is hidden and its turn stopped; restored it is back; swept it is gone", async () => {
  world = await testHost();
  const id = await world.session();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  await agent.sends.next();
  await world.host.remove(id);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "stopped" });
  await expect(world.host.get(id)).rejects.toMatchObject({ code: "no-such-session" });
  await expect(world.host.submit(id, { text: "x" })).rejects.toMatchObject({ code: "no-such-session" });
  expect((await world.host.list()).items).toEqual([]);
  expect(await world.host.restore(id)).toMatchObject({ id, removedAt: null });
  expect((await world.host.list()).items.map((item) => item.id)).toEqual([id]);
  await world.host.remove(id);
  await world.pass(60_000, 12);
  expect(await world.store.query.session(id)).toBeNull();
  await reader.stop();
});
