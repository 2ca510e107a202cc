/** Streams over the real handler that break at random moments: every event comes once, and in the order of the journal. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fetch } from "./calls/api.ts";
import type { DeliveredEvent } from "./calls/event-calls.ts";
import { type World, world } from "./testing/world.ts";

/** Event streams end after that many bytes, one number each, then never. */
function cutting(fetch: Fetch, cuts: readonly number[]): { readonly fetch: Fetch; readonly opened: () => number } {
  let opened = 0;
  return {
    opened: () => opened,
    fetch: async (request) => {
      const response = await fetch(request);
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
      const bytes = cuts[opened++];
      return bytes === undefined ? response : new Response(response.body?.pipeThrough(cutAfter(bytes)), response);
    },
  };
}
function cutAfter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(piece, controller) {
      controller.enqueue(piece.slice(0, left));
      left -= piece.length;
      if (left <= 0) controller.error(new TypeError("terminated"));
    },
  });
}

/** A turn of many chunks, while it is read. */
async function talk({ driver, client }: World, id: string, chunks: number): Promise<string> {
  const { cursor } = await client.submit(id, { text: "talk" });
  const connection = await driver.connections.next();
  const { turnId } = await connection.sends.next();
  const more = async (from: number): Promise<void> => {
    if (from >= chunks) return connection.complete(turnId);
    for (let n = from; n < from + 10; n++) connection.say(turnId, `word ${n} ü\u{1F600}`);
    await client.get(id); // something happens in between
    return more(from + 10);
  };
  await more(0);
  return cursor;
}
async function readTurn(events: AsyncIterable<DeliveredEvent>): Promise<readonly DeliveredEvent[]> {
  const seen: DeliveredEvent[] = [];
  for await (const delivered of events) {
    seen.push(delivered);
    if (delivered.event.type === "turn.settled") break;
  }
  return seen;
}

test("a hundred breaks at random bytes: each event once, as one reader without a break has them", async () => {
  const place = await world();
  const { id } = await place.client.create();
  const [cuts = []] = fc.sample(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 100, maxLength: 100 }), {
    numRuns: 1,
    seed: 4483,
  });
  const over = cutting(place.fetch, cuts);
  const start = (await place.client.snapshot(id)).cursor;
  const broken = readTurn(place.clientOver(over.fetch).events(id, { after: start }));
  const whole = readTurn(place.client.events(id, { after: start }));
  await talk(place, id, 300);
  expect(await broken).toEqual(await whole);
  expect(over.opened()).toBeGreaterThan(100);
  expect((await whole).filter(({ event }) => event.type === "chunk").length).toBeGreaterThanOrEqual(900);
});

test("from now on holds from the first stream that begins: what comes after a break is not lost", async () => {
  const asked: (string | null)[] = [];
  const frames = [
    "retry: 5\n\n",
    'id: c1\nevent: snapshot\ndata: {"type":"snapshot"}\n\n',
    'id: c2\nevent: turn.waiting\ndata: {"type":"turn.waiting","at":7}\n\n',
  ];
  const client = (await world()).clientOver(async ({ url }) => {
    asked.push(new URL(url).searchParams.get("after"));
    return new Response(frames[asked.length - 1], { headers: { "content-type": "text/event-stream" } });
  });
  for await (const delivered of client.events("s")) {
    expect(delivered).toEqual({ cursor: "c2", at: 7, event: { type: "turn.waiting" } });
    break;
  }
  expect(asked).toEqual(["snapshot", "snapshot", "c1"]);
});

test("a place the journal does not know gets a snapshot, and goes on from there", async () => {
  const place = await world({ mode: "echo" });
  const { id } = await place.client.create();
  const { cursor: before } = await place.client.submit(id, { text: "hello" });
  await readTurn(place.client.events(id, { after: before }));
  const { cursor } = await place.client.snapshot(id);
  const other = `000000000000${cursor.slice(12)}`; // of another store: as after a restore
  for await (const { event, cursor: at } of place.client.events(id, { after: other })) {
    expect([event.type, at]).toEqual(["snapshot", cursor]);
    break;
  }
  const wrong = place.client.events(id, { after: "nonsense" })[Symbol.asyncIterator]();
  await expect(wrong.next()).rejects.toMatchObject({ status: 400 });
  const gone = place.client.events("ses_none", { after: null })[Symbol.asyncIterator]();
  await expect(gone.next()).rejects.toMatchObject({ code: "no-such-session" });
});

test("a watch begins with the list, after every break again, and hears what changes", async () => {
  const place = await world();
  const { id } = await place.client.create({ title: "first" });
  const over = cutting(place.fetch, [40]);
  const stop = new AbortController();
  const types: string[] = [];
  for await (const event of place.clientOver(over.fetch).watch({ signal: stop.signal })) {
    types.push(event.type);
    if (event.type === "snapshot" && over.opened() === 2) await place.client.update(id, { title: "second" });
    if (event.type === "session.changed" && event.session?.title === "second") stop.abort();
  }
  expect(types[0]).toBe("snapshot");
  expect(types.at(-1)).toBe("session.changed");
});
