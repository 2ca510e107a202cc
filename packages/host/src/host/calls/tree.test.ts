import { afterEach, expect, test } from "vitest";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, script, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());

/** A session whose agent said `A1` to `U1` and so on. */
async function spoken(turns: number, options: TestHostOptions = {}): Promise<{ id: string; agent: FakeConnection }> {
  world = await testHost(options);
  const id = await world.session();
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  for (let n = 1; n <= turns; n++) {
    await world.host.submit(id, { text: `U${n}` });
    const agent = world.driver.connections.all[0] ?? (await world.driver.connections.next());
    const { turnId } = await agent.sends.next();
    agent.say(turnId, `A${n}`);
    agent.complete(turnId);
    await reader.until("turn.settled", n);
  }
  await reader.stop();
  const [agent] = world.driver.connections.all;
  if (agent === undefined) throw new TypeError("no agent");
  return { id, agent };
}
const shown = async (id: string): Promise<string[]> => script((await world.host.messages(id)).messages);
const branch = async (id: string): Promise<string[]> => {
  const { leaf, rows } = await world.host.tree.read(id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const names: string[] = [];
  for (let row = byId.get(leaf ?? ""); row; row = byId.get(row.parentId ?? "")) names.unshift(row.label ?? row.role);
  return names;
};

test("an entry stands on the branch, the conversation goes on behind it, and no agent is told it", async () => {
  const { id, agent } = await spoken(1);
  const entry = await world.host.tree.append(id, { label: "custom", metadata: { count: 1 } });
  const { leaf, rows } = await world.host.tree.read(id);
  expect(leaf).toBe(entry);
  expect(rows.at(-1)).toMatchObject({ id: entry, kind: "entry", label: "custom", metadata: { count: 1 }, parts: [] });
  await world.host.submit(id, { text: "U2" });
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "A2");
  expect(await branch(id)).toEqual(["user", "assistant", "custom", "user", "assistant"]);
  expect((await agent.input.history()).length).toBe(2);
});

test("while a message is written an entry waits for its end, and is there when it is promised", async () => {
  const { id, agent } = await spoken(1);
  await world.host.submit(id, { text: "U2" });
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "A2");
  const appended = world.host.tree.append(id, { label: "label", metadata: { label: "here" } });
  agent.complete(turnId);
  const entry = await appended;
  expect((await world.host.tree.read(id)).leaf).toBe(entry);
  expect(await branch(id)).toEqual(["user", "assistant", "user", "assistant", "label"]);
  const restarted = await world.restart();
  expect((await restarted.tree.read(id)).leaf).toBe(entry);
});

test("the branch moves back, with a summary of what is left, and the agent goes on from there", async () => {
  const { id } = await spoken(2);
  const [first, answer] = (await world.host.messages(id)).messages.map((message) => message.id);
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  const end = await world.host.tree.move(id, { leaf: answer ?? "", entry: { label: "branch_summary" } });
  expect(await reader.until("session.changed")).toMatchObject({ change: { leaf: answer } });
  expect([await shown(id), await branch(id)]).toEqual([
    ["U:U1", "A:A1"],
    ["user", "assistant", "branch_summary"],
  ]);
  await world.host.submit(id, { text: "U2b" });
  const agent = await world.driver.connections.next();
  expect((await agent.input.history()).map((entry) => entry.kind === "message" && entry.message.id)).toEqual([
    first,
    answer,
  ]);
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "A2b");
  agent.complete(turnId);
  await reader.until("turn.settled");
  await reader.stop();
  expect(await shown(id)).toEqual(["U:U1", "A:A1", "U:U2b", "A:A2b"]);
  expect((await world.host.tree.read(id)).rows.filter((row) => row.parentId === end).length).toBe(1);
  expect(await world.host.tree.move(id, { leaf: null })).toBeNull();
  expect(await shown(id)).toEqual([]);
});

test("an entry that is told is part of what the agent knows, and of a copy of the session", async () => {
  const { id } = await spoken(1);
  const parts = [{ type: "text", text: "told" }] as const;
  await world.host.tree.append(id, { label: "branch_summary", parts, told: true });
  const copy = await world.host.import({ document: await world.host.export(id, "json") });
  for (const session of [id, copy.id]) {
    await world.host.close(session);
    await world.host.submit(session, { text: "U2" });
    const agent = await world.driver.connections.next();
    const history = (await agent.input.history()).flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
    expect(history.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(history.at(-1)?.parts).toEqual(parts);
  }
  expect((await shown(id)).slice(0, 2)).toEqual(["U:U1", "A:A1"]); // people are shown messages
});

test("what cannot be is refused, and nothing moves", async () => {
  const { id, agent } = await spoken(1);
  const { tree } = world.host;
  await expect(tree.append(id, { label: "compaction" })).rejects.toMatchObject({ code: "bad-entry" });
  await expect(tree.append(id, { label: "Not this" })).rejects.toMatchObject({ code: "bad-entry" });
  await expect(tree.move(id, { leaf: "msg_none" })).rejects.toMatchObject({ code: "no-such-message" });
  await expect(tree.read("ses_none")).rejects.toMatchObject({ code: "no-such-session" });
  await world.host.submit(id, { text: "U2" });
  await agent.sends.next();
  await expect(tree.move(id, { leaf: null })).rejects.toMatchObject({ code: "session-busy" });
  expect((await tree.read(id)).rows.length).toBe(4);
});

test("an agent that keeps its history itself is not moved in it", async () => {
  const { id } = await spoken(1, { driver: { capabilities: { history: "native" } } });
  await expect(world.host.tree.move(id, { leaf: null })).rejects.toMatchObject({ code: "rewind-unsupported" });
});
