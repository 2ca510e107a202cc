import { afterEach, expect, test } from "vitest";
import { parseCursor } from "../../protocol/cursor.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());
/** A session with one turn behind it, all its events, and the connection that made it. */
const start = async (options: TestHostOptions = {}) => {
  world = await testHost(options);
  const id = await world.session();
  const beginning = await world.host.cursor(id);
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "first");
  agent.complete(turnId);
  await reader.until("turn.settled");
  return { id, beginning, reader, agent };
};
const numbers = (reader: Reader) => reader.seen.map((event) => ("seq" in event ? event.seq : -1));

test("from every cursor on: what came before is not repeated, what comes is not missed", async () => {
  const { id, beginning, reader, agent } = await start();
  const cursors = [beginning, ...reader.seen.map((event) => event.cursor)];
  const readers = cursors.map((after) => new Reader(world.host, id, after));
  await world.host.submit(id, { text: "two" });
  const { turnId } = await agent.sends.next();
  for (let i = 0; i < 20; i++) agent.say(turnId, `part ${i}`);
  agent.complete(turnId);
  await reader.until("turn.settled", 2);
  const all = numbers(reader);
  expect(all).toEqual(all.map((_, i) => i + 1));
  for (const [from, one] of readers.entries()) {
    await one.until("turn.settled", from === cursors.length - 1 ? 1 : 2);
    expect(numbers(one)).toEqual(all.slice(from));
    expect(one.seen).toEqual(reader.seen.slice(from));
    await one.stop();
  }
  await reader.stop();
});

test("without a cursor it begins at the moment of the call", async () => {
  const { id, reader, agent } = await start();
  const events = world.host.events(id);
  const { inputId } = await world.host.submit(id, { text: "two" });
  await agent.sends.next();
  for await (const { event } of events) {
    expect(event).toMatchObject({ type: "input.accepted", inputId });
    break;
  }
  await reader.stop();
});

test.each([
  ["malformed", () => "nonsense"],
  ["of another session", (cursor: string) => cursor.replace(/\.1\./, ".2.")],
  ["beyond the end", (cursor: string) => cursor.replace(/\d+$/, "999999")],
])("a cursor %s is a typed error", async (_, change) => {
  const { id, reader } = await start();
  const bad = new Reader(world.host, id, change(reader.seen.at(-1)?.cursor ?? ""));
  expect(await bad.done).toMatchObject({ code: "bad-cursor" });
  await reader.stop();
});

test.each([
  ["a cursor of another store", (cursor: string) => cursor.replace(/^[^.]+/, "0123456789ab")],
  ["null", () => null],
])("%s gets a snapshot, then what follows it", async (_, from) => {
  const { id, reader, agent } = await start();
  const late = new Reader(world.host, id, from(reader.seen[0]?.cursor ?? ""));
  await world.host.submit(id, { text: "two" });
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "x");
  agent.complete(turnId);
  await late.until("turn.settled");
  const first = late.seen[0];
  expect(first?.event).toMatchObject({ type: "snapshot", sessionId: id, session: { id } });
  const { seq } = parseCursor(first?.cursor ?? "");
  expect(numbers(late).slice(1)).toEqual(
    numbers(late)
      .slice(1)
      .map((_, i) => seq + 1 + i),
  );
  await Promise.all([late.stop(), reader.stop()]);
});

test("a cursor below the horizon gets a snapshot with the open message as far as it was said", async () => {
  const { id, beginning, reader, agent } = await start({ limits: { foldEveryMs: 1_000, foldAfterMs: 10 } });
  world.clock.advance(1_000);
  await world.store.change([]);
  await world.host.submit(id, { text: "two" });
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "half");
  await reader.until("chunk", 6);
  const late = new Reader(world.host, id, beginning);
  agent.complete(turnId);
  await late.until("turn.settled");
  expect(late.seen[0]?.event).toMatchObject({ type: "snapshot", turn: { id: turnId }, older: expect.any(String) });
  const [first] = late.seen;
  if (first?.event.type !== "snapshot") throw new Error("no snapshot");
  expect(first.event.open).toMatchObject([{ parts: [{ type: "text", text: "half" }] }]);
  const whole = new Reader(world.host, id, first.event.replay);
  await whole.until("turn.settled");
  expect(whole.of("message.opened").map(({ messageId }) => messageId)).toEqual([first.event.open[0]?.id]);
  expect(whole.of("chunk")).toEqual(reader.of("chunk").slice(3));
  await Promise.all([late.stop(), whole.stop(), reader.stop()]);
});

test("a reader that lags by more than its bound is cut and told to come again; another is not disturbed", async () => {
  const { id, reader, agent } = await start({ limits: { subscriberBytes: 5_000 } });
  const lagging = world.host.events(id)[Symbol.asyncIterator]();
  const first = lagging.next();
  await world.host.submit(id, { text: "two" });
  await first;
  const { turnId } = await agent.sends.next();
  for (let i = 1; i <= 50; i++) {
    agent.chunk(turnId, { type: "data-x", id: `${i}`, data: "y".repeat(100) });
    await reader.until("chunk", 3 + i);
  }
  agent.complete(turnId);
  await reader.until("turn.settled", 2);
  const drained = (async () => {
    for (let next = await lagging.next(); next.done !== true; next = await lagging.next());
  })();
  await expect(drained).rejects.toMatchObject({ code: "slow-subscriber", retry: "now" });
  await reader.stop();
});

test("a reader that is still catching up is never cut: it reads the journal instead", async () => {
  const { id, beginning, reader, agent } = await start({ limits: { subscriberBytes: 2_000 } });
  const events = world.host.events(id, { after: beginning })[Symbol.asyncIterator]();
  const seqs: number[] = [];
  const take = async () => {
    const { value } = await events.next();
    if (value && "seq" in value) seqs.push(value.seq);
  };
  await take();
  await world.host.submit(id, { text: "two" });
  const { turnId } = await agent.sends.next();
  for (let i = 1; i <= 600; i++) {
    agent.chunk(turnId, { type: "data-x", id: `${i}`, data: i });
    await reader.until("chunk", 3 + i);
  }
  agent.complete(turnId);
  await reader.until("turn.settled", 2);
  while (seqs.length < reader.seen.length) await take();
  expect(seqs).toEqual(numbers(reader));
  await reader.stop();
});

test("an aborted reader ends, also while it waits", async () => {
  const { id, reader } = await start();
  await reader.stop();
  expect(await reader.done).toBeUndefined();
  await expect(new Reader(world.host, "ses_none").done).resolves.toMatchObject({ code: "no-such-session" });
  expect(id).toBeTruthy();
});
