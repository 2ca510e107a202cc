/** The list of behaviours against the names of the tests: nothing is claimed that no test shows. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gaps, shown } from "./behaviours.ts";

const root = join(import.meta.dirname, "../..");
const files = ["test/runtime/*.test.ts", "packages/host/src/runtime/**/*.test.ts", "packages/cli/src/e2e/rpc.test.ts"];
/** Numbers in the names of tests, in first arguments of `test` and in rows of `test.each`. */
const cited = new Set(
  files
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !file.endsWith("behaviours.test.ts"))
    .flatMap((file) => readFileSync(join(root, file), "utf8").match(/(?<=["`(, ])B\d{3}(?=[ :",])/g) ?? []),
);

test("what is said to be shown is cited by a test, and nothing else is", () => {
  expect([...cited].toSorted()).toEqual(shown.toSorted());
});

test("what is not shown has a reason, and is no other's", () => {
  expect(Object.keys(gaps).filter((id) => shown.includes(id) || cited.has(id))).toEqual([]);
  for (const reason of Object.values(gaps)) expect(reason.length).toBeGreaterThan(20);
  expect(new Set(shown).size + Object.keys(gaps).length).toBe(127);
});
