import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { heard, startChild } from "./children/start-child.ts";
import { lockDataDir } from "./lock-data-dir.ts";
import { tempDir } from "./test-store.ts";

test("one holder at a time, even in one process; released it is free", () => {
  const dataDir = join(tempDir(), "made", "for", "it");
  const lock = lockDataDir(dataDir, { command: "mooring run" });
  expect(JSON.parse(readFileSync(join(dataDir, "lock.json"), "utf8"))).toEqual({
    pid: process.pid,
    command: "mooring run",
  });
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(() => lockDataDir(dataDir, { command: "mooring ls" })).toThrow(
    expect.objectContaining({
      code: "data-dir-in-use",
      message: expect.stringContaining(`pid ${process.pid} (mooring run)`),
    }),
  );
  lock.release();
  lock.release();
  expect(existsSync(join(dataDir, "lock.json"))).toBe(false);
  using again = lockDataDir(dataDir, { command: "mooring ls" });
  expect(again.dataDir).toBe(dataDir);
});

test("another process's lock names it and what to do, and ends with it however it dies", async () => {
  const dataDir = tempDir();
  const child = startChild("lock-holder", dataDir);
  await heard(child, "locked");
  expect(() => lockDataDir(dataDir, { command: "mooring ls" })).toThrow(
    `in use by pid ${child.pid} (mooring serve). Wait until it ends`,
  );
  await child.kill();
  const lock = lockDataDir(dataDir, { command: "mooring ls" });
  expect(JSON.parse(readFileSync(join(dataDir, "lock.json"), "utf8"))).toMatchObject({ pid: process.pid });
  lock.release();
});

test("what cannot be locked says where and what to do, and keeps nothing open", () => {
  const [junk, blocked] = [tempDir(), tempDir()];
  writeFileSync(join(junk, "lock.db"), "not a database, and longer than the header of one".repeat(20));
  const isJunk = { code: "data-dir-unusable", message: expect.stringContaining(`remove ${join(junk, "lock.db")}.`) };
  expect(() => lockDataDir(junk, { command: "mooring ls" })).toThrow(expect.objectContaining(isJunk));
  mkdirSync(join(blocked, "lock.db"));
  const isBlocked = { code: "data-dir-unusable", message: expect.stringMatching(/cannot be locked .*may write there/) };
  expect(() => lockDataDir(blocked, { command: "mooring ls" })).toThrow(expect.objectContaining(isBlocked));
});

test("a holder that keeps no reference to its lock still has it", async () => {
  const dataDir = tempDir();
  lockDataDir(dataDir, { command: "mooring serve" });
  await collectGarbage();
  expect(() => lockDataDir(dataDir, { command: "mooring ls" })).toThrow(
    expect.objectContaining({ code: "data-dir-in-use" }),
  );
});

/** Node's own collector, without a flag at the start; finalizers run before the next macrotask. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  await new Promise((resolve) => setImmediate(resolve));
}
