import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDataDir } from "./make-data-dir.ts";

test("what is missing is made, for its owner only, and again is no error", () => {
  const root = mkdtempSync(join(tmpdir(), "mooring-data-"));
  const path = join(root, "a", "b");
  makeDataDir(path);
  makeDataDir(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  rmSync(root, { recursive: true });
});
test("a file in its place is told", () => {
  const root = mkdtempSync(join(tmpdir(), "mooring-data-"));
  const path = join(root, "file");
  writeFileSync(path, "");
  expect(() => makeDataDir(path)).toThrow(`cannot be made (${path} is a file). Choose another.`);
  rmSync(root, { recursive: true });
});
test("a place that takes no directory is told, not tried for ever", () => {
  expect(() => makeDataDir("/proc/no/such")).toThrow(/cannot be made .*Choose another/);
});
