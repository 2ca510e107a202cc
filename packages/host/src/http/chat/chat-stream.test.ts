import { afterEach, expect, test } from "vitest";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import { defaultHttpLimits } from "../limits.ts";
import { chatStream } from "./chat-stream.ts";
import { resumeChat } from "./resume-chat.ts";

let world: TestHost;
afterEach(() => world.end());

/** A running turn, and a stream that shows it. */
async function running(options: TestHostOptions = {}, batchChars = defaultHttpLimits.chatBatchChars) {
  world = await testHost(options);
  const { host, clock } = world;
  const id = await world.session();
  const reader = new Reader(host, id);
  await host.submit(id, { text: "go" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  const stop = new AbortController();
  const closed: string[] = [];
  const begun = await resumeChat({ host, fileUrl: (file) => file }, id, 50);
  if (begun === null) throw new TypeError("nothing to resume");
  const limits = { ...defaultHttpLimits, chatBatchChars: batchChars };
  const stream = chatStream({ host, clock, limits }, begun, stop.signal, () => closed.push("closed"));
  const body = stream.getReader();
  const read = async (): Promise<string | null> => {
    const { value } = await body.read();
    return value === undefined ? null : Buffer.from(value).toString();
  };
  return { id, host, reader, agent, turnId, stop, closed, body, read };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

test("it ends with the run, and says so once", async () => {
  const { agent, turnId, closed, read, reader } = await running();
  agent.say(turnId, "hi");
  agent.complete(turnId);
  let text = "";
  for (let piece = await read(); piece !== null; piece = await read()) text += piece;
  expect(text.trimEnd().split("\n").at(-1)).toBe("data: [DONE]");
  expect(closed).toEqual(["closed"]);
  await reader.stop();
});

test("a client that leaves, and a server that closes, end the reading of events", async () => {
  const first = await running();
  await first.read();
  await first.body.cancel();
  expect(first.closed).toEqual(["closed"]);
  await first.reader.stop();
  await world.end();
  const second = await running();
  await second.read();
  const waiting = second.read();
  second.stop.abort();
  expect([await waiting, second.closed]).toEqual([null, ["closed"]]);
  await second.reader.stop();
});

test("a client that takes nothing is cut, and the turn goes on", async () => {
  const { agent, turnId, closed, body, read, reader } = await running();
  await read();
  agent.say(turnId, "unread");
  world.clock.advance(59_999);
  expect(closed).toEqual([]);
  world.clock.advance(1);
  await expect(body.closed).rejects.toMatchObject({ code: "slow-subscriber", retry: "now" });
  expect(closed).toEqual(["closed"]);
  agent.complete(turnId);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
  await reader.stop();
});

test("a client that lags by more than its bound is cut when it reads again", async () => {
  const { agent, turnId, read, reader } = await running({ limits: { subscriberBytes: 2_000 } });
  await read();
  const live = read();
  agent.say(turnId, "first");
  await live;
  for (let n = 0; n < 40; n++) {
    agent.chunk(turnId, { type: "data-x", id: `${n}`, data: "y".repeat(100) });
    await reader.until("chunk", 3 + n);
  }
  const rest = async (): Promise<never> => {
    for (;;) await read();
  };
  await expect(rest()).rejects.toMatchObject({ code: "slow-subscriber" });
  await reader.stop();
});

test("what comes in one tick is one piece, as long as it is short", async () => {
  const { agent, turnId, read, reader } = await running();
  await read();
  const piece = read();
  for (let n = 0; n < 20; n++) agent.chunk(turnId, { type: "data-x", id: `${n}`, data: n });
  await reader.until("chunk", 20);
  const pieces = [await piece];
  while (!pieces.join("").includes('"id":"19"')) pieces.push(await read());
  expect(pieces.length).toBeLessThan(5);
  await reader.stop();
  await world.end();
  const bounded = await running({}, 1_000);
  for (let n = 0; n < 20; n++)
    bounded.agent.chunk(bounded.turnId, { type: "data-x", id: `${n}`, data: "z".repeat(300) });
  await bounded.reader.until("chunk", 20);
  await tick();
  for (let n = 0; n < 5; n++) expect((await bounded.read())?.length).toBeLessThan(2_500);
  await bounded.reader.stop();
});
