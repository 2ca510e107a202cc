import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";

let world: TestHost;
let workspace = "";
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "mooring-prompt-"));
});
afterEach(async () => {
  await world.end();
  await rm(workspace, { recursive: true });
});
async function start(options: TestHostOptions = {}) {
  world = await testHost({ roots: [workspace], ...options });
  const { id } = await world.host.create({ workspace });
  const { cursor } = await world.host.submit(id, { text: "go" });
  const agent = await world.driver.connections.next();
  return { id, agent, reader: new Reader(world.host, id, cursor), ...(await agent.sends.next()) };
}

test("an agent is told its instructions and the workspace's, once, by whoever connects", async () => {
  await writeFile(join(workspace, "AGENTS.md"), "Use tabs.");
  const { agent, turnId, reader } = await start({ agent: { instructions: "Be brief." } });
  expect(agent.input.prompt.append).toMatch(/AGENTS\.md">\nUse tabs\.[\s\S]*Be brief\./);
  agent.complete(turnId);
  await reader.stop();
});

test("an agent that reads the workspace's text itself is not told it twice", async () => {
  await writeFile(join(workspace, "AGENTS.md"), "Use tabs.");
  const { agent } = await start({
    driver: { capabilities: { workspaceText: true } },
    agent: { instructions: "Be brief." },
  });
  expect(agent.input.prompt.append).toContain("Be brief.");
  expect(agent.input.prompt.append).not.toContain("Use tabs.");
});

test("a connection keeps the text it was made with; changed instructions reach it with that text", async () => {
  await writeFile(join(workspace, "CLAUDE.md"), "Use tabs.");
  const { id, agent, turnId, reader } = await start();
  agent.say(turnId, "hi");
  agent.complete(turnId);
  await reader.until("turn.settled");
  await writeFile(join(workspace, "CLAUDE.md"), "Use spaces.");
  await world.host.agents.update("agent", { instructions: "Be brief." });
  const { prompt } = await agent.targets.next();
  expect(prompt.append).toMatch(/Use tabs\.[\s\S]*Be brief\./);
  await world.host.close(id);
  await agent.closes.next();
  await world.host.submit(id, { text: "again" });
  expect((await world.driver.connections.next()).input.prompt.append).toContain("Use spaces.");
  await reader.stop();
});

test("the prompt a connection is reconciled to is the one it was made with, transcript included", async () => {
  const { id, agent, turnId, reader } = await start({ driver: { capabilities: { history: "native" } } });
  agent.say(turnId, "first answer");
  agent.complete(turnId);
  await reader.until("turn.settled");
  await world.host.close(id);
  await agent.closes.next();
  await world.host.submit(id, { text: "again" });
  const other = await world.driver.connections.next();
  expect(other.input.prompt.append).toContain("first answer");
  await world.host.update(id, { permissionMode: "plan" });
  expect((await other.targets.next()).prompt).toEqual(other.input.prompt);
  await reader.stop();
});
