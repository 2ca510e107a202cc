import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Secrets } from "./secrets.ts";

let data = "";
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "mooring-secrets-"));
});
afterEach(() => rm(data, { recursive: true }));
const file = () => join(data, "secrets.json");

test("a key is kept for its owner only, survives a new start, and can be forgotten", async () => {
  const secrets = await Secrets.open(data);
  await secrets.setApiKey("agt_1", "key-1");
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  const again = await Secrets.open(data);
  expect(again.apiKey("agt_1")).toBe("key-1");
  await again.setApiKey("agt_1", null);
  expect(again.apiKey("agt_1")).toBeNull();
  expect(await readFile(file(), "utf8")).not.toContain("key-1");
});

test("changes made at once are all stored, and no half-written file stays", async () => {
  const secrets = await Secrets.open(data);
  await Promise.all(Array.from({ length: 20 }, (_, i) => secrets.setApiKey(`agt_${i}`, `key-${i}`)));
  const again = await Secrets.open(data);
  expect(again.apiKey("agt_0")).toBe("key-0");
  expect(again.apiKey("agt_19")).toBe("key-19");
  expect(await readdir(data)).toEqual(["secrets.json"]);
});

test("a file others may read is closed to them", async () => {
  await writeFile(file(), '{"apiKeys":{"agt_1":"key-1"}}');
  await chmod(file(), 0o644);
  expect((await Secrets.open(data)).apiKey("agt_1")).toBe("key-1");
  expect((await stat(file())).mode & 0o777).toBe(0o600);
});

test("a damaged file is refused, not replaced", async () => {
  await writeFile(file(), "{");
  await expect(Secrets.open(data)).rejects.toMatchObject({ code: "bad-secrets" });
  expect(await readFile(file(), "utf8")).toBe("{");
});
