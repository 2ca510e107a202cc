/**
 * Runs one turn in every session of a data directory and lets them come to rest, in memory and out of it; prints the
 * heap they took as JSON. Time is virtual.
 *   node --expose-gc bench/idle-program.ts DATA_DIR SESSION...
 */
import { setTimeout as wait } from "node:timers/promises";
import { defaultLimits } from "@mooring/host";
import { VirtualClock } from "@mooring/host/testing";
import { openBenchHost, sqliteIn } from "./bench-host.ts";

const minute = 60_000;
const [directory = "", ...all] = process.argv.slice(2);
/** Those that go first, so that code which is compiled on its first use is not taken for a session's. */
const first = all.slice(0, Math.ceil(all.length / 10));
const sessions = all.slice(first.length);
const clock = new VirtualClock();
const store = await sqliteIn(directory, clock);
const limits = { ...defaultLimits, idleEvictMs: 10 * minute };
const { host, driver } = await openBenchHost({ directory, store, clock, limits, driver: { mode: "echo" } });

/** Bytes in use once everything that can go is gone. */
async function heap(): Promise<number> {
  // The testing kit's own records are no part of a session.
  for (const records of [driver.connections, driver.connects, driver.prewarmed]) records.all.length = 0;
  for (let pass = 0; pass < 3; pass++) {
    await wait(20);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

/** Minute by minute: what is repeated must be armed again in between. */
async function pass(minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    clock.advance(minute);
    await store.change([]);
    await wait(5);
  }
}

async function turn(session: string): Promise<void> {
  const stop = new AbortController();
  const events = host.events(session, { signal: stop.signal });
  await host.submit(session, { text: "hello" });
  for await (const { event } of events) if (event.type === "turn.settled") return;
}

await Promise.all(first.map(turn));
await pass(18); // into rest and out of memory
const empty = await heap();
for (const session of sessions) await host.close(session); // loads it, and does nothing else
const loaded = await heap();
await Promise.all(sessions.map(turn));
const connected = await heap();
await pass(6); // idle connections close
const rested = await heap();
await pass(11); // sessions at rest leave memory
const evicted = await heap();
const each = (bytes: number): number => (bytes - empty) / sessions.length / 1_024;
const answer: IdleAnswer = {
  loadedKb: each(loaded),
  connectedKb: each(connected),
  restedKb: each(rested),
  evictedKb: each(evicted),
  sessions: sessions.length,
};
console.log(JSON.stringify(answer));
process.exit(0);

export type IdleAnswer = {
  /** Loaded, nothing run yet. */
  readonly loadedKb: number;
  /** After a turn, its connection open: the fake driver's part is in it. */
  readonly connectedKb: number;
  /** After a turn, its connection closed. */
  readonly restedKb: number;
  readonly evictedKb: number;
  readonly sessions: number;
};
