/**
 * Each test file has a directory of its own for temporary files, removed at its end with whatever its tests left there.
 * Shared modules cannot do it: in a worker that keeps its modules, their hooks run for the first file only.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const before = process.env["TMPDIR"];
const own = mkdtempSync(join(tmpdir(), "mooring-"));
process.env["TMPDIR"] = own;
afterAll(() => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  rmSync(own, { recursive: true, force: true });
});
