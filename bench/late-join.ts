/** A viewer who joins a running turn 500 events late: until the first event, against the bare read of the store. */
import { MooringError } from "@mooring/host";
import { atMost, type Bench, type Line } from "./bench.ts";
import { type BenchHost, sqliteIn, withBenchHost } from "./bench-host.ts";
import { pairedRounds, timed } from "./paired-rounds.ts";
import { digits } from "./stats.ts";
import { openStreams, textOf } from "./streams.ts";
import { withTempDir } from "./temp-dir.ts";

/** Joins in one round: one alone is too short to compare. */
const joins = 20;

export const lateJoin: Bench = {
  name: "late-join",
  run: ({ quick }) =>
    withTempDir(async (directory) => {
      const store = await sqliteIn(directory);
      const sizes = quick ? { rounds: 1, replayed: 20 } : { rounds: 30, replayed: 500 };
      return withBenchHost({ directory, store }, async (bench) => [await measure(bench, sizes)]);
    }),
};

type Sizes = { readonly rounds: number; readonly replayed: number };

async function measure(bench: BenchHost, { rounds, replayed }: Sizes): Promise<Line> {
  const { host, store } = bench;
  const { sessionId, after } = await runningSession(bench, replayed);
  const no = (await store.query.session(sessionId))?.no ?? 0;
  const seq = Number(after.split(".").at(-1));
  const first = async (): Promise<void> => {
    for await (const _ of host.events(sessionId, { after })) return;
  };
  const { ratio, baseline, subject } = await pairedRounds(rounds, {
    baseline: () => timed(() => repeat(() => store.events(no, seq, replayed))),
    subject: () => timed(() => repeat(first)),
  });
  return {
    what: `late join, replay of ${replayed}, first event`,
    against: "the bare store read",
    unit: "x",
    measured: ratio,
    budget: atMost(2),
    note: `${digits(subject / joins)} to ${digits(baseline / joins)} ms`,
  };
}

/** Each piece in a flush of its own, as at 50 pieces a second. */
async function runningSession(bench: BenchHost, count: number): Promise<{ sessionId: string; after: string }> {
  const [stream] = await openStreams(bench, 1);
  if (stream === undefined) throw new MooringError("bench-broken", "No stream was opened.");
  const { sessionId, say } = stream;
  const after = await bench.host.cursor(sessionId);
  let heard = 0;
  for await (const { event } of bench.host.events(sessionId, { after })) {
    if (event.type === "chunk" && ++heard > count) break;
    say(textOf(heard));
  }
  return { sessionId, after };
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < joins; n++) await work();
}
