import { afterEach, expect, test } from "vitest";
import type { UsageQuery } from "../../ports/store.ts";
import { Reader, type TestHost, testHost } from "../../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());

const tokens = { input: 5, output: 2, reasoning: 0, cacheRead: 1, cacheWrite: 0 };
/** One turn of a new session of an agent, with one request. */
async function turn(agentName: string, requestId: string, model: string): Promise<void> {
  const { id } = await world.host.create({ agent: agentName });
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  const cost = { amount: 0.5, currency: "USD" };
  const usage = { requestId, model, tokens, timing: { firstTokenMs: 1, totalMs: 2 }, cost };
  agent.emit({ type: "usage", turnId, usage });
  agent.say(turnId, "said");
  agent.complete(turnId);
  await reader.until("turn.settled");
  await reader.stop();
}

test("what all sessions used is summed by day, agent, session and model, with names", async () => {
  world = await testHost(); // it is 2026-01-01
  await world.host.agents.add({ name: "other", driver: "fake", model: "m2" });
  await turn("agent", "r1", "m1");
  await turn("other", "r2", "m1");
  world.clock.advance(86_400_000);
  await turn("other", "r3", "m2");
  const sums = async (q: UsageQuery) =>
    (await world.host.usageTotals(q)).map(({ name, requests, total, cost }) => [name, requests, total.input, cost]);
  const usd = (amount: number) => [{ currency: "USD", amount }];
  expect(await sums({ by: "day" })).toEqual([
    ["2026-01-01", 2, 10, usd(1)],
    ["2026-01-02", 1, 5, usd(0.5)],
  ]);
  expect(await sums({ by: "agent" })).toEqual([
    ["agent", 1, 5, usd(0.5)],
    ["other", 2, 10, usd(1)],
  ]);
  expect(await sums({ by: "model", from: Date.UTC(2026, 0, 2) })).toEqual([["m2", 1, 5, usd(0.5)]]);
  expect(await sums({ by: "model", to: Date.UTC(2026, 0, 2) })).toEqual([["m1", 2, 10, usd(1)]]);
  const [named] = await world.host.usageTotals({ by: "session" });
  expect(named).toMatchObject({ requests: 1, name: named?.key });
  await world.host.update(named?.key ?? "", { title: "Mend the light" });
  expect((await world.host.usageTotals({ by: "session" })).map(({ name }) => name)).toContain("Mend the light");
  await world.host.agents.remove("agent");
  expect((await sums({ by: "agent" }))[0]?.[0]).toBe("(removed)");
});

test("a question that makes no sense is refused with its field", async () => {
  world = await testHost();
  const refused = (q: object) => expect(world.host.usageTotals(q as UsageQuery)).rejects;
  await refused({ by: "hour" }).toMatchObject({ code: "bad-query", detail: { field: "by" } });
  await refused({ by: "day", from: 0.5 }).toMatchObject({ code: "bad-query", detail: { field: "from" } });
  await refused({ by: "day", to: Number.NaN }).toMatchObject({ code: "bad-query", detail: { field: "to" } });
});
