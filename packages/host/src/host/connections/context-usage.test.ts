import { afterEach, expect, test } from "vitest";
import type { ContextUsage } from "../../ports/driver.ts";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";

let world: TestHost;
let reader: Reader;
afterEach(async () => {
  await reader.stop();
  await world.end();
});

/** A session after one turn, its connection open. */
async function spoken(options: TestHostOptions = {}): Promise<{ readonly id: string; readonly agent: FakeConnection }> {
  world = await testHost(options);
  const id = await world.session();
  reader = new Reader(world.host, id, await world.host.cursor(id));
  expect(await world.host.context(id)).toBeNull();
  expect(world.driver.connects.all).toEqual([]);
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.emit({ type: "context-usage", usage: { used: 10, window: 100 } });
  agent.say(turnId, "said");
  agent.complete(turnId);
  await reader.until("turn.settled");
  return { id, agent };
}
const answering = (agent: FakeConnection, getContextUsage: () => Promise<ContextUsage | null>): void => {
  Object.assign(agent, { getContextUsage });
};

test("what was told last is known, also to another host, and no connection is opened for it", async () => {
  const { id } = await spoken();
  expect(await world.host.context(id)).toEqual({ used: 10, window: 100 });
  const host = await world.restart();
  expect(await host.context(id)).toEqual({ used: 10, window: 100 });
  expect(world.driver.connects.all.length).toBe(1);
});

test("an open connection is asked; one that fails, knows nothing or is late is not waited for", async () => {
  const { id, agent } = await spoken({ limits: { contextMs: 1_000 } });
  answering(agent, async () => ({ used: 20, window: 100 }));
  expect(await world.host.context(id)).toEqual({ used: 20, window: 100 });
  const told = { used: 10, window: 100 };
  answering(agent, async () => null);
  expect(await world.host.context(id)).toEqual(told);
  answering(agent, async () => Promise.reject(new TypeError("no")));
  expect(await world.host.context(id)).toEqual(told);
  answering(agent, async () => ({ used: "much", window: 1 }) as unknown as ContextUsage);
  expect(await world.host.context(id)).toEqual(told);
  const asked = new Promise<void>((resolve) =>
    answering(agent, () => {
      resolve();
      return new Promise(() => {});
    }),
  );
  const late = world.host.context(id);
  await asked;
  world.clock.advance(1_000);
  expect(await late).toEqual(told);
});

test("after a compaction it is not known until it is told again", async () => {
  const { id, agent } = await spoken();
  agent.emit({ type: "compaction-start", trigger: "auto" });
  agent.emit({ type: "compaction-complete", done: null });
  await reader.until("compaction", 2);
  expect(await world.host.context(id)).toBeNull();
});

test("an unknown session is refused", async () => {
  const { id } = await spoken();
  await expect(world.host.context(`${id}x`)).rejects.toMatchObject({ code: "no-such-session" });
});
