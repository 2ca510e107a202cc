/** That every benchmark runs. What it measures is nobody's to assert: figures of one quick round mean nothing. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Line } from "../../bench/bench.ts";

const main = join(import.meta.dirname, "../../bench/main.ts");
const run = promisify(execFile);
let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "mooring-bench-test-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("each bench runs and reports figures", async () => {
  const file = join(directory, "lines.json");
  const { stdout } = await run(process.execPath, ["--conditions=mooring-source", main, "--quick", "--json", file]);
  const lines: readonly Line[] = JSON.parse(await readFile(file, "utf8"));
  const named = lines.map(({ what }) => what);
  expect(new Set(named).size).toBe(named.length);
  expect(lines.filter(({ measured }) => !Number.isFinite(measured.value))).toEqual([]);
  expect(named.filter((what) => !stdout.includes(what))).toEqual([]);
  expect(lines.filter(({ budget }) => budget !== null).length).toBeGreaterThanOrEqual(14);
});
