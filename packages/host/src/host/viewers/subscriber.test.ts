import { expect, test, vi } from "vitest";
import type { StoredEvent } from "../../protocol/events.ts";
import { sessionRow } from "../../stores/contract/fixtures.ts";
import { createMemoryStore } from "../../stores/memory.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { type EventBatch, eventBatches } from "./event-batches.ts";
import { Feeds } from "./feeds.ts";
import { type From, Subscriber } from "./subscriber.ts";

/** A journal, and a reader of it; what is committed is published only when the test says so. */
async function journal() {
  const store = createMemoryStore({ ids: countingIds(), clock: new VirtualClock() });
  const feeds = new Feeds();
  const session = await store.create(sessionRow("ses_1"));
  const epoch = await store.claim(session);
  const commit = async (text: string, at = 1_000): Promise<readonly StoredEvent[]> => {
    const event = { type: "notice", sessionId: "ses_1", level: "info", code: "test", text } as const;
    return (await store.write(session, epoch, [{ write: "event", event, at }])).events;
  };
  const form = eventBatches(store.id, session);
  const reader = (from: From, lagBytes = 10_000, keptBytes = lagBytes) =>
    new Subscriber<EventBatch>({ store, feeds, session, sessionId: "ses_1", form, lagBytes, keptBytes }, from);
  return { store, commit, reader, publish: (events: readonly StoredEvent[]) => feeds.publish(session, events) };
}
/** Texts, or the type of what has none. */
const said = (batches: readonly EventBatch[]): string[] =>
  batches.flatMap(({ delivered }) => delivered.map(({ event }) => (event.type === "notice" ? event.text : event.type)));

test("a live event that does not join what the reader has is fetched with all before it", async () => {
  const { commit, reader, publish } = await journal();
  const subscriber = reader(0);
  const first = subscriber.next();
  publish(await commit("one"));
  expect(said(await first)).toEqual(["one"]);
  await commit("two"); // stored, and its publication lost
  publish(await commit("three"));
  expect(said(await subscriber.next())).toEqual(["two", "three"]);
  const next = subscriber.next();
  publish(await commit("four"));
  expect(said(await next)).toEqual(["four"]);
  subscriber.close();
});

test("an event is given at whatever moment between two looks it is published", async () => {
  for (let moment = 0; moment < 12; moment += 1) {
    const { commit, reader, publish } = await journal();
    const subscriber = reader(0);
    const first = subscriber.next();
    publish(await commit("one"));
    await first;
    const two = await commit("two");
    const next = subscriber.next();
    for (let n = 0; n < moment; n += 1) await Promise.resolve();
    publish(two);
    expect(said(await next)).toEqual(["two"]);
    subscriber.close();
  }
});

test("what is published again is given once", async () => {
  const { commit, reader, publish } = await journal();
  const subscriber = reader(0);
  const first = subscriber.next();
  const one = await commit("one");
  publish(one);
  publish(one);
  expect(said(await first)).toEqual(["one"]);
  const next = subscriber.next();
  publish(one);
  publish(await commit("two"));
  expect(said(await next)).toEqual(["two"]);
  subscriber.close();
});

test("a reader whose place is folded away before it reads gets a snapshot, also of a journal that is empty then", async () => {
  const { store, commit, reader, publish } = await journal();
  for (const text of ["one", "two"]) await commit(text);
  const subscriber = reader(1);
  await store.fold(2_000, 10);
  expect(said(await subscriber.next())).toEqual(["snapshot"]);
  const next = subscriber.next();
  publish(await commit("three", 3_000));
  expect(said(await next)).toEqual(["three"]);
  subscriber.close();
});

test("a reader that the horizon passes gets a snapshot, then what comes after that", async () => {
  const { store, commit, reader, publish } = await journal();
  for (const [text, at] of [
    ["one", 1_000],
    ["two", 1_000],
    ["three", 3_000],
  ] as const)
    await commit(text, at);
  const subscriber = reader(1);
  await store.fold(2_000, 10);
  expect(said(await subscriber.next())).toEqual(["snapshot"]);
  const next = subscriber.next();
  publish(await commit("four", 3_000));
  expect(said(await next)).toEqual(["four"]);
  subscriber.close();
});

test("who waits is woken, and who is closed gets nothing", async () => {
  const { reader, commit, publish } = await journal();
  const subscriber = reader(0);
  const woken = subscriber.next();
  await new Promise((resolve) => setImmediate(resolve));
  subscriber.wake();
  expect(await woken).toEqual([]);
  const closed = subscriber.next();
  subscriber.close();
  expect(await closed).toEqual([]);
  publish(await commit("one"));
  expect(await subscriber.next()).toEqual([]);
});

test("a reader that asks is never too slow: too much at once it reads in the journal; one that does not ask is cut", async () => {
  const { commit, reader, publish } = await journal();
  const bytes = 300;
  const subscriber = reader(0, bytes);
  const first = subscriber.next();
  publish(await commit("one"));
  expect(said(await first)).toEqual(["one"]);
  const asked = subscriber.next();
  await new Promise((resolve) => setImmediate(resolve)); // it waits for the next event
  const many = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(100));
  const commits = await Promise.all(many.map((text) => commit(text)));
  for (const events of commits) publish(events); // before it can take any
  const seen = said(await asked);
  while (seen.length < many.length) seen.push(...said(await subscriber.next()));
  expect(seen).toEqual(many);
  const next = subscriber.next();
  publish(await commit("live"));
  expect(said(await next)).toEqual(["live"]);
  for (const text of many) publish(await commit(text));
  await expect(subscriber.next()).rejects.toMatchObject({ code: "slow-subscriber" });
});

test("a reader without room keeps little, reads the rest in the journal when it has room again, and goes on live", async () => {
  const { store, commit, reader, publish } = await journal();
  const reads = vi.spyOn(store, "events");
  const subscriber = reader(0, 100_000, 1_000);
  const first = subscriber.next();
  publish(await commit("one"));
  expect(said(await first)).toEqual(["one"]);
  const few = ["two", "three"];
  for (const text of few) publish(await commit(text));
  expect(said(await subscriber.ready())).toEqual(few);
  const fewReads = reads.mock.calls.length; // what was kept needs no journal
  const many = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(100));
  for (const text of many) publish(await commit(text));
  expect(reads).toHaveBeenCalledTimes(fewReads);
  expect(said(await subscriber.ready())).toEqual(many);
  expect(reads.mock.calls.length).toBeGreaterThan(fewReads);
  const next = subscriber.next();
  publish(await commit("live"));
  expect(said(await next)).toEqual(["live"]);
  subscriber.close();
});

test("what a reader without room does not keep counts as its lag", async () => {
  const { commit, reader, publish } = await journal();
  const subscriber = reader(0, 3_000, 500);
  const first = subscriber.next();
  publish(await commit("one"));
  await first;
  expect(await subscriber.ready()).toEqual([]); // it follows live
  for (let n = 0; n < 20; n += 1) publish(await commit(`${n}`.padEnd(100)));
  await expect(subscriber.next()).rejects.toMatchObject({ code: "slow-subscriber" });
  subscriber.close();
});
