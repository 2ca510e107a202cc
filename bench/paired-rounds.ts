/**
 * Baseline and subject side by side: each round runs both, in turns first, so that what the machine does besides hits
 * both alike. The ratio is taken within a round; rounds are compared by their median.
 */
import type { Figure } from "./bench.ts";
import { figure, median } from "./stats.ts";

export type Pair = {
  /** Each returns what it measured of itself: milliseconds, or a rate. */
  readonly baseline: () => Promise<number> | number;
  readonly subject: () => Promise<number> | number;
};
export type Paired = {
  /** Subject by baseline. */
  readonly ratio: Figure;
  /** Subject less baseline. */
  readonly difference: Figure;
  readonly baseline: number;
  readonly subject: number;
};

/** One more round than asked for is run first, and forgotten. */
export async function pairedRounds(rounds: number, pair: Pair): Promise<Paired> {
  await pair.baseline();
  await pair.subject();
  const seen: { readonly baseline: number; readonly subject: number }[] = [];
  for (let round = 0; round < rounds; round++) seen.push(await oneRound(pair, round % 2 === 0));
  return {
    ratio: figure(seen.map(({ baseline, subject }) => subject / baseline)),
    difference: figure(seen.map(({ baseline, subject }) => subject - baseline)),
    baseline: median(seen.map(({ baseline }) => baseline)),
    subject: median(seen.map(({ subject }) => subject)),
  };
}

async function oneRound(pair: Pair, baselineFirst: boolean): Promise<{ baseline: number; subject: number }> {
  if (baselineFirst) {
    const baseline = await pair.baseline();
    return { baseline, subject: await pair.subject() };
  }
  const subject = await pair.subject();
  return { baseline: await pair.baseline(), subject };
}

/** Milliseconds until it is done. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
