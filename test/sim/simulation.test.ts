import fc from "fast-check";
import { test } from "vitest";
import { coverageOf, spokenCoverage } from "./coverage.ts";
import { examples } from "./found.ts";
import { property } from "./property.ts";
import { stats } from "./world.ts";

/** `SIM_SEED`, `SIM_RUNS` and `SIM_PATH` replay a run; a failure prints the first and the last. */
test("any schedule of users, agents, store and faults keeps the invariants", { timeout: 3_600_000 }, () => {
  const seed = Number(process.env["SIM_SEED"] ?? 1);
  const numRuns = Number(process.env["SIM_RUNS"] ?? 2_000);
  const path = process.env["SIM_PATH"];
  const st = stats();
  const begin = performance.now();
  try {
    fc.assert(property(undefined, st), { seed, numRuns, ...(path ? { path } : { examples: examples() }) });
  } finally {
    const ms = performance.now() - begin;
    console.log(
      `seed ${seed}: ${numRuns} runs, ${st.events} events, ${Math.round(ms)} ms, ${Math.round((numRuns / ms) * 1000)} runs/s`,
    );
    console.log(spokenCoverage(coverageOf(st)));
    console.log("turns", Object.fromEntries(st.ends), "inputs", Object.fromEntries(st.outcomes));
  }
});
