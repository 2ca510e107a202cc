/**
 * Measures the budgets of DESIGN section 11, each as a ratio taken side by side in one run.
 *   npm run bench                        all, about four minutes
 *   npm run bench -- --only recovery     one, or several (repeat the option)
 *   npm run bench -- --json FILE         the lines as JSON too
 *   npm run bench -- --quick             once through everything in seconds; its figures mean nothing
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { MooringError } from "@mooring/host";
import { appends } from "./appends.ts";
import { type Bench, isWithin, type Line } from "./bench.ts";
import { chunkLatency } from "./chunk-latency.ts";
import { diskPerTurn } from "./disk-per-turn.ts";
import { firstPage } from "./first-page.ts";
import { idleSession } from "./idle-session.ts";
import { idleStream } from "./idle-stream.ts";
import { lateJoin } from "./late-join.ts";
import { loopLag } from "./loop-lag.ts";
import { machineNow } from "./machine.ts";
import { recovery } from "./recovery.ts";
import { secondSubscriber } from "./second-subscriber.ts";
import { start } from "./start.ts";
import { tableOf } from "./table.ts";
import { withTempDir } from "./temp-dir.ts";
import { transitions } from "./transitions.ts";
import { warmTurn } from "./warm-turn.ts";

const benches: readonly Bench[] = [
  loopLag,
  appends,
  chunkLatency,
  secondSubscriber,
  lateJoin,
  firstPage,
  start,
  recovery,
  idleSession,
  idleStream,
  diskPerTurn,
  warmTurn,
  transitions,
];

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});
const asked = values.only.length === 0 ? benches : benches.filter(({ name }) => values.only.includes(name));
const unknown = values.only.filter((only) => !benches.some(({ name }) => name === only));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}. Choose from ${benches.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

/** Milliseconds a bench may take; its timer also keeps the process alive, which a host's own do not. */
const patienceMs = 180_000;

async function within<T>(name: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const stuck = (): void => late.reject(new MooringError("bench-stuck", `${name} is not over after ${patienceMs} ms.`));
  const timer = setTimeout(stuck, patienceMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

const before = machineNow();
const lines = await withTempDir(async (cache) => {
  const all: Line[] = [];
  for (const { name, run } of asked) {
    const from = performance.now();
    all.push(...(await within(name, run({ quick: values.quick, cache }))));
    console.error(`${name}: ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  }
  return all;
});
console.log(`${tableOf(lines)}\nbefore: ${before}\nafter:  ${machineNow()}`);
if (values.json !== undefined)
  await writeFile(
    values.json,
    `${JSON.stringify(
      lines.map((line) => ({ ...line, ok: isWithin(line) })),
      null,
      2,
    )}\n`,
  );
