/** More said behind an input that waits. */
import { afterEach, expect, test } from "vitest";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());
const text = (said: string) => ({ type: "text", text: said }) as const;
/** A session whose turn runs, with one input that waits. */
async function waiting(options: TestHostOptions = {}) {
  world = await testHost(options);
  const id = await world.session();
  const { turnId = "" } = await world.host.submit(id, { text: "first" });
  const agent = await world.driver.connections.next();
  const sent = await agent.sends.next();
  await world.host.submit(id, { id: "k", text: "one", delivery: "queue" });
  const inputs = world.host.inputs(id);
  const parts = async () => (await inputs.get("k")).input.parts;
  return { id, turnId, agent, sent, inputs, parts };
}

test("one turn answers what it said and what was put behind it, however close together", async () => {
  const { agent, sent, inputs, parts } = await waiting();
  await Promise.all([inputs.extend("k", [text("two")]), inputs.extend("k", [text("three")])]);
  expect(await parts()).toEqual([text("one"), text("two"), text("three")]);
  agent.say(sent.turnId, "answer");
  agent.complete(sent.turnId);
  const next = await agent.sends.next();
  expect(next.inputId).toBe("k");
  expect(next.parts).toEqual(expect.arrayContaining([text("one"), text("two"), text("three")]));
  await expect(inputs.extend("k", [text("late")])).rejects.toMatchObject({ code: "not-waiting" });
  expect(await parts()).toEqual([text("one"), text("two"), text("three")]);
});

test("nothing is put behind what is held, unknown, or full", async () => {
  const { id, turnId, agent, sent, inputs, parts } = await waiting({ limits: { inputBytes: 200 } });
  const reader = new Reader(world.host, id, await world.host.cursor(id));
  await expect(inputs.extend("k", [text("x".repeat(180))])).rejects.toMatchObject({ code: "input-too-large" });
  await expect(inputs.extend("k", [])).rejects.toMatchObject({ code: "bad-input" });
  await expect(inputs.extend("other", [text("x")])).rejects.toMatchObject({ code: "no-such-input" });
  await world.host.stop(id, turnId);
  agent.complete(sent.turnId);
  await reader.until("turn.settled");
  await reader.stop();
  expect(await inputs.get("k")).toMatchObject({ state: "held" });
  await expect(inputs.extend("k", [text("two")])).rejects.toMatchObject({ code: "not-waiting" });
  expect(await parts()).toEqual([text("one")]);
});
