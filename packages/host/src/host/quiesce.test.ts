import { afterEach, expect, test } from "vitest";
import type { Log } from "../ports/log.ts";
import { Reader, script, type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";
import { silentLog } from "./silent-log.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}) => {
  world = await testHost(options);
  return world.session();
};

test("under a hold a submit is stored and waits; the last release starts it once", async () => {
  const id = await start();
  const [first, second] = [world.host.pause("backup"), world.host.pause("backup")];
  expect(await world.host.submit(id, { text: "one" })).toMatchObject({ disposition: "queued" });
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await world.store.change([]);
  expect(world.driver.connects.all).toEqual([]);
  second[Symbol.dispose]();
  const agent = await world.driver.connections.next();
  await agent.sends.next();
  expect(agent.sends.all.length).toBe(1);
});

test("a session made or loaded under a hold is held too", async () => {
  await start();
  using _hold = world.host.pause("backup");
  const other = await world.session();
  expect(await world.host.submit(other, { text: "one" })).toMatchObject({ disposition: "queued" });
});

test("a drain waits for the open turn and for what it starts, and never aborts it", async () => {
  const id = await start();
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  using _hold = world.host.pause("backup");
  const drained = world.host.drainInFlight({ timeoutMs: 60_000 });
  expect(world.host.listActiveWork()).toMatchObject([{ sessionId: id, kind: "turn", turnId }]);
  agent.say(turnId, "x");
  agent.complete(turnId);
  expect(await drained).toEqual({ stragglerIds: [] });
  expect(world.host.listActiveWork()).toEqual([]);
  expect(agent.aborts.all).toEqual([]);
});

test("a drain that lasts too long names its stragglers; without a hold it warns", async () => {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (event) => warned.push(event) };
  const id = await start({ log });
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  await agent.sends.next();
  const drained = world.host.drainInFlight({ timeoutMs: 1_000 });
  world.clock.advance(1_000);
  expect(await drained).toEqual({ stragglerIds: [id] });
  expect(warned).toContain("drain-without-hold");
  expect(agent.aborts.all).toEqual([]);
});

test("a roll under a hold is drained with its continuation closed, which opens at release", async () => {
  const id = await start();
  const { cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "first");
  await reader.until("chunk", 3);
  const steer = await world.host.submit(id, { text: "two" });
  await agent.steers.next();
  const hold = world.host.pause("backup");
  agent.emit({ type: "steer-boundary", turnId, taken: [steer.inputId] });
  agent.say(turnId, "second");
  await reader.until("message.closed", 3);
  expect(await world.host.drainInFlight({ timeoutMs: 1_000 })).toEqual({ stragglerIds: [] });
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:first", "U:two"]);
  hold[Symbol.dispose]();
  agent.complete(turnId);
  await reader.until("turn.settled");
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:first", "U:two", "A:second"]);
  await reader.stop();
});

// --- shutdown -------------------------------------------------------------------------------------------------------

test("a turn may end within the grace; nothing new is taken; then everything closes once", async () => {
  const id = await start();
  const { cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  const down = world.host.shutdown();
  expect(world.host.shutdown()).toBe(down);
  await expect(world.host.submit(id, { text: "two" })).rejects.toMatchObject({ code: "shutting-down", retry: "later" });
  await expect(world.host.create({})).rejects.toMatchObject({ code: "shutting-down" });
  agent.say(turnId, "done");
  agent.complete(turnId);
  await down;
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
  expect(agent.closes.all).toEqual(["shutdown"]);
  await expect(world.store.change([])).rejects.toMatchObject({ code: "closed" });
  await reader.stop();
});

test("what outlasts the grace ends as interrupted by the shutdown, and a second call shortens it", async () => {
  const id = await start();
  const { cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "some");
  await reader.until("chunk", 3);
  const down = world.host.shutdown({ graceMs: 30_000 });
  world.clock.advance(1_000);
  expect(agent.aborts.all).toEqual([]);
  void world.host.shutdown({ graceMs: 2_000 }).catch(() => {});
  world.clock.advance(2_000);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "interrupted", error: { code: "shutdown" } });
  await down;
  await reader.stop();
});

test("a turn that waits with a durable question is not ended", async () => {
  const id = await start();
  const { cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.ask(turnId, "apr_1", "c1", true);
  await reader.until("turn.waiting");
  await world.host.shutdown();
  expect(agent.closes.all).toEqual(["shutdown"]);
  expect(reader.of("turn.settled")).toEqual([]);
  expect(await world.store.query.turn(1, turnId)).toMatchObject({ status: "waiting" });
  await reader.stop();
});

test("an agent that answers nothing does not keep the host up for ever", async () => {
  const never = () => new Promise<never>(() => {});
  const id = await start({ driver: { behaviour: { abortTurn: never, close: never } } });
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  const reader = new Reader(world.host, id);
  const down = world.host.shutdown({ graceMs: 0 });
  world.clock.advance(0);
  await agent.closes.next();
  world.clock.advance(5_000);
  await reader.until("turn.settled");
  await down;
  expect(await world.store.query.turn(1, turnId)).toMatchObject({ status: "interrupted", reason: "shutdown" });
  await reader.stop();
});
