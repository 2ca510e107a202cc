/** Agents: made at the first start, added, changed, removed; and one that talks to a provider over HTTP. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedServer } from "@mooring/scripted-model/server";
import { expect, onTestFinished, test } from "vitest";
import { sandbox } from "../testing/sandbox.ts";

type Agent = { readonly name: string; readonly provider: object; readonly instructions: string | null };
const secret = "sk-test-7b1f";

/** Whether any file below has the text. */
async function holds(directory: string, text: string): Promise<readonly string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => ((await readFile(join(file.parentPath, file.name))).includes(text) ? [file.name] : [])),
  );
  return found.flat();
}

test("a first start makes an agent for each key in the environment, by the name of its variable, and demo", async () => {
  const { run, data } = await sandbox();
  const env = { ANTHROPIC_API_KEY: secret, GEMINI_API_KEY: secret };
  const { out } = await run(["agents", "ls", "--json"], { env });
  const agents = JSON.parse(out) as readonly Agent[];
  expect(agents.map(({ name, provider }) => ({ name, provider }))).toEqual([
    { name: "anthropic", provider: { kind: "anthropic", apiKeyEnv: "ANTHROPIC_API_KEY" } },
    { name: "google", provider: { kind: "google", apiKeyEnv: "GEMINI_API_KEY" } },
    { name: "demo", provider: { kind: "scripted" } },
  ]);
  expect(await holds(data, secret)).toEqual([]);
  expect((await run(["agents", "ls"], { env })).out).toMatch(/anthropic .* default +default\n/);
  expect((await run(["agents", "ls"])).out).toMatch(/demo .* acceptEdits +default\n/);
});

test("an agent of the first start that was removed stays away; a key that is new gets its agent", async () => {
  const { run } = await sandbox();
  const env = { ANTHROPIC_API_KEY: secret };
  const names = async (over: Record<string, string>) =>
    (JSON.parse((await run(["agents", "ls", "--json"], { env: over })).out) as readonly Agent[]).map(
      ({ name }) => name,
    );
  expect(await names({})).toEqual(["demo"]);
  expect((await run(["agents", "rm", "demo"])).code).toBe(0);
  expect(await names({})).toEqual([]);
  expect(await names(env)).toEqual(["anthropic"]);
  expect((await run(["agents", "rm", "anthropic"], { env })).code).toBe(0);
  expect(await names(env)).toEqual([]);
});

test("an agent with a key in a variable works through the real provider", async () => {
  const { run, data } = await sandbox();
  const server = await startScriptedServer({ port: 0 });
  onTestFinished(() => server.close());
  const added = await run([
    ...["agents", "add", "local", "--provider", "anthropic", "--model", "claude-test"],
    ...["--api-key-env", "LOCAL_KEY", "--base-url", server.url],
  ]);
  expect([added.code, added.out, added.err]).toEqual([0, "Added: local (loop, claude-test)\n", ""]);
  const { code, out } = await run(["run", "--agent", "local", "#say over the wire"], { env: { LOCAL_KEY: secret } });
  expect([code, out.includes("\nover the wire\n")]).toEqual([0, true]);
  expect(server.requests[0]).toMatchObject({ protocol: "anthropic", model: "claude-test" });
  expect(await holds(data, secret)).toEqual([]);
  const without = await run(["run", "--agent", "local", "x"]);
  expect([without.code, without.err]).toEqual([1, expect.stringMatching(/no API key.*\nmooring doctor/)]);
});

test("a key from standard input goes to the secrets file, for its owner only, and nowhere else", async () => {
  const { run, data } = await sandbox();
  const server = await startScriptedServer({ port: 0 });
  onTestFinished(() => server.close());
  const args = ["agents", "add", "kept", "--provider", "anthropic", "--model", "m", "--base-url", server.url];
  expect((await run([...args, "--api-key-stdin"], { input: `${secret}\n` })).code).toBe(0);
  expect(await holds(data, secret)).toEqual(["secrets.json"]);
  expect((await stat(join(data, "secrets.json"))).mode & 0o777).toBe(0o600);
  expect((await run(["run", "--agent", "kept", "#say with a key"])).out).toContain("with a key");
  expect(await run([...args, "--api-key-stdin"])).toMatchObject({ code: 2, err: expect.stringContaining("no key") });
});

test("what is not named stays as it was", async () => {
  const { run, work } = await sandbox();
  await writeFile(join(work, "rules.md"), "Be kind.");
  await run(["agents", "add", "a", "--provider", "openai", "--api-key-env", "A_KEY", "--instructions", "@rules.md"]);
  const changed = await run(["agents", "set", "a", "--model", "m", "--base-url", "http://127.0.0.1:1", "--default"]);
  expect(changed.out).toBe("Changed: a (loop, m)\n");
  const agents = JSON.parse((await run(["agents", "ls", "--json"])).out) as readonly Agent[];
  expect(agents.find(({ name }) => name === "a")).toMatchObject({
    instructions: "Be kind.",
    provider: { kind: "openai", apiKeyEnv: "A_KEY", baseUrl: "http://127.0.0.1:1" },
  });
  expect((await run(["agents", "ls"])).out).toMatch(/\na .* default\n/);
  expect((await run(["agents", "rm", "a"])).code).toBe(0);
  expect((await run(["agents", "ls"])).out).toMatch(/demo .* default\n/);
});

test("mistakes are told with what to do", async () => {
  const { run } = await sandbox();
  const calls = [
    ["agents", "add", "x", "--api-key-env", "sk-not-a-name"],
    ["agents", "add", "x", "--base-url", "localhost"],
    ["agents", "add", "x", "--instructions", "@none.md"],
    ["agents", "set", "demo"],
  ];
  for (const args of calls) expect(await run(args)).toMatchObject({ code: 2, out: "" });
  expect((await run(["agents", "add", "demo"])).err).toContain('There is an agent "demo" already.');
  expect((await run(["agents", "rm", "none"])).err).toContain("Known agents: demo.");
});

test("doctor says what works and what fixes the rest", async () => {
  const { run, data } = await sandbox();
  await run(["agents", "add", "far", "--provider", "anthropic", "--model", "m", "--api-key-env", "FAR_KEY"]);
  const { code, out } = await run(["doctor"]);
  expect(code).toBe(1);
  expect(out).toContain(`✓ data: ${data}`);
  expect(out).toContain("✓ driver loop");
  expect(out).toContain("✓ agent demo");
  expect(out).toMatch(/✗ agent far: .*FAR_KEY.*\n {4}fix: .*FAR_KEY/);
  const { ready, findings } = JSON.parse((await run(["doctor", "--json"])).out) as {
    readonly ready: boolean;
    readonly findings: readonly { readonly what: string }[];
  };
  const looked = findings.map(({ what }) => what);
  expect([ready, looked]).toEqual([true, expect.arrayContaining(["node", "data", "driver loop", "agent demo"])]);
});
