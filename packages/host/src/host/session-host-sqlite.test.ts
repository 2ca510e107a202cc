/** The host over the real store: what the memory store shows must hold on disk, across a death of the host. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Store } from "../ports/store.ts";
import { openSqliteStore } from "../stores/sqlite/index.ts";
import { createFakeDriver, type FakeDriver } from "../testing/fake-driver.ts";
import { Reader, script } from "../testing/test-host.ts";
import type { SessionHost } from "./api.ts";
import { createHost } from "./create-host.ts";
import { silentLog } from "./silent-log.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-sqlite-host-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

async function open(driver: FakeDriver): Promise<{ host: SessionHost; store: Store }> {
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const host = await createHost({ store, drivers: [driver.factory], dataDir, roots: [] });
  return { host, store };
}

test("a turn, a steer and a death: the next host shows what was said and holds what was not", async () => {
  const driver = createFakeDriver();
  const first = await open(driver);
  await first.host.agents.add({ name: "agent", driver: "fake", model: "m1" });
  const { id } = await first.host.create({});
  const { cursor } = await first.host.submit(id, { text: "one" });
  const reader = new Reader(first.host, id, cursor);
  const agent = await driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "first");
  await reader.until("message.opened");
  const steer = await first.host.submit(id, { text: "two" });
  await agent.steers.next();
  agent.emit({ type: "steer-boundary", turnId, taken: [steer.inputId] });
  agent.chunk(turnId, { type: "text-start", id: "half" });
  agent.chunk(turnId, { type: "text-delta", id: "half", delta: "half" });
  await reader.until("message.opened", 2);
  await first.host.submit(id, { text: "three", delivery: "queue" });
  const seen = () => reader.of("chunk").some((event) => "delta" in event.chunk && event.chunk.delta === "half");
  for (let n = reader.of("chunk").length; !seen(); n++) await reader.until("chunk", n + 1);
  await reader.stop();
  await first.store.close(); // as the last thing a host does before it dies

  const second = await open(driver);
  const again = new Reader(second.host, id, reader.seen.at(-1)?.cursor);
  expect(await again.until("turn.settled")).toMatchObject({
    outcome: "interrupted",
    error: { code: "host-restarted" },
  });
  expect(script((await second.host.messages(id)).messages)).toEqual([
    "U:one",
    "A:first",
    "U:two",
    "A:half (interrupted)",
  ]);
  expect(await second.host.inputs(id).list()).toMatchObject([{ state: "held", reason: "interrupted" }]);
  await second.host.inputs(id).release();
  const other = await driver.connections.next();
  expect((await other.sends.next()).parts).toEqual([{ type: "text", text: "three" }]);
  expect((await other.input.history()).length).toBe(4);
  const settled = again.until("turn.settled", 2);
  await second.host.shutdown({ graceMs: 0 });
  expect(await settled).toMatchObject({ outcome: "interrupted", error: { code: "shutdown" } });
  await again.stop();
});
