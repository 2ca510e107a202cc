import { afterEach, expect, test } from "vitest";
import { Reader, script, type TestHost, testHost } from "../testing/test-host.ts";
import type { HostHooks } from "./api.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (hooks: HostHooks) => {
  world = await testHost({ hooks });
  return world.session();
};

test("before-turn adds context for the agent, not for the stored message", async () => {
  const id = await start({ beforeTurn: async () => ({ context: [{ type: "text", text: "context" }] }) });
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  expect((await agent.sends.next()).parts.map((part) => part.type === "text" && part.text)).toEqual(["one", "context"]);
  expect(script((await world.host.messages(id)).messages)[0]).toBe("U:one");
});

test("before-settle may go on: its parts are an input of the host, next in the same run", async () => {
  let asked = 0;
  const id = await start({
    beforeSettle: async ({ message }) => {
      asked++;
      return asked === 1 ? { continueWith: [{ type: "text", text: `after ${message.parts.length}` }] } : undefined;
    },
  });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  const first = await agent.sends.next();
  agent.say(first.turnId, "x");
  agent.complete(first.turnId);
  const second = await agent.sends.next();
  expect(second.parts).toEqual([{ type: "text", text: "after 1" }]);
  agent.say(second.turnId, "y");
  agent.complete(second.turnId);
  await reader.until("turn.settled", 2);
  expect(script((await world.host.messages(id)).messages)).toEqual(["U:one", "A:x", "U:after 1", "A:y"]);
  await reader.stop();
});

/** A hook that never answers, and a promise that it was called. */
function silent() {
  let called = (): void => {};
  const asked = new Promise<void>((resolve) => {
    called = resolve;
  });
  const hook = async (): Promise<never> => {
    called();
    return new Promise(() => {});
  };
  return { asked, hook };
}

test("a tool-call hook that is late denies", async () => {
  const { asked, hook } = silent();
  const id = await start({ toolCall: hook });
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  const read = { toolCallId: "c1", toolName: "read", input: {}, category: "read", paths: [], turnId } as const;
  const decision = agent.input.policy.decide(read);
  await asked;
  world.clock.advance(60_000);
  expect(await decision).toMatchObject({ deny: expect.stringContaining("time") });
});

test("other hooks that throw or never answer pass", async () => {
  const { asked, hook } = silent();
  const id = await start({
    beforeTurn: () => Promise.reject(new TypeError("broken")),
    beforeSettle: hook,
    beforeCompaction: async () => "cancel",
  });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  expect(await agent.input.hooks.beforeCompaction()).toBe("cancel");
  agent.say(turnId, "x");
  agent.complete(turnId);
  await asked;
  world.clock.advance(30_000);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
  await reader.stop();
});
