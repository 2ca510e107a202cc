import { afterEach, expect, test } from "vitest";
import type { InputId } from "../../protocol/ids.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import { defaultLimits } from "../limits.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}): Promise<string> => {
  world = await testHost(options);
  return world.session();
};
/** A promise and what resolves it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test("a connection that opens after its deadline is closed unused, and nothing is sent to it", async () => {
  const { opened, open } = gate();
  let first = true;
  const connecting = async (): Promise<void> => {
    const wait = first;
    first = false;
    if (wait) await opened;
  };
  const id = await start({ driver: { connecting } });
  await world.host.submit(id, { text: "one" });
  await world.driver.connects.next();
  world.clock.advance(60_000);
  open();
  const late = await world.driver.connections.next();
  expect(await late.closes.next()).toBe("failure");
  const agent = await world.driver.connections.next(); // tried once more
  await agent.sends.next();
  expect(late.sends.all).toEqual([]);
});

test("one that never opens is given up: the turn fails in bounded time", async () => {
  const id = await start({ driver: { connecting: () => new Promise(() => {}) } });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  await world.driver.connects.next();
  world.clock.advance(65_000);
  await world.driver.connects.next();
  world.clock.advance(65_000);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "failed", error: { code: "connect-timeout" } });
  await reader.stop();
});

test("what a connection says while it closes is heard before its end", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  await reader.until("turn.settled");
  const agent = await world.driver.connections.next();
  agent.behaviour.close = async () => {
    agent.emit({ type: "notice", level: "info", code: "bye", text: "bye" });
    agent.emit({ type: "resume-token", token: "last" });
    agent.events.end();
    return { returned: [] };
  };
  await world.host.close(id);
  await reader.until("notice");
  await world.host.submit(id, { text: "two" });
  await world.driver.connects.next();
  expect((await world.driver.connects.next()).resumeToken).toBe("last");
  await reader.stop();
});

test("a close that fails is a close", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  await reader.until("turn.settled");
  const agent = await world.driver.connections.next();
  agent.behaviour.close = async () => {
    agent.events.end();
    throw new TypeError("broken");
  };
  await world.host.close(id);
  await world.host.submit(id, { text: "two" });
  expect((await (await world.driver.connections.next()).sends.next()).parts).toEqual([{ type: "text", text: "two" }]);
  await reader.stop();
});

test("a send that fails ends the turn and says why, without the key", async () => {
  const send = () => Promise.reject(new TypeError("refused key-123456"));
  world = await testHost({ driver: { behaviour: { send } }, agent: { provider: { apiKey: "key-123456" } } });
  const id = await world.session();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const settled = await reader.until("turn.settled");
  expect(settled).toMatchObject({ outcome: "failed", error: { code: "send-failed" } });
  expect(JSON.stringify(settled)).not.toContain("key-123456");
  await reader.stop();
});

test("steers a connection gives back at its end are untaken; those it does not name are uncertain", async () => {
  const id = await start();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "x");
  const [given, kept] = [await world.host.submit(id, { text: "a" }), await world.host.submit(id, { text: "b" })];
  await agent.steers.next();
  await agent.steers.next();
  const returned: readonly InputId[] = [given.inputId];
  agent.behaviour.close = async () => ({ returned });
  agent.events.end();
  await reader.until("turn.settled");
  expect(await world.host.inputs(id).get(given.inputId)).toMatchObject({ state: "held", reason: "failed" });
  expect(await world.host.inputs(id).get(kept.inputId)).toMatchObject({ state: "held", reason: "uncertain" });
  await reader.stop();
});

test("events a driver invents or repeats end nothing and are logged once", async () => {
  const logged: unknown[] = [];
  const nothing = (): void => {};
  const log = {
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (event: string, fields = {}) => logged.push([event, fields]),
  };
  const id = await start({ log });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  for (const odd of [{ type: "invented" }, { type: "chunk", turnId }, { type: "invented" }])
    agent.events.push(odd as never);
  agent.say("trn_none", "stray");
  agent.say(turnId, "x");
  agent.complete(turnId);
  agent.complete(turnId);
  await reader.until("turn.settled");
  expect(reader.of("chunk").length).toBe(3);
  const violations = logged.filter((entry) => Array.isArray(entry) && entry[0] === "driver-violation");
  expect(violations.length).toBeGreaterThanOrEqual(3);
  expect(new Set(violations.map((entry) => JSON.stringify(entry))).size).toBe(violations.length);
  await reader.stop();
});

test("with a full pool an idle connection makes room, and who waits is not late", async () => {
  world = await testHost({ limits: { connections: 1, timerMs: { ...defaultLimits.timerMs, idle: 10_000_000 } } });
  const [a, b] = [await world.session(), await world.session()];
  const reader = new Reader(world.host, a, (await world.host.submit(a, { text: "one" })).cursor);
  const first = await world.driver.connections.next();
  const { turnId } = await first.sends.next();
  await world.host.submit(b, { text: "two" });
  await world.store.change([]);
  world.clock.advance(120_000); // twice its time to connect
  expect(world.driver.connects.all.length).toBe(1);
  first.say(turnId, "x");
  first.complete(turnId);
  await reader.until("turn.settled");
  expect(await first.closes.next()).toBe("reap");
  const second = await world.driver.connections.next();
  expect((await second.sends.next()).parts).toEqual([{ type: "text", text: "two" }]);
  await reader.stop();
});

test("a connection that is at rest and still has something to do makes no room", async () => {
  world = await testHost({ driver: { mode: "echo" }, limits: { connections: 1 } });
  const [a, b] = [await world.session(), await world.session()];
  const reader = new Reader(world.host, a, (await world.host.submit(a, { text: "one" })).cursor);
  await reader.until("turn.settled");
  const first = await world.driver.connections.next();
  await world.host.compact(a);
  await reader.until("compaction");
  await world.host.submit(b, { text: "two" });
  await world.host.update(a, { title: "it settles once more" });
  expect(await world.host.get(a)).toMatchObject({ title: "it settles once more" });
  expect(first.closes.all).toEqual([]);
  const next = new Reader(world.host, b);
  first.emit({ type: "compaction-complete", done: null });
  expect(await first.closes.next()).toBe("reap");
  expect(await next.until("turn.settled")).toMatchObject({ outcome: "completed" });
  await Promise.all([reader.stop(), next.stop()]);
});

test("a turn the agent begins itself is shown, and a user's turn caught by it is sent once", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  await reader.until("turn.settled");
  const agent = await world.driver.connections.next();
  agent.emit({ type: "autonomous-turn-state", turnId: "t1", state: "started", origin: "wake" });
  agent.say("t1", "awake");
  expect(await reader.until("turn.started", 2)).toMatchObject({ origin: "agent", source: "wake" });
  const { turnId } = await reader.until("turn.started", 2);
  expect(turnId).not.toBe("t1");
  expect(await world.host.stop(id, turnId)).toEqual({ outcome: "stopping" });
  expect(await agent.aborts.next()).toBe("t1"); // under the agent's own name
  agent.emit({ type: "turn-complete", turnId: "t1", outcome: "stopped", answered: [] });
  expect(await reader.until("turn.settled", 2)).toMatchObject({ turnId, outcome: "stopped" });
  await reader.stop();
});
