/**
 * Runs the simulator from the command line: by time with random seeds (the soak), or one seed.
 *   npm run soak -- --minutes 10            random seeds until the time is up
 *   npm run soak -- --seed 7 --runs 20000   one seed
 *   npm run soak -- --trace 12,55,3         replays one schedule, event by event
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Event, Next } from "../../packages/host/src/session/events.ts";
import type { Session } from "../../packages/host/src/session/state.ts";
import { step } from "./actions.ts";
import { coverageOf, spokenCoverage } from "./coverage.ts";
import { property } from "./property.ts";
import { core, type Stats, stats, World } from "./world.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seed: { type: "string" },
    runs: { type: "string" },
    trace: { type: "string" },
    cells: { type: "boolean" },
  },
});

function trace(choices: readonly number[]): void {
  const spoken = (e: Event): string => JSON.stringify(e).slice(0, 300);
  const transition = (s: Session, e: Event): Next => {
    const next = core.transition(s, e);
    console.log(
      `${s.phase.kind} x ${spoken(e)}\n    -> ${next[0].phase.kind}: ${next[1].map((f) => JSON.stringify(f).slice(0, 400)).join("\n       ")}`,
    );
    return next;
  };
  const world = new World({ ...core, transition });
  for (const n of choices) step(world, n);
  world.rest();
}
function run(seed: number, numRuns: number, st: Stats): boolean {
  const begin = performance.now();
  const result = fc.check(property(undefined, st), { seed, numRuns, endOnFailure: false });
  const ms = performance.now() - begin;
  console.log(
    `seed ${seed}: ${result.numRuns} runs, ${Math.round((result.numRuns / ms) * 1000)} runs/s, ${st.cells.size} cells${result.failed ? ", FAILED" : ""}`,
  );
  if (!result.failed) return true;
  const cause = result.errorInstance;
  console.log(
    cause instanceof Error
      ? `${cause.message.slice(0, 1_200)}\n${cause.stack?.split("\n").slice(1, 12).join("\n")}`
      : cause,
  );
  console.log(`replay: npm run soak -- --trace ${result.counterexample?.[0].join(",")}`);
  return false;
}

if (values.trace !== undefined) trace(values.trace.split(",").map(Number));
else {
  const st = stats();
  const until = Date.now() + Number(values.minutes ?? 0) * 60_000;
  let total = 0;
  let ok = true;
  do {
    const runs = Number(values.runs ?? 10_000);
    ok = run(Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)), runs, st);
    total += runs;
  } while (ok && Date.now() < until);
  console.log(
    `${total} runs, ${st.events} events, cells ${st.cells.size}`,
    Object.fromEntries(st.ends),
    Object.fromEntries(st.outcomes),
  );
  console.log(spokenCoverage(coverageOf(st)));
  if (values.cells)
    console.log(
      [...st.cells]
        .sort((a, b) => a[1] - b[1])
        .map(([k, n]) => `${k} ${n}`)
        .join("\n"),
    );
  process.exitCode = ok ? 0 : 1;
}
