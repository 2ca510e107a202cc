/** That the benchmarks on the real agent run. What they measure is nobody's to assert: one quick round means nothing. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import type { Line } from "../../bench/bench.ts";
import { realTest as test } from "../agents/claude-code/real-test.ts";

const main = join(import.meta.dirname, "../../bench/agents/main.ts");
const run = promisify(execFile);

test("each line of the table is measured", async () => {
  const directory = await mkdtemp(join(tmpdir(), "mooring-bench-agents-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "lines.json");
  const { stdout } = await run(process.execPath, ["--conditions=mooring-source", main, "--quick", "--json", file]);
  const lines: readonly Line[] = JSON.parse(await readFile(file, "utf8"));
  expect(lines.filter(({ measured }) => !Number.isFinite(measured.value))).toEqual([]);
  expect(lines.filter(({ what }) => !stdout.includes(what))).toEqual([]);
  expect(lines.filter(({ budget }) => budget !== null).map(({ unit }) => unit)).toEqual(["x", "ms", "ms", "x"]);
});
