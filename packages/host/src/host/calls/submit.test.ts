import { afterEach, expect, test } from "vitest";
import { MooringError } from "../../protocol/errors.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import type { HostHooks } from "../api.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}): Promise<string> => {
  world = await testHost(options);
  return world.session();
};

test("the same id and body is one input: the first receipt with its present state, however close together", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const [a, b] = await Promise.all([
    world.host.submit(id, { id: "k", text: "one" }),
    world.host.submit(id, { id: "k", text: "one" }),
  ]);
  expect(a).toEqual(b);
  const reader = new Reader(world.host, id, a.cursor);
  await reader.until("turn.settled");
  expect(await world.host.submit(id, { id: "k", text: "one", author: "other" })).toMatchObject({
    inputId: "k",
    disposition: "ended",
    state: "answered",
    turnId: a.turnId,
  });
  expect(reader.of("input.accepted").length).toBe(1);
  await reader.stop();
});

test("the same id with another body is a conflict, also while the first is on its way", async () => {
  const id = await start();
  const [a, b] = await Promise.allSettled([
    world.host.submit(id, { id: "k", text: "one" }),
    world.host.submit(id, { id: "k", text: "two" }),
  ]);
  expect(a.status).toBe("fulfilled");
  expect(b).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
  await expect(world.host.submit(id, { id: "k", text: "three" })).rejects.toMatchObject({ code: "conflict" });
});

test("an edited input is still the same submit", async () => {
  const id = await start();
  using _hold = world.host.pause("test");
  await world.host.submit(id, { id: "k", text: "one" });
  await world.host.inputs(id).edit("k", [{ type: "text", text: "edited" }]);
  expect(await world.host.submit(id, { id: "k", text: "one" })).toMatchObject({ state: "queued" });
  expect((await world.host.inputs(id).get("k")).input.parts).toEqual([{ type: "text", text: "edited" }]);
});

test("the embedder's word on a submit: changed, taken over, or passed; in order", async () => {
  const asked: (string | undefined)[] = [];
  const admit: HostHooks["admit"] = async ({ input }) => {
    asked.push(input.text);
    if (input.text === "mine") return { do: "handled" };
    return input.text === "short" ? { do: "transform", input: { ...input, text: "long" } } : { do: "pass" };
  };
  const id = await start({ hooks: { admit } });
  using _hold = world.host.pause("test");
  const receipts = await Promise.all(["mine", "short", "plain"].map((text) => world.host.submit(id, { text })));
  expect(receipts.map((receipt) => receipt.disposition)).toEqual(["handled", "queued", "queued"]);
  expect(asked).toEqual(["mine", "short", "plain"]);
  const rows = await world.host.inputs(id).list();
  expect(rows.map((row) => row.input.parts)).toEqual(["long", "plain"].map((text) => [{ type: "text", text }]));
});

test("a hook that never answers passes after its deadline", async () => {
  const called = Promise.resolve();
  let asked = (): void => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const id = await start({
    hooks: {
      admit: async () => {
        asked();
        return new Promise(() => {});
      },
    },
  });
  const receipt = world.host.submit(id, { text: "one" });
  await Promise.all([called, wasAsked]);
  world.clock.advance(30_000);
  expect(await receipt).toMatchObject({ disposition: "started" });
});

test.each([
  [{ text: "" }, "bad-input"],
  [{ text: "x", id: "a b" }, "bad-input"],
  [{ text: "x", branch: { messageId: "msg_9", position: "at" as const } }, "no-such-message"],
])("%j is refused before there is a row", async (input, code) => {
  const id = await start();
  await expect(world.host.submit(id, input)).rejects.toMatchObject({ code });
  expect(await world.host.inputs(id).list()).toEqual([]);
});

test("what the driver cannot serve is said with its fix, before there is a row", async () => {
  let fine = true;
  const validate = async (): Promise<void> => {
    if (!fine) throw new MooringError("no-credentials", "Log in with: agent login");
  };
  const id = await start({ driver: { validate } });
  fine = false;
  await expect(world.host.submit(id, { text: "x" })).rejects.toMatchObject({ code: "no-credentials" });
  expect(await world.host.inputs(id).list()).toEqual([]);
});

test("an agent without a model, or that is gone, is named", async () => {
  world = await testHost();
  await world.host.agents.add({ name: "bare", driver: "fake" });
  await expect(world.host.create({ agent: "bare" })).rejects.toMatchObject({ code: "agent-incomplete" });
  const id = await world.session();
  await world.host.agents.remove("agent");
  await expect(world.host.submit(id, { text: "x" })).rejects.toMatchObject({ code: "agent-gone" });
});

test("delivery: reject when busy, interrupt goes first and holds nothing", async () => {
  const id = await start();
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "some");
  await expect(world.host.submit(id, { text: "no", delivery: "reject" })).rejects.toMatchObject({
    code: "session-busy",
  });
  const queued = await world.host.submit(id, { text: "later", delivery: "queue" });
  const now = await world.host.submit(id, { text: "now", delivery: "interrupt" });
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "stopped" });
  const next = await agent.sends.next();
  expect(next.inputId).toBe(now.inputId);
  expect((await world.host.inputs(id).get(queued.inputId)).state).toBe("queued");
  await reader.stop();
});

test("waiting inputs can be moved and cancelled, and say why not otherwise", async () => {
  const id = await start();
  using _hold = world.host.pause("test");
  for (const key of ["a", "b", "c"]) await world.host.submit(id, { id: key, text: key });
  const inputs = world.host.inputs(id);
  await inputs.move("c", "a");
  expect((await inputs.list()).map((row) => row.id)).toEqual(["c", "a", "b"]);
  expect(await inputs.cancel("a")).toBe("cancelled");
  expect((await inputs.list()).map((row) => row.id)).toEqual(["c", "b"]);
  const over = { code: "too-late", message: 'The input "a" is over: it is cancelled.' };
  await expect(inputs.cancel("a")).rejects.toMatchObject(over);
  await expect(inputs.release("b")).rejects.toMatchObject({ code: "not-held" });
  const asked = [
    inputs.get("z"),
    inputs.cancel("z"),
    inputs.edit("z", [{ type: "text", text: "x" }]),
    inputs.move("z", null),
    inputs.move("b", "z"),
    inputs.release("z"),
  ];
  for (const one of asked) await expect(one).rejects.toMatchObject({ code: "no-such-input" });
  await expect(inputs.move("b", "b")).rejects.toMatchObject({ code: "bad-input" });
});
