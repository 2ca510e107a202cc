/** From the driver's event to a local subscriber: 200 sessions at 50 chunks a second, persisted before they are seen. */
import { defaultStoreLimits } from "../packages/host/src/stores/limits.ts";
import { atMost, type Bench, type Line } from "./bench.ts";
import { type BenchHost, sqliteIn, withBenchHost } from "./bench-host.ts";
import { digits, figure, quantile } from "./stats.ts";
import { steadily } from "./steadily.ts";
import { openStreams, type Stream, textOf } from "./streams.ts";
import { withTempDir } from "./temp-dir.ts";

const sessions = 200;
const chunksPerSecond = 50;

export const chunkLatency: Bench = {
  name: "chunk-latency",
  run: ({ quick }) => {
    const [rounds, ms, count] = quick ? [1, 200, 4] : [5, 2_000, sessions];
    return withTempDir(async (directory) => {
      const store = await sqliteIn(directory);
      return withBenchHost({ directory, store }, async (bench) => {
        const streams = await openStreams(bench, count);
        await latencies(bench, streams, ms / 2);
        const seen: (readonly number[])[] = [];
        for (let round = 0; round < rounds; round++) seen.push(await latencies(bench, streams, ms));
        return [lineOf(seen)];
      });
    });
  },
};

function lineOf(rounds: readonly (readonly number[])[]): Line {
  const { flushMs } = defaultStoreLimits;
  const all = rounds.flat();
  const [p50, p99] = [digits(quantile(all, 0.5)), digits(quantile(all, 0.99))];
  return {
    what: "chunk latency p50, driver to subscriber",
    against: `flush interval, ${flushMs} ms`,
    unit: "ms",
    measured: figure(rounds.map((round) => quantile(round, 0.5) - flushMs)),
    budget: atMost(2),
    note: `p50 ${p50} ms, p99 ${p99} ms at ${sessions} x ${chunksPerSecond} chunks/s`,
  };
}

/** Milliseconds of every chunk. */
async function latencies(bench: BenchHost, streams: readonly Stream[], ms: number): Promise<readonly number[]> {
  const stop = new AbortController();
  const readers = await Promise.all(streams.map((stream) => Reader.open(bench, stream, stop.signal)));
  await steadily(streams.length * chunksPerSecond, ms, (n) => readers[n % readers.length]?.say(textOf(n)));
  await Promise.all(readers.map((reader) => reader.caughtUp()));
  stop.abort();
  return readers.flatMap(({ seen }) => seen);
}

/** A session's subscriber that knows when each piece of text was said. */
class Reader {
  readonly seen: number[] = [];
  readonly #stream: Stream;
  readonly #said: number[] = [];
  readonly #failed = Promise.withResolvers<never>();
  #caughtUp: () => void = () => {};

  private constructor(stream: Stream) {
    this.#stream = stream;
  }

  static async open({ host }: BenchHost, stream: Stream, signal: AbortSignal): Promise<Reader> {
    const reader = new Reader(stream);
    const events = host.events(stream.sessionId, { after: await host.cursor(stream.sessionId), signal });
    reader.#failed.promise.catch(() => {}); // whoever waits for the reader hears it
    reader.#read(events).catch(reader.#failed.reject);
    return reader;
  }

  say(delta: string): void {
    this.#said.push(performance.now());
    this.#stream.say(delta);
  }

  /** Rejects when the reading failed. */
  caughtUp(): Promise<void> {
    const all = new Promise<void>((resolve) => {
      this.#caughtUp = () => this.seen.length === this.#said.length && resolve();
      this.#caughtUp();
    });
    return Promise.race([all, this.#failed.promise]);
  }

  async #read(events: ReturnType<BenchHost["host"]["events"]>): Promise<void> {
    for await (const { event } of events) {
      if (event.type !== "chunk" || event.chunk.type !== "text-delta") continue;
      this.seen.push(performance.now() - (this.#said[this.seen.length] ?? Number.NaN));
      this.#caughtUp();
    }
  }
}
