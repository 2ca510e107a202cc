import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "./embed.ts";

test("the program gets its answer, and leaves nothing running", async () => {
  const place = await mkdtemp(join(tmpdir(), "mooring-embed-"));
  try {
    expect(await ask("#say hello from inside", { dataDir: join(place, "data"), cwd: place })).toBe("hello from inside");
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});
