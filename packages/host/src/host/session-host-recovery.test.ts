import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Store } from "../ports/store.ts";
import { StoreRefused } from "../protocol/errors.ts";
import { Reader, script, type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}) => {
  world = await testHost(options);
  const id = await world.session();
  const { cursor } = await world.host.submit(id, { text: "one" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "some");
  await reader.until("chunk", 3);
  return { id, reader, agent, turnId };
};
/** Refuses the next write with this code, once armed. */
function refusing() {
  let code: ConstructorParameters<typeof StoreRefused>[0] | null = null;
  const wrap = (store: Store): Store =>
    instead(store, {
      write: (...call) => {
        const now = code;
        code = null;
        return now === null ? store.write(...call) : Promise.reject(new StoreRefused(now, "refused by the test"));
      },
    });
  return {
    wrap,
    arm: (next: NonNullable<typeof code>) => {
      code = next;
    },
  };
}
/** How many sessions are read at once, at most. */
function countingLoads() {
  const count = { now: 0, most: 0 };
  const wrap = (store: Store): Store =>
    instead(store, {
      load: async (session) => {
        count.now++;
        count.most = Math.max(count.most, count.now);
        await setImmediate(); // a disk would take its time
        count.now--;
        return store.load(session);
      },
    });
  return {
    wrap,
    get most() {
      return count.most;
    },
  };
}
/** The same store with some of its calls answered differently. */
const instead = (store: Store, own: Partial<Store>): Store =>
  new Proxy(store, {
    get: (_, name: keyof Store) => {
      const value = own[name] ?? store[name];
      return typeof value === "function" ? value.bind(store) : value;
    },
  });

test("a crash in the middle of a turn: what was said stays, the turn is interrupted, waiting inputs are held", async () => {
  const { id, reader, agent, turnId } = await start();
  agent.chunk(turnId, { type: "text-start", id: "half" });
  agent.chunk(turnId, { type: "text-delta", id: "half", delta: " and half" });
  agent.chunk(turnId, { type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: {} });
  await reader.until("chunk", 6);
  const offered = await world.host.submit(id, { text: "steer" });
  const queued = await world.host.submit(id, { text: "later", delivery: "queue" });
  await agent.steers.next();
  await reader.stop();
  const host = await world.restart();
  const { messages } = await host.messages(id);
  expect(script(messages)).toEqual(["U:one", "A:some and half (interrupted)"]);
  expect(messages[1]?.parts).toMatchObject([
    { type: "text", state: "done" },
    { type: "text", state: "done" },
    { type: "tool-bash", state: "output-error" },
  ]);
  expect(await world.store.query.turn(1, turnId)).toMatchObject({ status: "interrupted", reason: "host-restarted" });
  expect(await host.inputs(id).get(offered.inputId)).toMatchObject({ state: "held", reason: "uncertain" });
  expect(await host.inputs(id).get(queued.inputId)).toMatchObject({ state: "held", reason: "interrupted" });
  expect((await host.inputs(id).list()).map((row) => row.id)).toEqual([offered.inputId, queued.inputId]);
  expect(world.driver.connections.all.length).toBe(1); // nothing was started again
  await host.inputs(id).release();
  const other = await world.driver.connections.next();
  expect((await other.sends.next()).inputId).toBe(offered.inputId);
});

test("a reader of the old host goes on at the new one with its cursor, without a gap", async () => {
  const { id, reader } = await start();
  const last = reader.seen.at(-1)?.cursor;
  await reader.stop();
  const again = new Reader(await world.restart(), id, last);
  expect(await again.until("turn.settled")).toMatchObject({ outcome: "interrupted" });
  const numbers = [...reader.seen, ...again.seen].map((event) => ("seq" in event ? event.seq : 0));
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  await again.stop();
});

test("an old host's writes are refused once another has the session", async () => {
  const { id, reader, agent, turnId } = await start();
  await reader.stop();
  const old = world.host;
  await world.restart();
  agent.say(turnId, "zombie");
  await agent.closes.next(); // it lost its lease and lets the agent go
  await world.store.change([]);
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:some (interrupted)"]);
  expect(await old.get(id)).toMatchObject({ state: "idle" }); // from the rows: it has it in memory no more
});

test("only a session without an open turn starts by itself after a crash", async () => {
  world = await testHost();
  const id = await world.session();
  using _hold = world.host.pause("test");
  const { inputId } = await world.host.submit(id, { text: "one" });
  await world.restart();
  const agent = await world.driver.connections.next();
  expect((await agent.sends.next()).inputId).toBe(inputId);
});

test("an agent may be told to go on after an interruption", async () => {
  const { reader } = await start({ agent: { onInterrupted: "continue" } });
  await reader.stop();
  await world.restart();
  const agent = await world.driver.connections.next();
  expect((await agent.sends.next()).parts).toMatchObject([
    { type: "text", text: expect.stringContaining("interrupted") },
  ]);
});

test("a refused write: nothing of it is seen, the session is read again and recovered, and serves on", async () => {
  const refusal = refusing();
  const { id, reader, agent, turnId } = await start({ store: refusal.wrap });
  refusal.arm("io");
  agent.say(turnId, "lost");
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "interrupted" });
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:some (interrupted)"]);
  expect(await agent.closes.next()).toBe("failure");
  const next = await world.host.submit(id, { text: "two" });
  expect(next.disposition).toBe("started");
  await reader.stop();
});

test("a submit whose commit is refused is not acknowledged, and its id is free again", async () => {
  const refusal = refusing();
  world = await testHost({ store: refusal.wrap });
  const id = await world.session();
  refusal.arm("full");
  await expect(world.host.submit(id, { id: "k", text: "one" })).rejects.toMatchObject({
    code: "unavailable",
    retry: "later",
  });
  const agent = world.driver.connections;
  await world.host.submit(id, { id: "k", text: "one" }).catch(() => world.store.change([]));
  const receipt = await world.host.submit(id, { id: "k", text: "one" });
  expect(receipt.inputId).toBe("k");
  expect((await (await agent.next()).sends.next()).inputId).toBe("k");
});

test("a thousand sessions with open turns are recovered side by side, before the host serves", async () => {
  const loads = countingLoads();
  world = await testHost({ store: loads.wrap });
  const at = world.clock.now();
  const agent = await world.host.agents.get("agent");
  const row = {
    agentId: agent.id,
    workspace: "/w",
    managed: false,
    title: null,
    externalId: null,
    permissionMode: null,
  };
  const rest = {
    parentId: null,
    leaf: null,
    driver: "fake",
    resumeToken: null,
    compacting: false,
    createdAt: at,
    updatedAt: at,
    removedAt: null,
  };
  for (let i = 0; i < 1_000; i++) {
    const no = await world.store.create({ id: `ses_x${i}`, ...row, ...rest });
    const epoch = await world.store.claim(no);
    const turn = {
      id: `trn_x${i}`,
      no: 1,
      origin: "agent",
      inputId: null,
      status: "open",
      reason: null,
      message: null,
    } as const;
    await world.store.write(no, epoch, [
      { write: "turn", row: { ...turn, model: null, startedAt: at, endedAt: null } },
    ]);
  }
  const host = await world.restart();
  expect(loads.most).toBeGreaterThanOrEqual(32); // one after the other, each would wait for the disk alone
  expect(await host.get("ses_x999")).toMatchObject({ state: "idle" });
  expect(await world.store.query.turn(1_000, "trn_x999")).toMatchObject({ status: "interrupted" });
});
