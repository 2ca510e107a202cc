import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Epoch, SessionNo } from "../../protocol/ids.ts";
import { sessionRow } from "../../stores/contract/fixtures.ts";
import { createMemoryStore } from "../../stores/memory.ts";
import { FrameParser } from "../../testing/byte-reader.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { type ByteSink, writeBytes } from "./byte-writer.ts";
import { Feeds } from "./feeds.ts";
import { Frames } from "./frames.ts";

/** A session whose commits the test makes, and readers of it. */
class Source {
  readonly clock = new VirtualClock();
  readonly store = createMemoryStore({ ids: countingIds(), clock: this.clock });
  readonly feeds = new Feeds();
  readonly frames = new Frames(this.store.id);
  readonly session: SessionNo = 1;
  readonly #epoch: Epoch = 1;
  readonly #stop = new AbortController();

  static async open(): Promise<Source> {
    const source = new Source();
    await source.store.create(sessionRow("ses_1"));
    await source.store.claim(source.session);
    return source;
  }
  /** One commit for each text, published one after the other in one tick. */
  async commit(...texts: readonly string[]): Promise<void> {
    const at = this.clock.now();
    const commits = texts.map((text) => {
      const event = { type: "notice", sessionId: "ses_1", level: "info", code: "test", text } as const;
      return this.store.write(this.session, this.#epoch, [{ write: "event", event, at }]);
    });
    for (const { events } of await Promise.all(commits)) {
      this.feeds.publish(this.session, events);
      for (let i = 0; i < 20; i++) await undefined; // whoever was woken has run
    }
  }
  write(sink: ByteSink, lagBytes = 10_000): Promise<void> {
    const { store, feeds, session, clock } = this;
    const form = this.frames.of(session);
    const times = { heartbeatMs: 15_000, retryMs: 500 };
    const ports = { store, feeds, session, sessionId: "ses_1", form, lagBytes, keptBytes: lagBytes, clock, ...times };
    return writeBytes(ports, 0, sink, this.#stop.signal);
  }
  stop(): void {
    this.#stop.abort();
  }
}
/** Keeps what it was given. Takes as much as it is allowed to. */
class Sink implements ByteSink {
  readonly writes: (readonly Uint8Array[])[] = [];
  #room: number;
  #call: (() => void) | null = null;
  #waiting: (() => void)[] = [];

  constructor(writes = Number.POSITIVE_INFINITY) {
    this.#room = writes;
  }
  write(pieces: readonly Uint8Array[]): void {
    this.writes.push(pieces);
    this.#room--;
    for (const wake of this.#waiting.splice(0)) wake();
  }
  whenRoom(call: () => void): void {
    if (this.#room > 0) call();
    else this.#call = call;
  }
  allow(writes: number): void {
    this.#room += writes;
    this.#call?.();
  }
  get text(): string {
    return Buffer.concat(this.writes.flat()).toString();
  }
  async until(count: number): Promise<void> {
    while (this.writes.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
const tick = () => new Promise((resolve) => setImmediate(resolve));
/** Follows live: its first write said how to come back, and the journal was found empty. */
async function following(source: Source, sink = new Sink(), bytes?: number) {
  const written = source.write(sink, bytes);
  written.catch(() => {}); // the test looks at it later
  await sink.until(1);
  await tick();
  return { sink, written };
}

test("an event is encoded once for three readers, who are given the same bytes", async () => {
  const source = await Source.open();
  const readers = await Promise.all([following(source), following(source), following(source)]);
  for (const text of ["one", "two", "three"]) {
    await source.commit(text);
    await tick();
  }
  const [first, second, third] = readers.map(({ sink }) => sink.writes.slice(1).flat());
  expect(source.frames.encoded).toBe(3);
  expect(first).toHaveLength(3);
  for (const [at, piece] of (first ?? []).entries()) {
    expect(second?.[at]).toBe(piece);
    expect(third?.[at]).toBe(piece);
  }
  source.stop();
  await Promise.all(readers.map(({ written }) => written));
});

test("what is committed in one tick is one write", async () => {
  const source = await Source.open();
  const { sink, written } = await following(source);
  await source.commit("a", "b", "c", "d");
  await tick();
  expect(sink.writes.slice(1).map((pieces) => pieces.length)).toEqual([4]);
  source.stop();
  await written;
});

test("a silent stream carries a comment every fifteen seconds, one that speaks does not", async () => {
  const source = await Source.open();
  const { sink, written } = await following(source);
  source.clock.advance(14_999);
  await tick();
  expect(sink.writes).toHaveLength(1);
  source.clock.advance(1);
  await sink.until(2);
  source.clock.advance(10_000);
  await source.commit("spoken");
  await sink.until(3);
  source.clock.advance(14_999); // since it spoke
  await tick();
  expect(sink.writes).toHaveLength(3);
  source.clock.advance(1);
  await sink.until(4);
  const { others } = parsed(sink);
  expect(others).toEqual(["retry: 500", ": ", ": "]);
  source.stop();
  await written;
  expect(source.clock.pending()).toEqual([]);
});

test("a reader without room is given nothing, not even a heartbeat, until it has some; then all at once", async () => {
  const source = await Source.open();
  const { sink, written } = await following(source, new Sink(2));
  await source.commit("one");
  await sink.until(2);
  for (const text of ["two", "three"]) await source.commit(text);
  source.clock.advance(60_000);
  await tick();
  expect(sink.writes).toHaveLength(2);
  sink.allow(1);
  await sink.until(3);
  expect(parsed(sink).frames.map(({ data }) => data["text"])).toEqual(["one", "two", "three"]);
  source.stop();
  await written;
});

test("one that takes nothing is cut when its bound is passed, and hears no more; another is not disturbed", async () => {
  const source = await Source.open();
  const stuck = await following(source, new Sink(2), 1_000);
  const good = await following(source);
  for (let i = 0; i < 20; i++) {
    await source.commit(`${i} ${"x".repeat(100)}`);
    await tick();
  }
  await expect(stuck.written).rejects.toMatchObject({ code: "slow-subscriber", retry: "now" });
  expect(stuck.sink.writes).toHaveLength(2);
  expect(parsed(good.sink).frames).toHaveLength(20);
  const { encoded } = source.frames;
  source.stop();
  await good.written;
  await source.commit("nobody hears it");
  expect(source.frames.encoded).toBe(encoded);
});

test("what the sink throws ends the reader, and nobody else", async () => {
  const source = await Source.open();
  const broken = new Sink();
  const reader = await following(source, broken);
  broken.write = () => {
    throw new RangeError("gone");
  };
  const good = await following(source);
  await source.commit("one");
  await expect(reader.written).rejects.toThrow("gone");
  await good.sink.until(2);
  source.stop();
  await good.written;
});

test("a Node response is such a sink", async () => {
  const source = await Source.open();
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/event-stream");
    const ended = (): void => void response.end();
    source.write(responseSink(response), 10_000_000).then(ended, ended);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const parser = new FrameParser();
  const reading = (async () => {
    for await (const bytes of answer.body ?? []) {
      parser.take(bytes);
      if (parser.frames.length === 50) source.stop();
    }
  })();
  for (let i = 0; i < 50; i++) await source.commit(`${i} ${"x".repeat(10_000)}`);
  await reading;
  const texts = parser.frames.map(({ data }) => Number.parseInt(String(data["text"]), 10));
  expect(texts).toEqual(Array.from({ length: 50 }, (_, i) => i));
  server.close();
  await once(server, "close");
});
const responseSink = (response: ServerResponse): ByteSink => ({
  write: (pieces) => {
    response.cork();
    for (const piece of pieces) response.write(piece);
    response.uncork();
  },
  whenRoom: (call) => {
    if (response.writableNeedDrain) response.once("drain", call);
    else call();
  },
});

function parsed(sink: Sink): FrameParser {
  const parser = new FrameParser();
  for (const piece of sink.writes.flat()) parser.take(piece);
  return parser;
}
