/**
 * `kill -9` at random moments of each phase, on real processes, files and sockets. A few kills per run;
 * `CRASH_KILLS=20` asks for that many hits in each phase, `CRASH_SEED` repeats the moments of an earlier run.
 */
import { describe, expect, test } from "vitest";
import { type Crash, crash } from "./crash.ts";
import { type Phase, phases } from "./order.ts";
import { randomFrom } from "./random-from.ts";

const wanted = Number(process.env["CRASH_KILLS"] ?? 1);
const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 1_000_000);
/** Kills until enough hit. */
const mostKills = wanted * 5 + 10;
/** Milliseconds for one kill on a busy machine. */
const killMs = 15_000;

type Tally = { readonly crashes: Crash[]; readonly ms: number };

async function killUntilHit(phase: Phase): Promise<Tally> {
  const random = randomFrom(seed + phases.indexOf(phase));
  const crashes: Crash[] = [];
  const begin = performance.now();
  while (hits(crashes).length < wanted && crashes.length < mostKills) crashes.push(await crash(phase, random()));
  return { crashes, ms: performance.now() - begin };
}
const hits = (crashes: readonly Crash[]): string[] => crashes.flatMap(({ hit }) => hit ?? []);

function tell(phase: Phase, { crashes, ms }: Tally): void {
  const hit = hits(crashes);
  const where = [...new Set(hit)].map((place) => `${hit.filter((one) => one === place).length} ${place}`).join(", ");
  const findings = crashes.flatMap((one) => one.findings);
  console.log(
    `${phase}: ${crashes.length} kills, ${hit.length} hits (${where}), ${findings.length} findings, ` +
      `${Math.round(ms / 1_000)} s, CRASH_SEED=${seed}`,
  );
}

describe("kill -9", () => {
  test.each(phases)("%s: nothing is lost, doubled or left open", { timeout: mostKills * killMs }, async (phase) => {
    const tally = await killUntilHit(phase);
    tell(phase, tally);
    expect(tally.crashes.flatMap(({ findings }, kill) => findings.map((finding) => ({ kill, ...finding })))).toEqual(
      [],
    );
    expect(hits(tally.crashes)).toHaveLength(wanted);
  });
});
