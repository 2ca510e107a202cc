/** A compaction as readers of a session see it: whatever ends it, they see its end. */
import { afterEach, expect, test } from "vitest";
import { Reader, type TestHost, testHost } from "../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());
const begin = async () => {
  world = await testHost({ driver: { mode: "echo" } });
  const id = await world.session();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  await reader.until("turn.settled");
  const agent = await world.driver.connections.next();
  await world.host.compact(id, "briefly");
  await reader.until("compaction");
  return { id, reader, agent };
};
const states = (reader: Reader): readonly string[] => reader.of("compaction").map(({ state }) => state);

test("one that is stopped says so, closes its connection, and what waits goes on with the next", async () => {
  const { id, reader, agent } = await begin();
  expect((await world.host.snapshot(id)).session.compacting).toBe(true);
  await world.host.submit(id, { text: "two", delivery: "queue" });
  await world.host.stopCompaction(id);
  expect(await agent.closes.next()).toBe("stop");
  expect(await reader.until("turn.settled", 2)).toMatchObject({ outcome: "completed" });
  expect(states(reader)).toEqual(["started", "stopped"]);
  expect((await world.host.snapshot(id)).session.compacting).toBe(false);
  await expect(world.host.stopCompaction(id)).rejects.toMatchObject({ code: "not-running" });
  await reader.stop();
});

test("one whose agent dies has failed", async () => {
  const { reader, agent } = await begin();
  agent.events.end();
  await reader.until("compaction", 2);
  expect(states(reader)).toEqual(["started", "failed"]);
  await reader.stop();
});

test("one that its host left behind has failed when the next host serves", async () => {
  const { id, reader } = await begin();
  const { cursor } = reader.seen.at(-1) ?? { cursor: null };
  await reader.stop();
  await world.restart();
  expect((await world.host.snapshot(id)).session.compacting).toBe(false);
  const next = new Reader(world.host, id, cursor);
  expect(await next.until("compaction")).toMatchObject({ state: "failed", detail: "The host restarted." });
  await next.stop();
});
