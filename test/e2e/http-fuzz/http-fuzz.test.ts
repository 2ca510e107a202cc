/**
 * Made-up and broken requests over every route: never a 500, never a hang, nothing unhandled, and enough of them get past
 * the gates and the schemas to matter.
 *   FUZZ_RUNS=20000 npx vitest run test/e2e/http-fuzz      MOORING_SEED picks other requests
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Fuzz, type Reach, targets } from "./fuzz.ts";
import { Random } from "./random.ts";
import { fuzzScene, type Scene } from "./scene.ts";

const runs = Number(process.env["FUZZ_RUNS"] ?? 1_500);
const seed = Number(process.env["MOORING_SEED"] ?? 1);
/** Requests sent to one server before the next is made. */
const perScene = 2_500;
/** Of all requests, those that reached the host. */
const leastReached = 0.3;

const unhandled: unknown[] = [];
const note = (cause: unknown): void => void unhandled.push(cause);
let scene: Scene;
beforeEach(async () => {
  process.on("unhandledRejection", note);
  scene = await fuzzScene();
});
afterEach(async () => {
  process.off("unhandledRejection", note);
  await scene.end();
});

test(
  `${runs} requests over every route`,
  async () => {
    const random = new Random(seed);
    const fuzz = new Fuzz(random);
    for (let n = 0; n < runs; n++) {
      if (n > 0 && n % perScene === 0) {
        await scene.end();
        scene = await fuzzScene();
      }
      if (n % 25 === 0) await scene.look();
      const target = targets[n % targets.length];
      if (target !== undefined) await fuzz.send(scene, target);
    }
    const all = [...fuzz.reach.values()];
    const [sent, reached] = [sumOf(all, "sent"), sumOf(all, "reached")];
    if (process.env["FUZZ_RUNS"] !== undefined) console.log(report(fuzz.reach));
    console.log(`${sent} sent, ${reached} reached the host (seed ${seed})`);
    expect(unhandled).toEqual([]);
    expect(sent).toBe(runs);
    expect(reached / sent).toBeGreaterThanOrEqual(leastReached);
    const untouched = targets.filter(({ name }) => (fuzz.reach.get(name)?.reached ?? 0) === 0);
    expect(untouched.map(({ name }) => name)).toEqual([]);
  },
  Math.max(60_000, runs * 60),
);

const sumOf = (all: readonly Reach[], key: "sent" | "reached"): number => all.reduce((sum, each) => sum + each[key], 0);
function report(reach: ReadonlyMap<string, Reach>): string {
  const line = ([name, { sent, reached, ok, statuses }]: readonly [string, Reach]): string => {
    const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}x${count}`);
    return `${name.padEnd(34)} ${sent} sent, ${reached} reached, ${ok} done  ${seen.join(" ")}`;
  };
  return [...reach].map(line).join("\n");
}
