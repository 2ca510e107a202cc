import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { ByteReader, type Frame } from "../../testing/byte-reader.ts";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import type { DeliveredEvent } from "../api.ts";

let world: TestHost;
afterEach(() => world.end());
/** A session whose first turn runs, its events so far, and a cursor before them. */
const start = async (options: TestHostOptions = {}) => {
  world = await testHost(options);
  const id = await world.session();
  const beginning = await world.host.cursor(id);
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  return { id, beginning, reader, agent, turnId };
};
/** What `events` delivers, as its frame. */
const frameOf = (delivered: DeliveredEvent): Frame => {
  const { cursor, event } = delivered;
  const data = { ...event, ...("at" in delivered ? { at: delivered.at } : {}) };
  return { id: cursor, event: event.type, data: JSON.parse(JSON.stringify(data)) as Frame["data"] };
};
const tick = () => new Promise((resolve) => setImmediate(resolve));

test("an event is its cursor, its type and one line of JSON; how to come back is said first", async () => {
  const { id, beginning, reader, agent, turnId } = await start();
  agent.say(turnId, "two\nlines \u2028 and 🙂");
  agent.complete(turnId);
  await reader.until("turn.settled");
  const bytes = new ByteReader(world.host, id, beginning);
  expect(Buffer.from((await bytes.read()) ?? []).toString()).toBe("retry: 1000\n\n");
  const text = Buffer.from((await bytes.read()) ?? []).toString();
  expect(text.split("\n\n")[0]).toMatch(
    /^id: [a-z0-9]+\.1\.1\nevent: input\.accepted\ndata: \{"type":"input\.accepted".*\}$/,
  );
  expect(bytes.frames).toEqual(reader.seen.map(frameOf));
  await Promise.all([bytes.stop(), reader.stop()]);
});

test("a cursor of another store gets a snapshot, as `events` does", async () => {
  const { id, beginning, reader, agent, turnId } = await start();
  const bytes = new ByteReader(world.host, id, beginning.replace(/^[^.]+/, "0123456789ab"));
  const done = bytes.run();
  await bytes.until("snapshot");
  agent.complete(turnId);
  await bytes.until("turn.settled");
  expect(bytes.frames[0]).toMatchObject({ event: "snapshot", data: { type: "snapshot", sessionId: id } });
  expect(bytes.frames[0]?.id).toBe(bytes.frames[0]?.data["cursor"]);
  await Promise.all([bytes.stop(), reader.stop()]);
  expect(await done).toBeUndefined();
});

test.each([
  ["bad-cursor", "ses_0001", "nonsense"],
  ["no-such-session", "ses_none", undefined],
])("%s is told before the first byte", async (code, id, after) => {
  const { reader } = await start();
  const bytes = new ByteReader(world.host, id, after);
  expect(await bytes.run()).toMatchObject({ code });
  expect(bytes.pieces).toEqual([]);
  await reader.stop();
});

test("a signal ends the stream, also one that was given before; a reader may leave at any time", async () => {
  const { id, reader } = await start();
  const stop = new AbortController();
  const stream = world.host.bytes(id, { signal: stop.signal }).getReader();
  await stream.read();
  const end = stream.read();
  stop.abort();
  expect(await end).toEqual({ done: true, value: undefined });
  expect(await world.host.bytes(id, { signal: stop.signal }).getReader().read()).toMatchObject({ done: true });
  const unread = world.host.bytes(id);
  await unread.cancel();
  await reader.stop();
});

test("a reader that stops reading is cut while the turn goes on, and comes back without a gap", async () => {
  const { id, reader, agent, turnId } = await start({ limits: { subscriberBytes: 4_000 } });
  const stuck = new ByteReader(world.host, id, await world.host.cursor(id));
  await stuck.read();
  const first = stuck.read();
  agent.say(turnId, "heard");
  await first;
  const cut = stuck.failed();
  for (let i = 1; i <= 60; i++) {
    agent.chunk(turnId, { type: "data-x", id: `${i}`, data: "y".repeat(100) });
    await reader.until("chunk", 3 + i);
  }
  expect(await cut).toMatchObject({ code: "slow-subscriber", retry: "now" }); // it never read again
  agent.complete(turnId);
  await reader.until("turn.settled");
  const back = new ByteReader(world.host, id, stuck.frames.at(-1)?.id);
  const done = back.run();
  await back.until("turn.settled");
  const from = reader.seen.findIndex(({ cursor }) => cursor === stuck.frames[0]?.id);
  expect([...stuck.frames, ...back.frames]).toEqual(reader.seen.slice(from).map(frameOf));
  await Promise.all([back.stop(), reader.stop()]);
  await done;
});

