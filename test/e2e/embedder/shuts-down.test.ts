/** A program whose last deed is to end its host lives until the host is down: no other handle keeps it alive. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("draining and shutting down are waited for, then the process ends by itself", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-embedder-"));
  try {
    const program = ["--conditions=mooring-source", join(import.meta.dirname, "shuts-down.ts"), dataDir];
    const ended = await promisify(execFile)(process.execPath, program, { env: {} });
    expect(ended.stdout).toBe("1\ndown\n");
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
