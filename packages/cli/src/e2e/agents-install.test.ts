/** `mooring agents install`, with the real npm against a registry on loopback that has a package of the agent's name. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { claudeCodeInstallation } from "@mooring/driver-claude-code";
import { expect, onTestFinished, test } from "vitest";
import { NpmRegistry } from "../testing/npm-registry.ts";
import { type Sandbox, sandbox } from "../testing/sandbox.ts";

const command = ["agents", "install", "claude-code"];
const offered = {
  name: claudeCodeInstallation.package,
  version: claudeCodeInstallation.version,
  files: { "sdk.mjs": "export const query = () => {};\n" },
};

async function registry(place: Sandbox, options: { readonly hangs?: boolean } = {}): Promise<NpmRegistry> {
  const opened = await NpmRegistry.open(join(place.work, "registry"), offered, options);
  onTestFinished(() => opened.close());
  return opened;
}
const npmEnv = (place: Sandbox, url: string) => ({
  npm_config_registry: url,
  npm_config_cache: join(place.work, "npm-cache"),
  npm_config_fetch_retries: "0",
  npm_config_update_notifier: "false",
});
/** What is in the data directory of an agent or a part of one. */
async function left(data: string): Promise<readonly string[]> {
  const names = await readdir(data, { recursive: true });
  return names.filter((name) => /installing|claude-code/.test(name));
}

test("it shows what it does on standard error, and doctor finds what it installed; again, it changes nothing", async () => {
  const place = await sandbox();
  expect((await place.run(["doctor"])).out).toContain("Claude Code is not installed");
  const env = npmEnv(place, (await registry(place)).url);
  const { code, out, err } = await place.start(command, env).ended;
  const { version } = offered;
  expect([code, out]).toEqual([
    0,
    `Installed claude-code ${version}. Next: mooring agents add NAME --driver claude-code --model MODEL\n`,
  ]);
  expect(err).toMatch(/^Installing @anthropic-ai\/claude-agent-sdk .* MB\) into .*agents\/claude-code\n/);
  expect(err).toMatch(/added 1 package/); // npm's own word
  expect((await place.run(["doctor"])).out).toMatch(new RegExp(`claude-code: .*${version.replaceAll(".", "\\.")}`));
  expect(await readdir(place.data)).not.toContainEqual(expect.stringMatching(/installing/));
  const again = await place.run(command, { env: npmEnv(place, "http://127.0.0.1:1/") });
  expect([again.code, again.out]).toEqual([0, `claude-code ${version} is installed already.\n`]);
});

test("without a network it says what to do, and leaves nothing", async () => {
  const place = await sandbox();
  const { code, out, err } = await place.start(command, npmEnv(place, "http://127.0.0.1:1/")).ended;
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/ECONNREFUSED/); // npm's own word
  expect(err).toMatch(/claude-code was not installed: npm ended with 1\. Nothing was changed\.\n.*network.*\n/);
  expect(err).toMatch(/Then again: mooring agents install claude-code\n$/);
  expect(await left(place.data)).toEqual([]);
});

test("an install that is stopped in the middle leaves nothing", async () => {
  const place = await sandbox();
  const hanging = await registry(place, { hangs: true });
  const started = place.start(command, npmEnv(place, hanging.url));
  await hanging.asked;
  expect((await started.kill("SIGTERM")).code).toBe(130);
  expect(await left(place.data)).toEqual([]);
});

test("what a killed install left is no agent, and goes with the next", async () => {
  const place = await sandbox();
  const hanging = await registry(place, { hangs: true });
  const started = place.start(command, npmEnv(place, hanging.url));
  await hanging.asked;
  started.signal("SIGKILL");
  await hanging.close(); // npm outlives the command, and ends with its registry
  await started.ended;
  expect((await place.run(["doctor"])).out).toContain("Claude Code is not installed");
  const { code } = await place.start(command, npmEnv(place, (await registry(place)).url)).ended;
  expect(code).toBe(0);
  expect((await readdir(place.data)).filter((name) => name.startsWith("installing"))).toEqual([]);
});
