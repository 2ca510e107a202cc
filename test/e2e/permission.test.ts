/** Permission with the built-in agent and real files: what a person allows for good is not asked again, and nothing wider. */
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import {
  type ApprovalRow,
  createHost,
  type DeliveredEvent,
  type SessionHost,
  silentLog,
  systemClock,
  systemIds,
} from "@mooring/host";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";
import { afterEach, beforeEach, expect, test } from "vitest";

let place = "";
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "mooring-permission-e2e-"));
  await mkdir(join(place, "work"));
});
afterEach(() => rm(place, { recursive: true }));

async function open(model = scriptedModel()) {
  const dataDir = join(place, "data");
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const drivers = [loopDriver({ models: { scripted: () => model } })];
  const host = await createHost({ store, drivers, dataDir, roots: [place] });
  return { host, model };
}
const isMade = (name: string): Promise<boolean> =>
  access(join(place, "work", name)).then(
    () => true,
    () => false,
  );

/** Runs one turn; `decide` answers its questions. Gives what was asked, and the last message's tool parts. */
async function turn(host: SessionHost, id: string, text: string, decide: (approval: ApprovalRow) => Promise<unknown>) {
  const { cursor } = await host.submit(id, { text });
  const asked: string[] = [];
  for await (const { event } of host.events(id, { after: cursor }) as AsyncIterable<DeliveredEvent>) {
    if (event.type === "approval.requested") {
      asked.push(event.asked?.because ?? "");
      const [approval] = await host.approvals({ open: true });
      if (approval) await decide(approval);
    }
    if (event.type === "turn.settled") break;
  }
  const { messages } = await host.messages(id);
  const tools = messages.at(-1)?.parts.filter((part) => part.type.startsWith("tool-")) ?? [];
  return { asked, tools };
}

test("a call that was allowed for the agent runs unasked from then on, in any session, after a restart, and nothing wider", async () => {
  const first = await open();
  await first.host.agents.add({ name: "agent", driver: "loop", model: "scripted" });
  const { id } = await first.host.create({ workspace: join(place, "work") });
  const { host } = first;
  const always = ({ id: approval }: ApprovalRow) =>
    host.answer(approval, { decision: "allow", scope: "agent", by: "ann" });
  const one = await turn(host, id, "#bash touch a\n#say ok", always);
  expect(one.asked).toEqual(['Mode "default" asks before a call that runs a command.']);
  expect(await isMade("a")).toBe(true);
  expect(one.tools).toMatchObject([
    { toolMetadata: { mooring: { permission: { by: "person", because: "Allowed by ann." } } } },
  ]);
  await host.shutdown({ graceMs: 0 });

  const { host: again } = await open();
  const other = await again.create({ workspace: join(place, "work") });
  const deny = ({ id: approval }: ApprovalRow) => again.answer(approval, { decision: "deny" });
  const two = await turn(again, other.id, "#bash touch a\n#bash touch a; touch b\n#say ok", deny);
  expect(two.asked.length).toBe(1);
  expect(await isMade("b")).toBe(false);
  const permission = { effect: "allow", by: "rule", because: "Allowed by the rule bash(touch a) of this agent." };
  expect(two.tools).toMatchObject([
    { state: "output-available", toolMetadata: { mooring: { permission } } },
    { state: "output-denied" },
  ]);
  await again.shutdown({ graceMs: 0 });
});

test("the model is told the workspace's text and the agent's instructions, and why a call was denied", async () => {
  await writeFile(join(place, "work", "AGENTS.md"), "Use tabs.");
  const { host, model } = await open();
  const rules = [{ effect: "deny", tool: "write", pattern: "secret" }] as const;
  await host.agents.add({
    name: "agent",
    driver: "loop",
    model: "scripted",
    instructions: "Be brief.",
    permissionMode: "bypassPermissions",
    rules,
  });
  const { id } = await host.create({ workspace: join(place, "work") });
  const nobody = async () => expect.unreachable();
  const { tools } = await turn(host, id, "#write secret x\n#write .git/hooks/pre-commit x\n#say ok", nobody);
  const [denied = "", never = ""] = tools.map((part) => ("approval" in part ? part.approval?.reason : ""));
  expect(denied).toBe("Denied by the rule write(secret) of the agent's configuration.");
  expect(never).toMatch(/^Never allowed/);
  expect([await isMade("secret"), await isMade(".git")]).toEqual([false, false]);
  const [begin] = model.requests;
  const last = JSON.stringify(model.requests.at(-1)?.prompt);
  expect(begin?.system).toMatch(/Use tabs\.[\s\S]*Be brief\.\n<\/agent-instructions>/);
  expect([last.includes(denied), last.includes(never)]).toEqual([true, true]);
  await host.shutdown({ graceMs: 0 });
});
