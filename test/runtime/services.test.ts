/** Services: what creation resolves with, what it says of what it could not use, and what it refuses. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createAgentSessionFromServices,
  createAgentSessionServices,
  getAgentDir,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@mooring/host/runtime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RuntimeWorld } from "./runtime-world.ts";

let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open();
});
afterEach(() => world.end());
const agentFile = async (name: string, text: string): Promise<string> => {
  await mkdir(world.agentDir, { recursive: true });
  await writeFile(join(world.agentDir, name), text);
  return join(world.agentDir, name);
};

test("B004: values of options that are unknown or of the wrong kind are one error each, and nothing is thrown", async () => {
  const { diagnostics } = await createAgentSessionServices({
    cwd: world.cwd,
    agentDir: world.agentDir,
    host: world.host,
    resourceLoaderOptions: { extensionFactories: [(pi) => pi.registerFlag("level", { type: "string" })] },
    extensionFlagValues: new Map<string, boolean | string>([
      ["level", true],
      ["nowhere", "x"],
    ]),
  });
  expect(diagnostics).toEqual([
    { type: "error", message: "The option --level requires a value." },
    { type: "error", message: "There is no option --nowhere." },
  ]);
});

test("B005: an extension that fails is an error beside the others; one that is required fails the start", async () => {
  const broken = (): never => {
    throw new TypeError("no policy");
  };
  const { resourceLoader, diagnostics } = await world.services({ extensionFactories: [broken, () => {}] });
  expect(diagnostics).toEqual([]);
  const { extensions, errors } = resourceLoader.getExtensions();
  expect(errors).toEqual([{ path: "<inline:1>", error: "no policy" }]);
  expect(extensions.map(({ path }) => path)).toEqual(["<inline:2>"]);
  const required = [{ name: "policy", factory: broken, required: true }];
  await expect(world.services({ extensionFactories: required })).rejects.toMatchObject({ code: "extension-failed" });
});

test("B006: a provider that is no good is an error that names the extension; the others are registered", async () => {
  const { modelRuntime, diagnostics } = await world.services({
    extensionFactories: [
      { name: "bad", factory: (pi) => pi.registerProvider("p", { models: [] }) },
      (pi) => pi.registerProvider("q", { models: [{ id: "m" }] }),
    ],
  });
  expect(diagnostics).toMatchObject([{ type: "error", message: expect.stringContaining("<inline:bad>") }]);
  expect(modelRuntime.getModel("q", "m")).toMatchObject({ provider: "q", id: "m", kind: "q" });
});

test("B008: without a usable model a session is made that says so, and refuses prompts without a trace", async () => {
  const services = await createAgentSessionServices({
    cwd: world.cwd,
    agentDir: world.agentDir,
    host: world.host,
    modelRuntime: await ModelRuntime.create({ authPath: null, modelsPath: null }),
  });
  const made = await createAgentSessionFromServices({ services, sessionManager: SessionManager.create(world.cwd) });
  expect(made.modelFallbackMessage).toMatch(/No model/);
  const results: string[] = [];
  const prompted = made.session.prompt("hi", { preflightResult: (said) => results.push(said) });
  await expect(prompted).rejects.toMatchObject({ code: "no-model" });
  expect([results, made.session.isIdle, (await world.host.stored.list()).items]).toEqual([[], true, []]);
});

test("keys and models come from the agent directory, settings too; a key is written nowhere else", async () => {
  await agentFile("auth.json", JSON.stringify({ mine: { type: "api_key", key: "sk-1" }, other: { type: "oauth" } }));
  const models = { mine: { baseUrl: "http://127.0.0.1:9", api: "openai-completions", models: [{ id: "m1" }] } };
  await agentFile("models.json", JSON.stringify({ providers: models }));
  await agentFile("settings.json", JSON.stringify({ defaultProvider: "mine", defaultModel: "m1" }));
  const services = await createAgentSessionServices({ cwd: world.cwd, agentDir: world.agentDir, host: world.host });
  expect(services.modelRuntime.getModels()).toEqual([
    { provider: "mine", id: "m1", name: "m1", kind: "openai-compatible", baseUrl: "http://127.0.0.1:9" },
  ]);
  expect(services.diagnostics).toMatchObject([{ type: "warning", message: expect.stringContaining("oauth") }]);
  await createAgentSessionFromServices({ services, sessionManager: SessionManager.create(world.cwd) });
  const [agent] = await world.host.stored.agents.list();
  expect(agent).toMatchObject({ driver: "loop", model: "m1", provider: { kind: "openai-compatible" } });
  expect(JSON.stringify(agent)).not.toContain("sk-1");
});

test("a file that is not as it must be is refused with its name, settings are left out with an error", async () => {
  const path = await agentFile("models.json", '{"providers": {"x": {"models": [{}]}}}');
  const create = () => createAgentSessionServices({ cwd: world.cwd, agentDir: world.agentDir, host: world.host });
  await expect(create()).rejects.toMatchObject({ code: "bad-config", detail: { path } });
  await agentFile("models.json", '{"providers": {}}');
  await agentFile("settings.json", "{");
  expect((await create()).diagnostics).toMatchObject([
    { type: "error", message: expect.stringContaining("settings.json") },
  ]);
});

test("relative paths never get in", async () => {
  const host = world.host;
  await expect(createAgentSessionServices({ cwd: "here", host })).rejects.toMatchObject({ code: "bad-path" });
  const { diagnostics, resourceLoader } = await world.services({ additionalExtensionPaths: ["ext.ts"] });
  expect(diagnostics).toMatchObject([{ type: "error", message: expect.stringContaining("ext.ts is relative") }]);
  expect(resourceLoader.getExtensions().extensions).toEqual([]);
});

test("nothing of a workspace is run or read as a setting, trusted or not; named files are", async () => {
  await mkdir(join(world.cwd, ".pi", "extensions"), { recursive: true });
  const bad = "export default () => { throw new Error('ran') }";
  await writeFile(join(world.cwd, ".pi", "extensions", "x.js"), bad);
  await writeFile(join(world.cwd, ".pi", "settings.json"), '{"defaultModel": "theirs"}');
  const named = join(world.place, "mine.mjs");
  await writeFile(named, "export default (pi) => pi.registerCommand('mine', { handler() {} })");
  const { resourceLoader, settingsManager } = await world.services({
    projectTrusted: true,
    additionalExtensionPaths: [named, join(world.place, "nowhere.mjs")],
  });
  const { extensions, errors } = resourceLoader.getExtensions();
  expect(extensions.map(({ path, commands }) => [path, [...commands.keys()]])).toEqual([[named, ["mine"]]]);
  expect(errors).toMatchObject([{ path: join(world.place, "nowhere.mjs") }]);
  expect(settingsManager.get("defaultModel")).toBeUndefined();
});

test("skills and context files go into the instructions; each can be turned off", async () => {
  await agentFile("AGENTS.md", "be kind");
  const skill = join(world.place, "skill");
  await mkdir(skill);
  await writeFile(join(skill, "SKILL.md"), "---\nname: knot\ndescription: Ties knots.\n---\nHow to.");
  const options = {
    skills: [skill, { name: "bend", description: "Bends.", content: "Bend it." }, join(world.place, "none")],
    contextFiles: [join(world.place, "gone.md")],
    systemPrompt: "You sail.",
    appendSystemPrompt: ["Last."],
    themes: ["dark"],
  };
  const { resourceLoader, diagnostics } = await world.services(options);
  expect(resourceLoader.instructions()).toMatch(
    /^You sail\.[\s\S]*be kind[\s\S]*knot\nTies knots\.[\s\S]*Bend it\.[\s\S]*Last\.$/,
  );
  expect(resourceLoader.getSkills().map(({ name }) => name)).toEqual(["knot", "bend"]);
  expect(diagnostics.map(({ type }) => type)).toEqual(["warning", "warning", "warning"]);
  const off = await world.services({ ...options, noSkills: true, noContextFiles: true, noExtensions: true });
  expect(off.resourceLoader.instructions()).toBe("You sail.\n\nLast.");
});

test("two sessions on one loader have extensions of their own: the end of one is not the other's", async () => {
  let loads = 0;
  const services = await world.services({
    extensionFactories: [
      (pi) => {
        loads++;
        pi.on("agent_end", () => pi.setSessionName("named"));
      },
    ],
  });
  const make = async () =>
    (await createAgentSessionFromServices({ services, sessionManager: SessionManager.create(world.cwd) })).session;
  const [one, two] = [await make(), await make()];
  await one.dispose();
  const errors: unknown[] = [];
  await two.bindExtensions({ onError: (error) => errors.push(error) });
  await two.prompt("#say hi");
  expect([loads, errors, two.sessionName]).toEqual([2, [], "named"]);
});

test("the agent directory is where the environment says, else with the person's configuration", () => {
  expect(getAgentDir({ MOORING_AGENT_DIR: "/a/b" })).toBe("/a/b");
  expect(getAgentDir({ XDG_CONFIG_HOME: "/x" })).toBe("/x/mooring/agent");
  expect(getAgentDir({ XDG_CONFIG_HOME: "relative" })).toMatch(/\.config\/mooring\/agent$/);
  expect(SettingsManager.inMemory({ defaultModel: "m" }).get("defaultModel")).toBe("m");
});
