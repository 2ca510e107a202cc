/**
 * Plants each mutant in a copy of the core and looks who sees it. A program of its own: plain Node runs the simulator
 * several times faster than a test runner's module loader.
 *   node test/sim/run-mutants.ts [--runs 4000] [--only 12]      one line of JSON per mutant
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { EventType } from "../../packages/host/src/session/events.ts";
import type { PhaseKind } from "../../packages/host/src/session/state.ts";
import { eventTypes, outcomeWith, phaseKinds } from "./fixtures.ts";
import { examples } from "./found.ts";
import { type Mutant, mutants } from "./mutants.ts";
import { property } from "./property.ts";
import { cells } from "./table.ts";
import { type Core, stats } from "./world.ts";

const { values } = parseArgs({ options: { runs: { type: "string" }, only: { type: "string" } } });
const runs = Number(values.runs ?? 4_000);
const source = join(import.meta.dirname, "../../packages/host/src");
const temp = mkdtempSync(join(tmpdir(), "mooring-mutants-"));

async function plant(mutant: Mutant, index: number): Promise<Core> {
  const dir = join(temp, String(index));
  cpSync(join(source, "session"), join(dir, "session"), { recursive: true });
  cpSync(join(source, "protocol"), join(dir, "protocol"), { recursive: true });
  const file = join(dir, "session", `${mutant.file}.ts`);
  const text = readFileSync(file, "utf8");
  if (text.split(mutant.from).length !== 2) throw new RangeError(`"${mutant.name}": its text does not occur once`);
  writeFileSync(
    file,
    text.replace(mutant.from, () => mutant.to),
  );
  const load = (name: string) => import(pathToFileURL(join(dir, "session", name)).href);
  const [{ transition }, { start }] = await Promise.all([load("transition.ts"), load("recover.ts")]);
  return { transition, start };
}
/** Which cell of the table sees the bug, if any. */
function seenByTable(core: Core): string | null {
  for (const phase of phaseKinds)
    for (const type of eventTypes) {
      const want = cells[phase as PhaseKind][type as EventType];
      if (outcome(core, phase, type) !== (want.startsWith("ignored: ") ? "ignored" : want))
        return `table ${phase} x ${type}`;
    }
  return null;
}
function outcome(core: Core, phase: PhaseKind, type: EventType): string {
  try {
    return outcomeWith(core.transition, phase, type) ?? "ignored";
  } catch {
    return "threw";
  }
}
function seenBySimulator(core: Core): string | null {
  for (const seed of [1, 2]) {
    const result = fc.check(property(core, stats()), {
      seed,
      numRuns: runs / 2,
      endOnFailure: true,
      examples: examples(),
    });
    if (!result.failed) continue;
    const message = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
    return `simulator, run ${result.numRuns}: ${message.split("\n")[0]?.slice(0, 80)}`;
  }
  return null;
}

try {
  for (const [index, mutant] of mutants.entries()) {
    if (values.only !== undefined && Number(values.only) !== index) continue;
    const core = await plant(mutant, index).catch((cause: unknown) => String(cause));
    const seen = typeof core === "string" ? null : (seenByTable(core) ?? seenBySimulator(core));
    console.log(JSON.stringify({ index, seen, error: typeof core === "string" ? core : null }));
  }
} finally {
  rmSync(temp, { recursive: true, force: true });
}
