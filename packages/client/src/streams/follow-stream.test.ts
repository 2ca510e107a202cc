/** Streams that break, refuse, fall silent and come back: on a clock of the test's own, so nothing is waited for. */
import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { FakeTime } from "../testing/fake-time.ts";
import { followStream, type Loss, type SentEvent } from "./follow-stream.ts";

type Opening = (after: string | null, signal: AbortSignal) => Promise<Response>;
const sse = { headers: { "content-type": "text/event-stream" } };
const event = (n: number): string => `id: c${n}\nevent: chunk\ndata: {"n":${n}}\n\n`;
const problem = (status: number, fields: object = {}, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ detail: "no", ...fields }), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
const broken = (text: string): Response =>
  new Response(
    new ReadableStream({
      pull(controller) {
        if (text === "") return controller.error(new TypeError("terminated"));
        controller.enqueue(new TextEncoder().encode(text));
        text = "";
      },
    }),
    sse,
  );
/** Sends the text and then nothing, until it is given up. */
function silent(text: string, signal: AbortSignal): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  return new Response(body, sse);
}

/** Follows what is opened one after the other, and stops when there is no more to open. */
async function follow(openings: readonly Opening[], after: string | null = null, time = new FakeTime()) {
  const places: (string | null)[] = [];
  const stop = new AbortController();
  const left = [...openings];
  const open: Opening = (place, signal) => {
    const next = left.shift();
    if (next === undefined) stop.abort();
    else places.push(place);
    return next === undefined ? Promise.reject(new TypeError("over")) : next(place, signal);
  };
  const source = { url: "http://127.0.0.1:1/v1/sessions/s/events", open };
  const ports = { limits, after: time.after, random: () => 0 };
  const seen: SentEvent[] = [];
  const losses: Loss[] = [];
  const following = { after, signal: stop.signal, onLost: (loss: Loss) => void losses.push(loss) };
  for await (const one of followStream(source, following, ports)) seen.push(one);
  return { ids: seen.map(({ id }) => id), seen, places, waits: time.fired, losses };
}
const ends = (text: string) => (): Promise<Response> => Promise.resolve(new Response(text, sse));

test("a stream that ends or breaks goes on after its last whole event", async () => {
  const half = event(4).slice(0, -2);
  const { ids, places } = await follow(
    [ends(event(2) + event(3)), () => Promise.resolve(broken(half)), ends(event(4) + event(5))],
    "c1",
  );
  expect(places).toEqual(["c1", "c3", "c3"]);
  expect(ids).toEqual(["c2", "c3", "c4", "c5"]);
});

test("it waits as the server asks, longer each time nothing came, and no longer than the limit", async () => {
  const refused = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
  const { waits, losses } = await follow([
    ends(`retry: 50\n\n${event(1)}`),
    ...Array.from({ length: 12 }, () => refused),
    ends(event(2)),
    () => Promise.resolve(problem(503, { retry: "later" }, { "retry-after": "7" })),
    () => Promise.resolve(problem(500, { retry: "never" })),
    ends("retry: 999999999\n\n: \n\n"),
  ]);
  const growing = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000];
  expect(waits.slice(0, 13)).toEqual(growing);
  expect(waits.slice(13)).toEqual([50, 7_000, 200, limits.retryMostMs]);
  expect(losses.map(({ waitMs }) => waitMs)).toEqual(waits);
  expect(losses.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1, 2, 3, 1]);
  expect(losses.slice(0, 2).map(({ problem: why }) => why?.code)).toEqual([undefined, "no-connection"]);
});

test("silence past the heartbeats, and headers that do not come, count as lost", async () => {
  const time = new FakeTime();
  const late: Opening = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const { ids, places } = await follow(
    [(_, signal) => Promise.resolve(silent(event(1), signal)), late, ends(event(2))],
    null,
    time,
  );
  expect([ids, places]).toEqual([
    ["c1", "c2"],
    [null, "c1", "c1"],
  ]);
  expect(time.fired).toEqual([limits.silenceMs, limits.retryMs, limits.openMs, 2 * limits.retryMs, limits.retryMs]);
});

test.each([
  [400, "bad-cursor"],
  [401, "unauthorized"],
  [403, "origin-not-allowed"],
  [404, "no-such-session"],
  [422, "bad-request"],
])("a %i that no further try mends ends it", async (status, code) => {
  const wrong = (): Promise<Response> => Promise.resolve(problem(status, { code, retry: "never", field: "x" }));
  await expect(follow([ends(event(1)), wrong])).rejects.toMatchObject({
    name: "ProblemError",
    ...{ status, code, message: "no", detail: { field: "x" } },
  });
});

test.each([408, 425, 429, 500, 502, 503])("a %i does not", async (status) => {
  const busy = (): Promise<Response> => Promise.resolve(problem(status));
  expect((await follow([busy, ends(event(1))])).ids).toEqual(["c1"]);
});

test("what is no event stream ends it, and says so", async () => {
  const page = new Response("<html>", { headers: { "content-type": "text/html" } });
  await expect(follow([() => Promise.resolve(page)])).rejects.toMatchObject({
    code: "bad-response",
    message: expect.stringContaining("text/html"),
  });
  await expect(follow([ends("id: c\ndata: {oops\n\n")])).rejects.toMatchObject({ code: "bad-response" });
});

test("an event past the limit ends it: it would come again", async () => {
  const huge = `data: "${"x".repeat(40)}`;
  const source = { url: "http://127.0.0.1:1/", open: ends(huge) };
  const ports = { limits: { ...limits, eventChars: 20 }, after: new FakeTime().after, random: () => 0 };
  const events = followStream(source, { after: null, signal: new AbortController().signal }, ports);
  await expect(events.next()).rejects.toMatchObject({ code: "event-too-large", detail: { eventChars: 20 } });
});

test("characters and lines cut anywhere come whole", async () => {
  const text = `id: c1\r\ndata: {"s":"a\u{1F600}ü"}\r\n\r\n`;
  const bytes = new TextEncoder().encode(text);
  const pieces = (): Promise<Response> =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
            controller.close();
          },
        }),
        sse,
      ),
    );
  expect((await follow([pieces])).seen).toEqual([{ id: "c1", data: { s: "a\u{1F600}ü" } }]);
});

test("whoever stops reading gives the connection up", async () => {
  const given = Promise.withResolvers<void>();
  const open: Opening = (_, signal) => {
    signal.addEventListener("abort", () => given.resolve());
    return Promise.resolve(silent(event(1), signal));
  };
  const ports = { limits, after: new FakeTime({ frozen: true }).after, random: () => 0 };
  const { signal } = new AbortController();
  for await (const one of followStream({ url: "http://127.0.0.1:1/", open }, { after: null, signal }, ports)) {
    expect(one.id).toBe("c1");
    break;
  }
  await given.promise;
});

test("its signal ends it without an error, whatever it does", async () => {
  const stop = new AbortController();
  const ports = { limits, after: new FakeTime({ frozen: true }).after, random: () => 0 };
  const source = {
    url: "http://127.0.0.1:1/",
    open: (_: string | null, signal: AbortSignal) => Promise.resolve(silent(event(1), signal)),
  };
  const events = followStream(source, { after: null, signal: stop.signal }, ports);
  await events.next();
  const next = events.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
