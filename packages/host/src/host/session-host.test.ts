import { afterEach, expect, test } from "vitest";
import { MooringError } from "../protocol/errors.ts";
import { Reader, script, type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}): Promise<string> => {
  world = await testHost(options);
  return world.session();
};

test("a whole turn: rows, events in order, and the receipt's cursor shows them", async () => {
  const id = await start();
  const receipt = await world.host.submit(id, { text: "hello" });
  expect(receipt).toMatchObject({ disposition: "started", state: "started", turnId: "trn_0001" });
  const reader = new Reader(world.host, id, receipt.cursor);
  const agent = await world.driver.connections.next();
  const turn = await agent.sends.next();
  expect(turn).toMatchObject({
    turnId: receipt.turnId,
    inputId: receipt.inputId,
    parts: [{ type: "text", text: "hello" }],
  });
  agent.say(turn.turnId, "hi");
  agent.emit({
    type: "usage",
    turnId: turn.turnId,
    usage: {
      requestId: "r1",
      model: "m1",
      tokens: { input: 5, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
      timing: { firstTokenMs: 1, totalMs: 2 },
      cost: null,
    },
  });
  world.clock.advance(250);
  agent.complete(turn.turnId);
  const settled = await reader.until("turn.settled");
  expect(settled).toMatchObject({ outcome: "completed", usage: { input: 5, output: 2 }, durationMs: 250 });
  expect(reader.events.map((event) => event.type)).toEqual([
    "input.accepted",
    "queue.changed",
    "turn.started",
    "input.changed",
    "message.closed",
    "message.opened",
    "chunk",
    "chunk",
    "chunk",
    "message.closed",
    "input.changed",
    "turn.settled",
  ]);
  expect(reader.of("message.closed").at(-1)?.message).toMatchObject({
    parts: [{ type: "text", text: "hi", state: "done" }],
  });
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:hello", "A:hi"]);
  expect(await world.host.get(id)).toMatchObject({ state: "idle", turn: null, agentName: "agent" });
  expect(await world.host.usage(id)).toMatchObject({ requests: 1, total: { input: 5 } });
  await reader.stop();
});

test("a steer rolls the message: U1 A1 U2 A2, in one turn", async () => {
  const id = await start();
  const first = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, first.cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "first");
  await reader.until("chunk", 3);
  const second = await world.host.submit(id, { text: "two" });
  expect(second).toMatchObject({ disposition: "offered", turnId });
  const steer = await agent.steers.next();
  expect(steer).toMatchObject({ turnId, inputId: second.inputId, arrivedMidTurn: true });
  expect(steer.parts.at(-1)).toEqual({ type: "text", text: "two" });
  expect(steer.parts.length).toBe(2); // wrapped, so that the agent knows it came meanwhile
  agent.emit({ type: "steer-boundary", turnId, taken: [second.inputId] });
  agent.say(turnId, "second");
  agent.complete(turnId, [second.inputId]);
  await reader.until("turn.settled");
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:first", "U:two", "A:second"]);
  expect((await world.host.inputs(id).get(second.inputId)).state).toBe("answered");
  const roll = reader.events.slice(
    reader.events.findIndex((e) => e.type === "input.changed" && e.state === "taken") - 1,
  );
  expect(roll.slice(0, 4).map((e) => e.type)).toEqual([
    "message.closed",
    "input.changed",
    "message.closed",
    "message.opened",
  ]);
  await reader.stop();
});

test("a refused steer waits for its own turn, on the same connection", async () => {
  const id = await start({ driver: { behaviour: { redirect: async () => "refused" } } });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "first");
  await world.host.submit(id, { text: "two" });
  await agent.steers.next();
  agent.complete(turnId);
  const next = await agent.sends.next();
  expect(next.arrivedMidTurn).toBe(true);
  agent.say(next.turnId, "second");
  agent.complete(next.turnId);
  await reader.until("turn.settled", 2);
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:first", "U:two", "A:second"]);
  expect(world.driver.connections.all.length).toBe(1);
  await reader.stop();
});

test("a stop while the agent works: interrupted, stored, and what waits is held", async () => {
  const id = await start();
  const { turnId, cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  await agent.sends.next();
  agent.say(turnId ?? "", "some");
  const waiting = await world.host.submit(id, { text: "two", delivery: "queue" });
  expect(waiting.disposition).toBe("queued");
  expect(await world.host.stop(id, turnId ?? "")).toEqual({ outcome: "stopping" });
  expect(await agent.aborts.next()).toBe(turnId);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "stopped" });
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:some (stopped)"]);
  expect(await world.host.inputs(id).get(waiting.inputId)).toMatchObject({ state: "held", reason: "stopped" });
  expect((await world.host.get(id)).state).toBe("held");
  expect(await world.host.stop(id, turnId ?? "")).toEqual({ outcome: "not-running" });
  await world.host.inputs(id).release();
  expect((await agent.sends.next()).inputId).toBe(waiting.inputId);
  await reader.stop();
});

test("a stop while it connects: the turn ends at once and is never sent; the connection serves the next", async () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const id = await start({ driver: { connecting: () => opened } });
  const { turnId, cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  await world.driver.connects.next();
  await world.host.stop(id, turnId ?? "");
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "stopped" });
  open();
  const agent = await world.driver.connections.next();
  await world.host.submit(id, { text: "two" });
  const turn = await agent.sends.next();
  expect(agent.sends.all.map((sent) => sent.turnId)).toEqual([turn.turnId]);
  await reader.stop();
});

