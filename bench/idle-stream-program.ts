/**
 * Opens event streams of sessions that say nothing, first of a raw server and then of a host, and prints what each took
 * of this process as JSON. The readers are another process.
 *   node --expose-gc bench/idle-stream-program.ts DATA_DIR READERS_EACH SESSION...
 */
import { setTimeout as wait } from "node:timers/promises";
import { openBenchHost, sqliteIn } from "./bench-host.ts";
import { RawStreams } from "./raw-streams.ts";
import { Readers, type Streams } from "./readers.ts";
import { HttpServed } from "./served-streams.ts";

const [directory = "", each = "1", ...sessions] = process.argv.slice(2);

/** Bytes of heap and of buffers in use, once everything that can go is gone. */
async function memory(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    await wait(50);
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
/** Kilobytes of one connection. All are opened twice: what the first ones compile is no connection's. */
async function eachKb(streams: Streams): Promise<number> {
  const readers = new Readers();
  const open = { each: Number(each), stalled: false };
  await readers.open(streams, open);
  readers.close();
  const before = await memory();
  await readers.open(streams, open);
  const kilobytes = ((await memory()) - before) / 1_024 / streams.urls.length / open.each;
  readers.end();
  streams.close();
  return kilobytes;
}

const rawKb = await eachKb(await RawStreams.open(sessions.length));
const { host } = await openBenchHost({ directory, store: await sqliteIn(directory) });
const servedKb = await eachKb(await HttpServed.open(host, sessions));
const answer: IdleStreamAnswer = { rawKb, servedKb };
console.log(JSON.stringify(answer));
process.exit(0);

export type IdleStreamAnswer = { readonly rawKb: number; readonly servedKb: number };
