/**
 * How late the host's loop is while it persists what 200 sessions stream, against the same load without a database.
 * Both hosts stay open; their loads alternate.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { atMost, type Bench, type Line } from "./bench.ts";
import { type BenchStore, memoryStore, sqliteIn, withBenchHost } from "./bench-host.ts";
import { pairedRounds } from "./paired-rounds.ts";
import { digits, median } from "./stats.ts";
import { steadily } from "./steadily.ts";
import { openStreams, type Stream, textOf } from "./streams.ts";
import { withTempDir } from "./temp-dir.ts";
import { withoutDatabase } from "./without-database.ts";

const sessions = 200;
const rates = [10_000, 40_000];
/** Milliseconds between two looks at the loop; what is longer is lag. */
const resolution = 1;

export const loopLag: Bench = {
  name: "loop-lag",
  run: ({ quick }) => {
    const [rounds, ms, count] = quick ? [1, 100, 4] : [4, 2_000, sessions];
    return withStreams(memoryStore, count, (bare) =>
      withStreams(sqliteIn, count, async (persisted) => {
        const lines: Line[] = [];
        for (const rate of rates) lines.push(await measure({ rounds, ms, rate }, bare, persisted));
        return lines;
      }),
    );
  },
};

type Load = { readonly rounds: number; readonly ms: number; readonly rate: number };

async function measure(
  { rounds, ms, rate }: Load,
  bare: readonly Stream[],
  persisted: readonly Stream[],
): Promise<Line> {
  const reached: number[] = [];
  const subject = async (): Promise<number> => {
    const { lag, perSecond } = await lagOf(persisted, rate, ms);
    reached.push(perSecond);
    return lag;
  };
  const { ratio, ...ms99 } = await pairedRounds(rounds, {
    baseline: async () => (await lagOf(bare, rate, ms)).lag,
    subject,
  });
  return {
    what: `loop lag p99, ${rate} persisted events/s`,
    against: "the same without a database",
    unit: "x",
    measured: ratio,
    budget: atMost(2),
    note: `${digits(ms99.subject)} to ${digits(ms99.baseline)} ms; ${Math.round(median(reached))} events/s reached`,
  };
}

async function lagOf(
  streams: readonly Stream[],
  rate: number,
  ms: number,
): Promise<{ lag: number; perSecond: number }> {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const perSecond = await steadily(rate, ms, (n) => streams[n % streams.length]?.say(textOf(n)));
  delay.disable();
  return { lag: Math.max(0, delay.percentile(99) / 1e6 - resolution), perSecond };
}

/** Streams of a host with such a store, each with a reader. */
function withStreams<T>(
  open: (directory: string) => BenchStore | Promise<BenchStore>,
  count: number,
  work: (streams: readonly Stream[]) => Promise<T>,
): Promise<T> {
  return withTempDir(async (directory) => {
    const opened = await open(directory);
    const store = open === memoryStore ? withoutDatabase(opened) : opened;
    return withBenchHost({ directory, store }, async (bench) => {
      const streams = await openStreams(bench, count);
      const stop = new AbortController();
      const readers = streams.map(async ({ sessionId }) => {
        for await (const _ of bench.host.events(sessionId, { signal: stop.signal }));
      });
      try {
        return await work(streams);
      } finally {
        stop.abort();
        await Promise.all(readers);
      }
    });
  });
}