test("an agent that does not obey a stop is closed, then killed, within its deadlines", async () => {
  const never = () => new Promise<never>(() => {});
  const id = await start({ driver: { behaviour: { abortTurn: never, close: never } } });
  const { turnId, cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  await agent.sends.next();
  await world.host.stop(id, turnId ?? "");
  await agent.aborts.next();
  world.clock.advance(5_000);
  expect(await agent.closes.next()).toBe("stop");
  world.clock.advance(5_000);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "stopped" });
  agent.say(turnId ?? "", "too late");
  await world.host.submit(id, { text: "two" });
  const other = await world.driver.connections.next();
  expect((await other.sends.next()).parts).toEqual([{ type: "text", text: "two" }]);
  expect(reader.of("chunk").length).toBe(0);
  await reader.stop();
});

test("a connection that dies fails its turn and says so", async () => {
  const id = await start();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "some");
  agent.events.end();
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "failed", error: { code: "driver-ended" } });
  expect((await world.host.get(id)).state).toBe("idle");
  await reader.stop();
});

test("a connect that fails is the turn's failure, with the driver's code", async () => {
  const id = await start({
    driver: { connecting: () => Promise.reject(new MooringError("no-binary", "Install it.")) },
  });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  expect(await reader.until("turn.settled")).toMatchObject({
    outcome: "failed",
    error: { code: "no-binary", message: "Install it." },
  });
  await reader.stop();
});

test("a model of its own reaches a warm connection before the turn, and is taken back for the next", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  await reader.until("turn.settled");
  await world.host.submit(id, { text: "two", model: "m2" });
  await reader.until("turn.settled", 2);
  await world.host.submit(id, { text: "three" });
  await reader.until("turn.settled", 3);
  const agent = await world.driver.connections.next();
  expect(agent.input.model).toBe("m1");
  expect(agent.targets.all.map((target) => target.model)).toEqual(["m2", "m1"]);
  expect((await world.store.query.turns(1, { limit: 9 })).map((turn) => turn.model).sort()).toEqual(["m1", "m1", "m2"]);
  await reader.stop();
});

test("an idle connection closes after its time and the driver may prewarm if there is a token", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  agent.emit({ type: "resume-token", token: "tok" });
  await reader.until("turn.settled");
  world.clock.advance(300_000);
  expect(await agent.closes.next()).toBe("idle");
  expect((await world.driver.prewarmed.next()).resumeToken).toBe("tok");
  await world.host.submit(id, { text: "two" });
  expect((await world.driver.connects.next()).resumeToken).toBeNull();
  expect((await world.driver.connects.next()).resumeToken).toBe("tok");
  await reader.stop();
});

test("history is what was said before the running turn, and nothing of it", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  await reader.until("turn.settled");
  const agent = await world.driver.connections.next();
  agent.behaviour.send = async () => {};
  await world.host.submit(id, { text: "two" });
  await agent.sends.next();
  await agent.sends.next();
  const history = await agent.input.history();
  expect(history.map((entry) => entry.kind === "message" && entry.message.role)).toEqual(["user", "assistant"]);
  await reader.stop();
});

test("going back to a message replaces what came after it, on a connection that begins there", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  await reader.until("turn.settled");
  await world.host.submit(id, { text: "two" });
  await reader.until("turn.settled", 2);
  const { messages } = await world.host.messages(id);
  const second = messages[2]?.id ?? "";
  await world.host.submit(id, { text: "other", branch: { messageId: second, position: "before" } });
  await reader.until("turn.settled", 3);
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:one", "U:other", "A:other"]);
  const [, agent] = [await world.driver.connections.next(), await world.driver.connections.next()];
  expect((await agent.input.history()).length).toBe(4); // its turn is over now
  await reader.stop();
});

test("two sessions at work in one directory: the second is told, and neither waits", async () => {
  const first = await start();
  const { workspace } = await world.host.get(first);
  const second = (await world.host.create({ workspace })).id;
  const [one, two] = [new Reader(world.host, first), new Reader(world.host, second)];
  for (const id of [first, second]) await world.host.submit(id, { text: "go" });
  expect(await two.until("notice")).toMatchObject({
    level: "warning",
    code: "workspace-shared",
    text: expect.stringContaining(first),
  });
  for (let n = 0; n < 2; n++) {
    const agent = await world.driver.connections.next();
    const { turnId } = await agent.sends.next();
    agent.say(turnId, "done");
    agent.complete(turnId);
    await (agent.input.session.sessionId === first ? one : two).until("turn.settled");
  }
  await world.host.submit(second, { text: "alone now" });
  await two.until("turn.started", 2);
  expect([one, two].map((reader) => reader.of("notice").length)).toEqual([0, 1]);
  await Promise.all([one, two].map((reader) => reader.stop()));
});

test("a driver that breaks when it is asked whether it is ready is not ready, and harms nothing else", async () => {
  const broken: object = {
    get found(): boolean {
      throw new TypeError("no such binary");
    },
  };
  const id = await start({ driver: { readiness: broken } }).catch((cause: unknown) => cause);
  expect(id).not.toBeInstanceOf(TypeError);
  expect((await world.host.drivers())[0]?.readiness).toMatchObject({
    found: false,
    problem: expect.stringContaining("no such binary"),
  });
  expect(await world.host.create({ agent: "agent" })).toMatchObject({ agentName: "agent" });
});
