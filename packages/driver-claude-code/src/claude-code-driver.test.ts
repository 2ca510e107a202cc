import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DriverPorts, SessionFacts } from "@mooring/host/driver";
import { countingIds, VirtualClock } from "@mooring/host/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claudeCodeDriver } from "./claude-code-driver.ts";

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-driver-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const note = (): void => {};
const ports = (): DriverPorts => ({
  processes: { spawn: () => Promise.reject(new TypeError("nothing is started")), list: () => [] },
  clock: new VirtualClock(),
  ids: countingIds(),
  log: { debug: note, info: note, warn: note, error: note },
  dataDir,
});
const driver = () => claudeCodeDriver()(ports());
const credentials = { provider: "anthropic", apiKey: "key", baseUrl: null };
const facts: SessionFacts = {
  sessionId: "ses_1",
  workspace: "/nowhere",
  model: "m",
  effort: null,
  credentials,
  options: {},
  resumeToken: null,
};

test.each([
  [{ model: "" }, "no-model"],
  [{ effort: "heroic" }, "invalid-option"],
  [{ options: { configDir: "x" } }, "invalid-option"],
  [{ credentials: { ...credentials, apiKey: null } }, "no-credentials"],
])("a session that cannot be served is refused: %j is %s", async (change, code) => {
  await expect(driver().validateSession({ ...facts, ...change })).rejects.toMatchObject({ code });
});

test("a login in a configuration directory stands for a key", async () => {
  const options = { configDir: "/home/person/.claude" };
  const session = { ...facts, options, credentials: { ...credentials, apiKey: null } };
  await expect(driver().validateSession(session)).resolves.toBeUndefined();
});

test("doctor says what is missing with its command, and which version is there", async () => {
  const asked = () => driver().doctor({ credentials, env: {}, home: "/nowhere" });
  expect(await asked()).toMatchObject({ found: false, fix: "mooring agents install claude-code" });
  await install("0.3.1");
  expect(await asked()).toMatchObject({ found: true, version: "0.3.1", problem: expect.stringContaining("0.3.332") });
  await install("0.3.332");
  expect(await asked()).toMatchObject({ found: true, version: "0.3.332", credentials: "ok", problem: null, fix: null });
});

/** The two files of the package that are looked at. */
async function install(version: string): Promise<void> {
  const folder = join(dataDir, "agents/claude-code/node_modules/@anthropic-ai/claude-agent-sdk");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ version, main: "sdk.mjs" }));
  await writeFile(join(folder, "sdk.mjs"), "");
}

test("a fork is a place in the conversation it came from, and costs nothing", async () => {
  const token = "00000000-0000-4000-8000-00000000000a";
  const anchor = "00000000-0000-4000-8000-00000000000b";
  const fork = { session: facts, token, anchor, home: "/nowhere" };
  const made = await driver().fork?.(fork);
  expect(made?.token).toContain(`.fork.${token}.${anchor}`);
  await expect(driver().fork?.({ ...fork, token: made?.token ?? "" })).rejects.toMatchObject({
    code: "rewind-unsupported",
  });
});
