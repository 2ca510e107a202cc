/**
 * How late the host's loop is while it persists what 200 sessions stream, against the same load without a database.
 * Both hosts stay open; their loads alternate.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { atMost, type Bench, type Line } from "./bench.ts";
import { type BenchHost, memoryStore, sqliteIn, withBenchHost } from "./bench-host.ts";
import { compare, inRounds } from "./paired-rounds.ts";
import { digits } from "./stats.ts";
import { steadily } from "./steadily.ts";
import { openStreams, type Stream, textOf } from "./streams.ts";
import { withTempDir } from "./temp-dir.ts";
import { withoutDatabase } from "./without-database.ts";

const sessions = 200;
const rates = [10_000, 40_000];
/** Milliseconds between two looks at the loop; what is longer is lag. */
const resolution = 1;

type Streams = readonly Stream[];
type Load = { readonly rounds: number; readonly ms: number; readonly rate: number };
type Seen = {
  readonly lagMs: number;
  readonly perSecond: number;
  /** Microseconds of CPU of the loop's thread. */
  readonly eventUs: number;
};

export const loopLag: Bench = {
  name: "loop-lag",
  run: ({ quick }) => {
    const [rounds, ms, count] = quick ? [1, 100, 4] : [6, 1_000, sessions];
    return withBareStreams(count, (bare) =>
      withPersistedStreams(count, async (persisted) => {
        const lines: Line[] = [];
        for (const rate of rates) lines.push(await measure({ rounds, ms, rate }, bare, persisted));
        return lines;
      }),
    );
  },
};

async function measure(load: Load, bare: Streams, persisted: Streams): Promise<Line> {
  const rounds = await inRounds(load.rounds, {
    baseline: () => look(bare, load),
    subject: () => look(persisted, load),
  });
  const both = (what: (seen: Seen) => number): string => {
    const { baseline, subject } = compare(rounds, what);
    return `${digits(subject)} to ${digits(baseline)}`;
  };
  const reached = compare(rounds, ({ perSecond }) => perSecond).subject;
  return {
    what: `loop lag p99, ${load.rate} persisted events/s`,
    against: "the same without a database",
    unit: "x",
    measured: compare(rounds, ({ lagMs }) => lagMs).ratio,
    budget: atMost(2),
    note: `${both(({ lagMs }) => lagMs)} ms; CPU of the loop ${both(({ eventUs }) => eventUs)} us an event; reached ${digits(reached)}/s`,
  };
}

async function look(streams: Streams, { rate, ms }: Load): Promise<Seen> {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const { perSecond, emitted, cpuMs } = await steadily(rate, ms, (n) => streams[n % streams.length]?.say(textOf(n)));
  delay.disable();
  const lagMs = Math.max(0, delay.percentile(99) / 1e6 - resolution);
  return { lagMs, perSecond, eventUs: (cpuMs * 1_000) / emitted };
}

// --- two hosts ----------------------------------------------------------------------------------------------------

function withBareStreams<T>(count: number, work: (streams: Streams) => Promise<T>): Promise<T> {
  const { store, drop } = withoutDatabase(memoryStore());
  return withTempDir((directory) =>
    withBenchHost({ directory, store }, (bench) =>
      withReaders(bench, count, (streams) => {
        drop();
        return work(streams);
      }),
    ),
  );
}

function withPersistedStreams<T>(count: number, work: (streams: Streams) => Promise<T>): Promise<T> {
  return withTempDir(async (directory) =>
    withBenchHost({ directory, store: await sqliteIn(directory) }, (bench) => withReaders(bench, count, work)),
  );
}

/** Every stream has a reader that follows live. */
async function withReaders<T>(bench: BenchHost, count: number, work: (streams: Streams) => Promise<T>): Promise<T> {
  const streams = await openStreams(bench, count);
  const stop = new AbortController();
  const readers = streams.map((stream) => openReader(bench, stream, stop.signal));
  try {
    await Promise.all(readers.map(({ live }) => live));
    return await work(streams);
  } finally {
    stop.abort();
    await Promise.all(readers.map(({ done }) => done));
  }
}

/** `live`: it got a piece that was said after it began. */
function openReader({ host }: BenchHost, { sessionId, say }: Stream, signal: AbortSignal) {
  const live = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    const after = await host.cursor(sessionId);
    say("now ");
    for await (const { event } of host.events(sessionId, { after, signal }))
      if (event.type === "chunk" && event.chunk.type === "text-delta") live.resolve();
  };
  return { live: live.promise, done: read() };
}
