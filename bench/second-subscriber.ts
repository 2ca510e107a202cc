/**
 * What a second reader of a session costs the loop, over HTTP and persisted, against one more write of a loop that only
 * writes. Both serve one reader and then two, in turns. That its JSON is encoded once is `byte-writer.test.ts`'s to count.
 */
import { atMost, type Bench, type Line } from "./bench.ts";
import { sqliteIn, withBenchHost } from "./bench-host.ts";
import { compare, inRounds } from "./paired-rounds.ts";
import { RawStreams } from "./raw-streams.ts";
import { Readers, type Streams } from "./readers.ts";
import { ServedStreams } from "./served-streams.ts";
import { digits } from "./stats.ts";
import { steadily } from "./steadily.ts";
import { withTempDir } from "./temp-dir.ts";

type Sizes = { readonly rounds: number; readonly ms: number; readonly sessions: number; readonly rate: number };
/** Streams with their first readers, and who comes second. */
type Read = { readonly streams: Streams; readonly first: Readers; readonly second: Readers };

export const secondSubscriber: Bench = {
  name: "second-subscriber",
  run: ({ quick }) => {
    const sizes = quick
      ? { rounds: 1, ms: 200, sessions: 4, rate: 200 }
      : { rounds: 5, ms: 1_000, sessions: 100, rate: 5_000 };
    return withTempDir(async (directory) =>
      withBenchHost({ directory, store: await sqliteIn(directory) }, async (bench) => {
        const served = await opened(await ServedStreams.open(bench, sizes.sessions, Number.POSITIVE_INFINITY));
        const raw = await opened(await RawStreams.open(sizes.sessions));
        try {
          return [await measure(served, raw, sizes)];
        } finally {
          for (const read of [served, raw]) closeAll(read);
        }
      }),
    );
  },
};

async function opened(streams: Streams): Promise<Read> {
  const read = { streams, first: new Readers(), second: new Readers() };
  await read.first.open(streams, { each: 1, stalled: false });
  return read;
}
function closeAll({ streams, first, second }: Read): void {
  for (const readers of [first, second]) readers.end();
  streams.close();
}

async function measure(served: Read, raw: Read, sizes: Sizes): Promise<Line> {
  const rounds = await inRounds(sizes.rounds, {
    baseline: () => secondUs(raw, sizes),
    subject: () => secondUs(served, sizes),
  });
  const { ratio, baseline, subject } = compare(rounds, (us) => us);
  return {
    what: "second subscriber of a session, CPU of the loop",
    against: "one more raw write",
    unit: "x",
    measured: ratio,
    budget: atMost(1.1),
    note: `${digits(subject)} to ${digits(baseline)} us a chunk`,
  };
}

/** Microseconds of CPU of the loop for each chunk, more than without the second readers. */
async function secondUs({ streams, second }: Read, sizes: Sizes): Promise<number> {
  const alone = await chunkUs(streams, sizes);
  await second.open(streams, { each: 1, stalled: false });
  const both = await chunkUs(streams, sizes);
  second.close();
  return both - alone;
}
async function chunkUs(streams: Streams, { rate, ms }: Sizes): Promise<number> {
  const { cpuMs, emitted } = await steadily(rate, ms, (n) => void streams.say(n));
  return (cpuMs * 1_000) / emitted;
}