test("whatever comes whenever, and wherever a reader left, bytes and events are the same", async () => {
  const step = fc.record({ act: fc.nat(5), pause: fc.boolean(), leave: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const { id, beginning, reader, agent, turnId } = await start({
        limits: { subscriberBytes: 3_000, subscriberKeptBytes: 600 },
      });
      const restless = new Restless(id, beginning);
      for (const { act, pause, leave } of steps) {
        said(agent, turnId, act);
        if (pause) await tick();
        await restless.go(leave);
      }
      agent.complete(turnId);
      await reader.until("turn.settled");
      const expected = reader.seen.map(frameOf);
      expect(await restless.rest(expected.length)).toEqual(expected);
      for (const [at, cursor] of [beginning, ...reader.seen.map((event) => event.cursor)].entries())
        if (at < expected.length) expect(await allAfter(id, cursor, expected.length - at)).toEqual(expected.slice(at));
      await reader.stop();
      await world.end();
    }),
    { numRuns: Number(process.env["MOORING_RUNS"] ?? 25), examples: [[cutBeforeItLeft], [allAtOnce]] },
  );
});
type Step = { readonly act: number; readonly pause: boolean; readonly leave: number };
const big = { act: 2, pause: false, leave: 2 };
/** The reader follows live, is cut while it does not read, and then leaves. */
const cutBeforeItLeft: Step[] = [
  { act: 0, pause: false, leave: 1 },
  { act: 0, pause: false, leave: 1 },
  { ...big, leave: 1 },
  { act: 1, pause: true, leave: 0 },
];
const allAtOnce: Step[] = Array.from({ length: 25 }, () => big);
function said(agent: FakeConnection, turnId: string, act: number): void {
  if (act === 0) agent.say(turnId, "a word");
  else if (act === 1) for (let i = 0; i < 5; i++) agent.chunk(turnId, { type: "data-x", id: `${i}`, data: i });
  else if (act === 2) agent.chunk(turnId, { type: "data-big", data: "z".repeat(2_000) });
  else if (act === 3) agent.emit({ type: "notice", level: "info", code: "n", text: "ö" });
  else agent.chunk(turnId, { type: "data-y", data: act });
}
/** A reader that reads now and then, leaves, is cut, and always comes back with its last cursor. */
class Restless {
  readonly #id: string;
  readonly #seen: Frame[] = [];
  #cursor: string;
  #reader: ByteReader | null = null;
  #taken = 0;

  constructor(id: string, cursor: string) {
    this.#id = id;
    this.#cursor = cursor;
  }
  async go(how: number): Promise<void> {
    if (how === 0) await this.#leave();
    if (how === 1) await this.#read();
  }
  /** All it saw, once that is `count` frames. */
  async rest(count: number): Promise<readonly Frame[]> {
    while (this.#seen.length < count) await this.#read();
    await this.#leave();
    return this.#seen;
  }
  /** It may have been cut since it last read: leaving is how it hears of that then. */
  async #leave(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    await reader?.stop().catch(onlyCut);
  }
  async #read(): Promise<void> {
    this.#reader ??= new ByteReader(world.host, this.#id, this.#cursor);
    this.#taken = this.#reader.frames.length;
    try {
      await this.#reader.read();
    } catch (cause) {
      onlyCut(cause);
      this.#reader = null;
      return;
    }
    const fresh = this.#reader.frames.slice(this.#taken);
    this.#seen.push(...fresh);
    this.#cursor = fresh.at(-1)?.id ?? this.#cursor;
  }
}
/** Nothing else may end a stream that its reader wants to go on with. */
function onlyCut(cause: unknown): void {
  expect(cause).toMatchObject({ code: "slow-subscriber" });
}
async function allAfter(id: string, cursor: string, count: number): Promise<readonly Frame[]> {
  const reader = new ByteReader(world.host, id, cursor);
  while (reader.frames.length < count) await reader.read();
  await reader.stop();
  return reader.frames;
}
