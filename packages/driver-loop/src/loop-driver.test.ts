import { MooringError, type SessionFacts } from "@mooring/host/driver";
import { scriptedModel } from "@mooring/scripted-model";
import { expect, test } from "vitest";
import { loopDriver } from "./loop-driver.ts";
import { openHost } from "./testing/open-host.ts";
import { realProcesses } from "./testing/real-processes.ts";
import { WatchedClock } from "./testing/watched-clock.ts";

const note = (): void => {};
const driver = loopDriver({ models: { scripted: scriptedModel } })({
  processes: realProcesses(),
  clock: new WatchedClock(),
  ids: { make: (kind) => kind, uuid: () => "" },
  log: { debug: note, info: note, warn: note, error: note },
  dataDir: "/nowhere",
});
const facts: SessionFacts = {
  sessionId: "ses_1",
  workspace: "/nowhere",
  model: "scripted",
  effort: null,
  credentials: { provider: "", apiKey: null, baseUrl: null },
  options: {},
  resumeToken: null,
};
const target = {
  model: "scripted",
  effort: null,
  permissionMode: "default",
  disabledTools: [],
  prompt: { base: null, append: "" },
  mcpServers: {},
} as const;

test("a session of a model that needs no key is valid", async () => {
  await expect(driver.validateSession(facts)).resolves.toBeUndefined();
});

test.each([
  [{ model: "claude-x", credentials: { provider: "anthropic", apiKey: null, baseUrl: null } }, "no-credentials"],
  [{ model: "m", credentials: { provider: "nobody", apiKey: null, baseUrl: null } }, "unknown-provider"],
  [{ model: "m", credentials: { provider: "openai-compatible", apiKey: null, baseUrl: null } }, "no-base-url"],
  [{ model: "" }, "no-model"],
  [{ effort: "heroic" }, "invalid-option"],
  [{ options: { contextWindow: -1 } }, "invalid-option"],
])("a session that cannot be served is refused: %j is %s", async (change, code) => {
  const refused = driver.validateSession({ ...facts, ...change });
  await expect(refused).rejects.toSatisfy(MooringError.isInstance);
  await expect(refused).rejects.toMatchObject({ code });
});

test("doctor tells what is missing and how to fix it", async () => {
  const asked = (provider: string, apiKey: string | null = null) =>
    driver.doctor({ credentials: { provider, apiKey, baseUrl: null }, env: {}, home: "/nowhere" });
  expect(await asked("anthropic")).toMatchObject({ found: true, credentials: "missing", fix: expect.any(String) });
  expect(await asked("anthropic", "sk")).toMatchObject({ credentials: "ok", problem: null, fix: null });
  expect(await asked("scripted")).toMatchObject({ credentials: "not-needed", problem: null });
  expect(await asked("loop")).toMatchObject({ credentials: "not-needed", problem: null });
  expect(await asked("openai-compatible")).toMatchObject({ credentials: "not-needed", problem: expect.any(String) });
});

test("the tools are listed with their categories", async () => {
  const tools = await driver.listAvailableTools(facts);
  expect(tools.map(({ name, category }) => `${name} ${category}`)).toEqual([
    "read read",
    "write write",
    "edit write",
    "bash shell",
    "ls read",
    "grep read",
    "find read",
  ]);
});

test("reconcile: the same is current, a change is patched, a model that cannot be made is invalid", async () => {
  const host = await openHost({ credentials: { provider: "", apiKey: null, baseUrl: null } });
  expect(await host.connection.reconcile(target)).toBe("current");
  expect(await host.connection.reconcile({ ...target, permissionMode: "plan" })).toBe("patched");
  expect(await host.connection.reconcile({ ...target, permissionMode: "plan" })).toBe("current");
  expect(await host.connection.reconcile({ ...target, model: "gone" })).toBe("invalid");
  expect(await host.connection.reconcile({ ...target, effort: "heroic" })).toBe("invalid");
  expect(await host.turn("#say fine")).toMatchObject({ outcome: "completed" });
});

test("a new model and prompt are for the next turn", async () => {
  const first = scriptedModel();
  const second = scriptedModel({ modelId: "second" });
  const host = await openHost({ models: { scripted: () => first, second: () => second } });
  await host.turn("#say one");
  const prompt = { base: "New.", append: "" };
  expect(await host.connection.reconcile({ ...target, model: "second", prompt })).toBe("patched");
  await host.turn("#say two", "trn_2");
  expect(second.requests).toMatchObject([{ system: "New." }]);
  expect(host.all("usage").map(({ usage }) => usage.model)).toEqual(["scripted", "second"]);
});
