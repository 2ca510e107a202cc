import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { EventType } from "../../packages/host/src/session/events.ts";
import type { PhaseKind } from "../../packages/host/src/session/state.ts";
import { eventTypes, outcomeWith, phaseKinds } from "./fixtures.ts";
import { mutants } from "./mutants.ts";
import { property } from "./property.ts";
import { cells } from "./table.ts";
import { type Core, stats } from "./world.ts";

const source = join(import.meta.dirname, "../../packages/host/src");
const temp = mkdtempSync(join(import.meta.dirname, "../../node_modules/.mutants-"));
afterAll(() => rmSync(temp, { recursive: true, force: true }));
const runs = Number(process.env["MUTANT_RUNS"] ?? 4_000);
const found = new Map<string, string>();

async function plant(index: number): Promise<Core> {
  const mutant = mutants[index];
  if (!mutant) throw new RangeError(`no mutant ${index}`);
  const dir = join(temp, String(index));
  cpSync(join(source, "session"), join(dir, "session"), { recursive: true });
  cpSync(join(source, "protocol"), join(dir, "protocol"), { recursive: true });
  const file = join(dir, "session", `${mutant.file}.ts`);
  const text = readFileSync(file, "utf8");
  expect(text.split(mutant.from).length, `${mutant.name}: its text occurs once`).toBe(2);
  writeFileSync(
    file,
    text.replace(mutant.from, () => mutant.to),
  );
  const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(dir, "session", name)).href);
  const [{ transition }, { start }] = await Promise.all([load("transition.ts"), load("recover.ts")]);
  return { transition, start };
}
/** Which cell of the table sees the bug, if any. */
function seenByTable(core: Core): string | null {
  for (const phase of phaseKinds)
    for (const type of eventTypes) {
      const want = cells[phase as PhaseKind][type as EventType];
      let got: string;
      try {
        got = outcomeWith(core.transition, phase, type) ?? "ignored";
      } catch {
        got = "threw";
      }
      if (got !== (want.startsWith("ignored: ") ? "ignored" : want)) return `table ${phase} x ${type}`;
    }
  return null;
}
function seenBySimulator(core: Core): string | null {
  for (const seed of [1, 2]) {
    const result = fc.check(property(core, stats()), { seed, numRuns: runs / 2, endOnFailure: true });
    if (!result.failed) continue;
    const message = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
    return `simulator run ${result.numRuns}: ${message.split("\n")[0]?.slice(0, 80)}`;
  }
  return null;
}

test.each(mutants.map((mutant, index) => ({ ...mutant, index })))(
  "$rule $name",
  { timeout: 300_000 },
  async ({ index, name, survives }) => {
    const core = await plant(index);
    const killer = seenBySimulator(core) ?? seenByTable(core);
    found.set(name, killer ?? `survives: ${survives ?? "unexplained"}`);
    if (survives === undefined) expect(killer, "a mutant that survives is a missing invariant").not.toBeNull();
    else expect(killer, "it does not survive any more: drop the explanation").toBeNull();
  },
);
test("every rule is broken, and what saw it is known", () => {
  const lines = mutants.map((mutant) => `${mutant.rule.padEnd(4)} ${mutant.name}: ${found.get(mutant.name)}`);
  if (process.env["MUTANT_REPORT"]) writeFileSync(process.env["MUTANT_REPORT"], `${lines.join("\n")}\n`);
  expect(mutants.length).toBeGreaterThanOrEqual(40);
});
