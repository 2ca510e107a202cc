import type { AgentRow, DriverInfo } from "@mooring/host";
import { expect, test } from "vitest";
import { agentFinding, driverFinding, nodeFinding, serverFinding } from "./findings.ts";

const loop: DriverInfo = {
  type: "loop",
  readiness: { found: true, version: null, credentials: "ok", problem: null, fix: null },
};
const far: DriverInfo = {
  type: "far",
  readiness: { found: false, version: null, credentials: "missing", problem: "not there", fix: "npm i far" },
};
const agent = (over: Partial<AgentRow>): AgentRow => ({
  id: "agt_1",
  name: "a",
  driver: "loop",
  model: "m",
  effort: null,
  instructions: null,
  permissionMode: "default",
  provider: { kind: "openai", apiKeyEnv: "A_KEY" },
  mcpServers: {},
  disabledTools: [],
  rules: [],
  alwaysAsk: [],
  unattended: "deny",
  defaultDelivery: "steer",
  queueAfter: "hold",
  onInterrupted: "wait",
  onResumeFailed: "ask",
  driverOptions: {},
  revision: 1,
  createdAt: 0,
  updatedAt: 0,
  ...over,
});
const finding = (over: Partial<AgentRow>, env: Record<string, string> = { A_KEY: "k" }) =>
  agentFinding(agent(over), { drivers: [loop, far], env, command: "mooring" });

test("versions are compared by number", () => {
  expect([nodeFinding("22.19.0", "22.19").isOk, nodeFinding("24.1.0", "22.19").isOk]).toEqual([true, true]);
  expect(nodeFinding("22.9.1", "22.19")).toMatchObject({ isOk: false, fix: "Install Node.js 22.19 or newer." });
});

test("a driver that is not there says how to get it", () => {
  expect(driverFinding(loop)).toMatchObject({ isOk: true, detail: "found, built in", fix: null });
  expect(driverFinding(far)).toMatchObject({ isOk: false, detail: "not there", fix: "npm i far" });
});

test("an agent is as good as its driver, its model and its key", () => {
  expect(finding({})).toEqual({
    what: "agent a",
    isOk: true,
    isNeeded: true,
    detail: "loop, m, key from A_KEY",
    fix: null,
  });
  expect(finding({}, {})).toMatchObject({ isOk: false, fix: "export A_KEY=…" });
  expect(finding({ model: null })).toMatchObject({ isOk: false, fix: 'mooring agents set "a" --model MODEL' });
  expect(finding({ driver: "far" })).toMatchObject({ isOk: false, fix: "npm i far" });
  expect(finding({ driver: "gone" })).toMatchObject({ isOk: false, detail: "its driver gone is not there" });
  expect(finding({ provider: { kind: "scripted" } }).detail).toBe("loop, m, no key needed");
});

test("a server of another version is told", () => {
  const server = { url: "http://127.0.0.1:4483", pid: 7, version: "1.0.0" };
  expect(serverFinding(server, "1.0.0")).toMatchObject({ isOk: true, fix: null });
  expect(serverFinding(server, "1.1.0")).toMatchObject({
    isOk: false,
    detail: expect.stringContaining("command is 1.1.0"),
  });
});

test("keys of a server are in its own environment; a driver without a provider speaks for its agents", () => {
  const facts = { drivers: [loop, far], env: null, command: "mooring" };
  expect(agentFinding(agent({}), facts)).toMatchObject({
    isOk: true,
    detail: expect.stringContaining("of the server"),
  });
  const there = { ...far, readiness: { ...far.readiness, found: true, problem: "not logged in", fix: "far login" } };
  const own = agentFinding(agent({ driver: "far", provider: {} }), { ...facts, drivers: [there] });
  expect(own).toMatchObject({ isOk: false, detail: "not logged in", fix: "far login" });
});
