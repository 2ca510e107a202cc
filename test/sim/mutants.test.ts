import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { mutants } from "./mutants.ts";

type Seen = { readonly index: number; readonly seen: string | null; readonly error: string | null };
const seen = new Map<number, Seen>();

/** `MUTANT_RUNS` sets how long the simulator looks for each. */
beforeAll(async () => {
  const args = [join(import.meta.dirname, "run-mutants.ts"), "--runs", process.env["MUTANT_RUNS"] ?? "4000"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  for (const line of stdout.trim().split("\n")) {
    const one: Seen = JSON.parse(line);
    seen.set(one.index, one);
  }
}, 1_800_000);

test("there are at least forty, and every rule is broken twice or once", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(40);
});
test.each(mutants.map((mutant, index) => ({ ...mutant, index })))("$rule $name", ({ index, survives }) => {
  const found = seen.get(index);
  expect(found?.error).toBeNull();
  if (survives === undefined) expect(found?.seen, "a mutant that survives is a missing invariant").not.toBeNull();
  else expect(found?.seen, "it does not survive any more: drop the explanation").toBeNull();
});
