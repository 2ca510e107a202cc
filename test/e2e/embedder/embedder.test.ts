/** A program that waits for nothing but its host lives as long as the host has to: no other handle keeps it alive. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.each([
  ["draining and shutting down are waited for", "shuts-down.ts", "1\ndown\n"],
  ["a turn that waits for its model is waited for", "waits-for-retry.ts", "retry\ncompleted\n"],
])("%s, then the process ends by itself", async (_, program, said) => {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-embedder-"));
  try {
    const args = ["--conditions=mooring-source", join(import.meta.dirname, program), dataDir];
    const ended = await promisify(execFile)(process.execPath, args, { env: {} });
    expect(ended.stdout).toBe(said);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
