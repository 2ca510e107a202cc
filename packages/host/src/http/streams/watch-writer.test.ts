import { afterEach, beforeEach, expect, test } from "vitest";
import type { ByteSink } from "../../host/api.ts";
import { type TestHost, testHost } from "../../testing/test-host.ts";
import { writeWatch } from "./watch-writer.ts";

const limits = { heartbeatMs: 15_000, reconnectMs: 1_000 };
let world: TestHost;
beforeEach(async () => {
  world = await testHost();
});
afterEach(() => world.end());

/** Takes so many writes, then nothing. */
class Reader implements ByteSink {
  text = "";
  #room: number;
  #full: () => void = () => {};
  #wrote: () => void = () => {};
  readonly full: Promise<void>;

  constructor(room: number) {
    this.#room = room;
    this.full = new Promise((resolve) => {
      this.#full = resolve;
    });
  }
  write(pieces: readonly Uint8Array[]): void {
    this.text += Buffer.concat(pieces).toString();
    this.#wrote();
  }
  async until(words: string): Promise<void> {
    while (!this.text.includes(words))
      await new Promise<void>((resolve) => {
        this.#wrote = resolve;
      });
  }
  whenRoom(call: () => void): void {
    if (this.#room-- > 0) call();
    else this.#full();
  }
}
const ports = () => ({ host: world.host, clock: world.clock, limits });

test("how to come back, the list, what changes, as long as there is room", async () => {
  const [reader, stop] = [new Reader(3), new AbortController()];
  const writing = writeWatch(ports(), reader, stop.signal);
  await world.session();
  await reader.until("session.changed");
  await world.session();
  await reader.full;
  const begin = /^retry: 1000\n\nevent: snapshot\ndata: \{.*\}\n\nevent: session\.changed\ndata: /;
  expect(reader.text).toMatch(begin);
  stop.abort();
  await writing;
});

test("a silent stream carries a heartbeat, and not more than one at a time", async () => {
  const [reader, stop] = [new Reader(3), new AbortController()];
  const writing = writeWatch(ports(), reader, stop.signal);
  await reader.until("snapshot");
  world.clock.advance(limits.heartbeatMs);
  expect(reader.text).toMatch(/\n\n: \n\n$/);
  stop.abort();
  await writing;
  world.clock.advance(10 * limits.heartbeatMs);
  expect(reader.text.match(/^: $/gm)).toHaveLength(1);
  expect(world.clock.pending().filter((ms) => ms <= limits.heartbeatMs)).toEqual([]);
});

test("who takes nothing for as long as a heartbeat is cut", async () => {
  const reader = new Reader(1);
  const writing = writeWatch(ports(), reader, new AbortController().signal);
  await reader.full;
  world.clock.advance(limits.heartbeatMs);
  world.clock.advance(limits.heartbeatMs);
  await expect(writing).rejects.toMatchObject({ code: "slow-subscriber", retry: "later" });
});

test("who left before it began is written nothing", async () => {
  const reader = new Reader(1);
  await writeWatch(ports(), reader, AbortSignal.abort());
  expect(reader.text).toBe("");
});
