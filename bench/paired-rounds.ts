/**
 * Baseline and subject side by side: each round runs both, in turns first, so that what the machine does besides hits
 * both alike. The ratio is taken within a round; rounds are compared by their median.
 */
import type { Figure } from "./bench.ts";
import { figure, median } from "./stats.ts";

/** Each returns what it saw of itself. */
type Pair<Seen> = {
  readonly baseline: () => Promise<Seen> | Seen;
  readonly subject: () => Promise<Seen> | Seen;
};
export type Round<Seen> = { readonly baseline: Seen; readonly subject: Seen };
export type Paired = {
  /** Subject by baseline. */
  readonly ratio: Figure;
  /** Subject less baseline. */
  readonly difference: Figure;
  readonly baseline: number;
  readonly subject: number;
};

/** One more round than asked for is run first, and forgotten. */
export async function inRounds<Seen>(rounds: number, pair: Pair<Seen>): Promise<readonly Round<Seen>[]> {
  const seen: Round<Seen>[] = [];
  for (let round = 0; round <= rounds; round++) seen.push(await oneRound(pair, round % 2 === 0));
  return seen.slice(1);
}

async function oneRound<Seen>(pair: Pair<Seen>, baselineFirst: boolean): Promise<Round<Seen>> {
  if (baselineFirst) {
    const baseline = await pair.baseline();
    return { baseline, subject: await pair.subject() };
  }
  const subject = await pair.subject();
  return { baseline: await pair.baseline(), subject };
}

export function compare<Seen>(rounds: readonly Round<Seen>[], what: (seen: Seen) => number): Paired {
  const seen = rounds.map(({ baseline, subject }) => ({ baseline: what(baseline), subject: what(subject) }));
  return {
    ratio: figure(seen.map(({ baseline, subject }) => subject / baseline)),
    difference: figure(seen.map(({ baseline, subject }) => subject - baseline)),
    baseline: median(seen.map(({ baseline }) => baseline)),
    subject: median(seen.map(({ subject }) => subject)),
  };
}

/** Of one figure: milliseconds, or a rate. */
export const pairedRounds = async (rounds: number, pair: Pair<number>): Promise<Paired> =>
  compare(await inRounds(rounds, pair), (seen) => seen);

/** Milliseconds until it is done. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
