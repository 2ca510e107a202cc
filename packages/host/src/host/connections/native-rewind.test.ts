import { afterEach, beforeEach, expect, test } from "vitest";
import type { ForkInput } from "../../ports/driver.ts";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, script, type TestHost, testHost } from "../../testing/test-host.ts";

let world: TestHost;
let id: string;
let reader: Reader;
const forks: Pick<ForkInput, "token" | "anchor">[] = [];

beforeEach(async () => {
  forks.length = 0;
  world = await testHost({
    driver: { capabilities: { history: "native", resume: "resume", fork: true, rewind: false } },
  });
  Object.assign(world.driver.driver, {
    fork: async ({ token, anchor }: ForkInput) => {
      forks.push({ token, anchor });
      return { token: `fork-${forks.length}` };
    },
  });
  id = await world.session();
  reader = new Reader(world.host, id, await world.host.cursor(id));
});
afterEach(async () => {
  await reader.stop();
  await world.end();
});

/** The agent answers the turn that comes next, under a token of its own. */
async function answered(agent: FakeConnection, n: number, token = "native"): Promise<unknown> {
  const { turnId, parts } = await agent.sends.next();
  agent.emit({ type: "resume-token", token });
  agent.say(turnId, `A${n}`);
  agent.emit({ type: "turn-complete", turnId, outcome: "completed", answered: [], anchor: `anchor-${n}` });
  await reader.until("turn.settled", n);
  return parts;
}
async function spoken(): Promise<FakeConnection> {
  await world.host.submit(id, { text: "U1" });
  const agent = await world.driver.connections.next();
  await answered(agent, 1);
  await world.host.submit(id, { text: "U2" });
  await answered(agent, 2);
  return agent;
}
const shown = async (): Promise<readonly string[]> => script((await world.host.messages(id)).messages);
const userMessage = async (nth: number): Promise<string> =>
  (await world.host.messages(id)).messages.filter(({ role }) => role === "user").at(nth)?.id ?? "";

test("an edit closes the connection and goes on in one fork, made behind the last answer that stays", async () => {
  const first = await spoken();
  await world.host.submit(id, { text: "U2b", branch: { messageId: await userMessage(1), position: "before" } });
  expect(await first.closes.next()).toBe("rewind");
  const second = await world.driver.connections.next();
  expect(second.input.resumeToken).toBe("fork-1");
  await answered(second, 3, "opened");
  expect(forks).toEqual([{ token: "native", anchor: "anchor-1" }]);
  expect(await shown()).toEqual(["U:U1", "A:A1", "U:U2b", "A:A3"]);
  await world.host.close(id);
  await world.host.submit(id, { text: "U3" });
  const third = await world.driver.connections.next();
  expect(third.input.resumeToken).toBe("opened");
  expect(forks).toHaveLength(1);
});

test("a turn that fails in the fork is followed by one in that fork", async () => {
  await spoken();
  await world.host.submit(id, { text: "U2b", branch: { messageId: await userMessage(1), position: "before" } });
  const second = await world.driver.connections.next();
  const { turnId } = await second.sends.next();
  second.emit({ type: "resume-token", token: "opened" });
  second.emit({ type: "error", turnId, code: "broken", message: "It broke.", retry: "never" });
  await reader.until("turn.settled", 3);
  await world.host.close(id);
  await world.host.submit(id, { text: "U3" });
  const third = await world.driver.connections.next();
  expect(third.input.resumeToken).toBe("opened");
  expect(forks).toHaveLength(1);
});

test("asked again, the agent is told the message again; before the first one it begins anew", async () => {
  await spoken();
  await world.host.submit(id, { branch: { messageId: await userMessage(1), position: "at" } });
  const again = await world.driver.connections.next();
  expect(await answered(again, 3, "opened")).toEqual([{ type: "text", text: "U2" }]);
  expect(await shown()).toEqual(["U:U1", "A:A1", "U:U2", "A:A3"]);
  await world.host.submit(id, { text: "U1b", branch: { messageId: await userMessage(0), position: "before" } });
  const anew = await world.driver.connections.next();
  expect(anew.input.resumeToken).toBeNull();
  await answered(anew, 4, "new");
  expect(await shown()).toEqual(["U:U1b", "A:A4"]);
  expect(forks).toHaveLength(1);
});

test("behind something the agent would not know of nothing is stored", async () => {
  const agent = await spoken();
  await world.host.submit(id, { text: "U3" });
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "A3");
  agent.emit({ type: "turn-complete", turnId, outcome: "completed", answered: [] });
  await reader.until("turn.settled", 3);
  await world.host.submit(id, { text: "U4" });
  await answered(agent, 4);
  const branch = { messageId: await userMessage(3), position: "before" } as const;
  await expect(world.host.submit(id, { text: "U4b", branch })).rejects.toMatchObject({ code: "rewind-unsupported" });
  expect(await world.host.inputs(id).list()).toEqual([]);
});
