import { expect, test } from "vitest";
import type { AgentRow } from "../api/types.ts";
import { bodyOf, draftOf } from "./agent-draft.ts";

const agent: AgentRow = {
  id: "agt_1",
  name: "careful",
  driver: "claude-code",
  model: "m",
  effort: "high",
  instructions: "Be kind.",
  permissionMode: "plan",
  provider: { kind: "anthropic", baseUrl: "http://127.0.0.1:1", apiKeyEnv: "KEY" },
  mcpServers: { files: { command: "serve", args: ["--all"] } },
  disabledTools: ["web"],
  rules: [{ effect: "allow", tool: "bash", pattern: "git status*" }],
  alwaysAsk: ["mcp__*", "deploy"],
  unattended: "wait",
  defaultDelivery: "queue",
  queueAfter: "run",
  onInterrupted: "continue",
  onResumeFailed: "fresh",
  driverOptions: { strict: true },
  revision: 3,
  createdAt: 1,
  updatedAt: 2,
};

test("an agent that is read and written is the same agent", () => {
  const { id: _, revision: __, createdAt: ___, updatedAt: ____, ...given } = agent;
  expect(bodyOf(draftOf(agent, []))).toEqual({ agent: given });
});
test("a new one has the host's own defaults, and names no model that was not named", () => {
  const body = bodyOf({ ...draftOf(null, ["loop"]), name: "n" });
  expect(body).toMatchObject({ agent: { name: "n", driver: "loop", mcpServers: {}, alwaysAsk: ["mcp__*"] } });
  expect("agent" in body && "model" in body.agent).toBe(false);
});
test.each([
  [{ rules: "perhaps bash" }, /rule/],
  [{ mcpServers: "{files" }, /MCP/],
  [{ mcpServers: '["files"]' }, /MCP/],
  [{ driverOptions: "1" }, /options/],
])("%o is said to be wrong", (change, said) => {
  const body = bodyOf({ ...draftOf(agent, []), ...change });
  expect("wrong" in body && body.wrong).toMatch(said);
});
