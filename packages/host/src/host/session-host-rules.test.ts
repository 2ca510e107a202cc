import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { AnswerScope } from "../protocol/permission.ts";
import { openSqliteStore } from "../stores/sqlite/index.ts";
import { createFakeDriver } from "../testing/fake-driver.ts";
import { type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";
import { createHost } from "./create-host.ts";
import { bash, TestAgent } from "./permission/test-agent.ts";
import { silentLog } from "./silent-log.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";

let world: TestHost;
afterEach(() => world.end());
async function start(options: TestHostOptions = {}): Promise<TestAgent> {
  world = await testHost(options);
  return TestAgent.start(world);
}
const allow = (approval: string, scope: AnswerScope = "once", by = "ann") =>
  world.host.answer(approval, { decision: "allow", scope, by });

test("an answer with a scope stores exactly the call it is about, and gives it back", async () => {
  const one = await start();
  await one.ask("apr_1", bash("c1", "git push *"));
  await one.reader.until("approval.requested");
  const { approval } = await allow("apr_1", "session");
  const [rule] = await world.host.rules.list();
  expect(rule).toMatchObject({
    scope: "session",
    sessionId: one.session,
    agentId: null,
    effect: "allow",
    tool: "bash",
    pattern: "git push \\*",
    approvalId: "apr_1",
    by: "ann",
  });
  expect(approval.answer?.rule).toEqual(rule);
  expect(await one.reader.until("approval.closed")).toMatchObject({ answer: { rule } });
  await one.finish();
});

test.each<[AnswerScope, string, string, string]>([
  ["once", "ask", "ask", "ask"],
  ["session", "allow", "ask", "ask"],
  ["agent", "allow", "allow", "ask"],
  ["host", "allow", "allow", "allow"],
])(
  "scope %s: in the session %s, in another of the agent %s, of another agent %s",
  async (scope, same, sibling, other) => {
    const one = await start();
    await world.host.agents.add({ name: "other", driver: "fake", model: "m1" });
    await one.ask("apr_1", bash("c1", "ls"));
    await one.reader.until("approval.requested");
    await allow("apr_1", scope);
    expect(await one.decide(bash("c2", "ls"))).toBe(same); // at once, in the turn that asked
    expect(await one.decide(bash("c3", "ls -a"))).toBe("ask"); // and nothing wider
    const two = await TestAgent.start(world);
    expect(await two.decide(bash("c1", "ls"))).toBe(sibling);
    const three = await TestAgent.start(world, (await world.host.create({ agent: "other" })).id);
    expect(await three.decide(bash("c1", "ls"))).toBe(other);
  },
);

test("a rule is there before the agent is released", async () => {
  const next = Promise.withResolvers<unknown>();
  const one = await start();
  one.agent.behaviour.answerApproval = async () => next.resolve(one.decide(bash("c2", "ls")));
  await one.ask("apr_1", bash("c1", "ls"));
  await one.reader.until("approval.requested");
  await allow("apr_1", "session");
  expect(await next.promise).toBe("allow");
  await one.finish();
});

test("other open questions that the rule decides are answered too, and say by which rule", async () => {
  const one = await start();
  const two = await TestAgent.start(world);
  await one.ask("apr_1", bash("c1", "ls"));
  await one.ask("apr_2", bash("c2", "ls"));
  await one.ask("apr_3", bash("c3", "ls && rm x"));
  await two.ask("apr_4", bash("c1", "ls"));
  await two.reader.until("approval.requested");
  await one.reader.until("approval.requested", 3);
  await allow("apr_1", "session");
  const answered = await world.host.approvals({ open: false });
  expect(answered.find(({ id }) => id === "apr_2")).toMatchObject({
    how: "allow",
    answer: { by: "rule", reason: "Allowed by the rule bash(ls) of this session." },
  });
  expect((await world.host.approvals({ open: true })).map(({ id }) => id).sort()).toEqual(["apr_3", "apr_4"]);
  await world.host.answer("apr_4", { decision: "deny", scope: "agent", reason: "no", by: "ann" });
  expect(await two.agent.answers.next()).toEqual({ id: "apr_4", decision: { decision: "deny", reason: "no" } });
  const last = (await world.host.approvals({ open: false })).find(({ id }) => id === "apr_3");
  expect(last).toMatchObject({
    how: "deny",
    answer: { by: "rule", reason: "Denied by the rule bash(ls) of this agent." },
  });
  expect(await world.host.approvals({ open: true })).toEqual([]);
});

test("of two answers at once only the winner's rule is stored", async () => {
  const one = await start();
  await one.ask("apr_1", bash("c1", "ls"));
  await one.reader.until("approval.requested");
  const both = await Promise.allSettled([
    world.host.answer("apr_1", { decision: "deny", scope: "host", by: "first" }),
    world.host.answer("apr_1", { decision: "allow", scope: "session", by: "second" }),
  ]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await world.host.rules.list()).toMatchObject([{ effect: "deny", scope: "host", by: "first" }]);
  expect(await world.store.query.rules()).toEqual(await world.host.rules.list());
  await one.finish();
});

test("the same answer twice is one rule", async () => {
  const one = await start();
  for (const n of [1, 2]) {
    await one.ask(`apr_${n}`, { ...bash(`c${n}`, "ls"), turnId: n === 1 ? one.turnId : null });
    await one.reader.until("approval.requested", 1);
    if (n === 1) await allow("apr_1", "session");
  }
  const [rule, ...more] = await world.host.rules.list();
  expect(more).toEqual([]);
  expect(
    await world.host.rules.add({
      ...rule,
      effect: "allow",
      tool: "bash",
      pattern: "ls",
      scope: "session",
      sessionId: one.session,
    }),
  ).toEqual(rule);
  await one.finish();
});

test("an answer that cannot make a rule says so, and the question stays open", async () => {
  const one = await start({ agent: { rules: [{ effect: "ask", tool: "bash", pattern: "git push*" }] } });
  await one.ask("apr_1", bash("c1", "git push"));
  await one.ask("apr_2", { toolCallId: "c2", toolName: "question", category: "other", needsPerson: true });
  one.agent.ask(one.turnId, "apr_3", "c3"); // without asking the host first
  await one.reader.until("approval.requested", 3);
  await expect(allow("apr_1", "host")).rejects.toMatchObject({
    code: "scope-unavailable",
    message: expect.stringContaining("Asked by the rule bash(git push*) of the agent's configuration."),
  });
  await expect(allow("apr_2", "agent")).rejects.toMatchObject({ code: "scope-unavailable" });
  await expect(allow("apr_3", "session")).rejects.toMatchObject({ code: "scope-unavailable" });
  const edited = { decision: "allow", scope: "session", input: { command: "x" } } as const;
  await expect(world.host.answer("apr_1", edited)).rejects.toMatchObject({
    code: "bad-input",
    detail: { field: "scope" },
  });
  const odd = { decision: "allow", scope: "world" as AnswerScope } as const;
  await expect(world.host.answer("apr_1", odd)).rejects.toMatchObject({
    code: "bad-input",
    detail: { field: "scope" },
  });
  expect((await world.host.approvals({ open: true })).length).toBe(3);
  expect(await world.host.rules.list()).toEqual([]);
  expect((await allow("apr_1")).approval.how).toBe("allow");
});

test("what is denied by now cannot be allowed, edited or not", async () => {
  const one = await start({ agent: { rules: [{ effect: "deny", tool: "bash", pattern: "rm *" }] } });
  await one.ask("apr_1", bash("c1", "ls"));
  await one.reader.until("approval.requested");
  const answer = (command: string) => world.host.answer("apr_1", { decision: "allow", input: { command } });
  await expect(answer("ls; rm x")).rejects.toMatchObject({ code: "call-denied", detail: { approval: "apr_1" } });
  await expect(answer("rm -rf /")).rejects.toMatchObject({ message: expect.stringContaining("Never allowed") });
  await world.host.update(one.session, { permissionMode: "plan" });
  await expect(allow("apr_1")).rejects.toMatchObject({ code: "call-denied", message: expect.stringContaining("plan") });
  await world.host.update(one.session, { permissionMode: null });
  expect((await answer("ls -a")).approval.answer?.input).toEqual({ command: "ls -a" });
  expect(await one.agent.answers.next()).toMatchObject({ decision: { input: { command: "ls -a" } } });
  expect(await one.decide({ ...bash("c1", "ls -a"), editedUnder: "apr_1" })).toBe("allow");
  expect(await one.decide({ ...bash("c1", "rm x"), editedUnder: "apr_1" })).toMatchObject({ deny: expect.any(String) });
  expect(await one.decide({ ...bash("c2", "ls -a"), editedUnder: "apr_1" })).toBe("ask");
  expect(await one.decide({ ...bash("c1", "ls -a"), editedUnder: "apr_9" })).toBe("ask");
  await one.finish();
});

test("an edited path is judged by where it leads", async () => {
  const one = await start({ agent: { rules: [{ effect: "deny", tool: "write", pattern: "secret" }] } });
  const { workspace } = await world.host.get(one.session);
  const write = {
    toolCallId: "c1",
    toolName: "write",
    category: "write",
    input: { path: "a" },
    paths: [join(workspace, "a")],
  } as const;
  await one.ask("apr_1", write);
  await one.reader.until("approval.requested");
  const answer = (input: unknown) => world.host.answer("apr_1", { decision: "allow", input });
  for (const input of [{ path: "../../secrets.json" }, { path: "/etc/passwd" }, { path: "secret" }, { file: "b" }, "x"])
    await expect(answer(input)).rejects.toMatchObject({ code: "call-denied" });
  expect((await answer({ path: "b" })).approval.how).toBe("allow");
  await one.finish();
});

test("a question says why it is asked, on its row and in its event", async () => {
  const one = await start();
  await one.ask("apr_1", bash("c1", "ls"));
  const asked = {
    because: 'Mode "default" asks before a call that runs a command.',
    category: "shell",
    paths: [],
    rule: { tool: "bash", pattern: "ls" },
  };
  expect(await one.reader.until("approval.requested")).toMatchObject({ asked });
  expect(await world.host.approvals()).toMatchObject([{ asked }]);
});

test("what was allowed without a question says by what, in the message", async () => {
  const one = await start({ agent: { rules: [{ effect: "allow", tool: "bash", pattern: "ls*" }] } });
  expect(await one.ask("apr_1", bash("c1", "ls -a"))).toBe("allow");
  one.done("c1");
  await one.ask("apr_2", bash("c2", "pwd"));
  await one.reader.until("approval.requested");
  await allow("apr_2", "session");
  await one.agent.answers.next();
  one.done("c2");
  one.agent.chunk(one.turnId, { type: "tool-input-available", toolCallId: "c3", toolName: "bash", input: {} });
  one.done("c3"); // it never asked
  await one.finish();
  const { messages } = await world.host.messages(one.session);
  const because = messages
    .at(-1)
    ?.parts.map((part) => ("toolMetadata" in part ? part.toolMetadata?.["mooring"] : null));
  const [rule] = await world.host.rules.list();
  expect(because).toEqual([
    {
      permission: {
        effect: "allow",
        by: "rule",
        because: "Allowed by the rule bash(ls*) of the agent's configuration.",
      },
    },
    { permission: { effect: "allow", by: "person", because: "Allowed by ann.", rules: [rule?.id] } },
    { permission: { effect: "allow", by: "agent", because: "The agent did not ask the host." } },
  ]);
});

// --- rules by themselves --------------------------------------------------------------------------------------------

test("a new restriction binds the next call, a new permission the next turn", async () => {
  const one = await start();
  const { rules } = world.host;
  const permission = await rules.add({
    effect: "allow",
    tool: "bash",
    pattern: "ls",
    scope: "session",
    sessionId: one.session,
    by: "ann",
  });
  expect(await one.decide(bash("c1", "ls"))).toBe("ask");
  const deny = await rules.add({ effect: "deny", tool: "@shell", pattern: "rm *", scope: "agent", agent: "agent" });
  expect(await one.decide(bash("c2", "rm x"))).toMatchObject({ deny: expect.stringContaining("@shell(rm *)") });
  await rules.remove(deny.id);
  expect(await one.decide(bash("c3", "rm x"))).toBe("ask"); // it was none when the turn began
  await one.finish();
  await world.host.submit(one.session, { text: "again" });
  const { turnId } = await one.agent.sends.next();
  expect(await one.decide({ ...bash("c4", "ls"), turnId })).toBe("allow");
  await rules.remove(permission.id);
  expect(await one.decide({ ...bash("c5", "ls"), turnId })).toBe("ask");
});

test("a restriction that is taken away binds until the turn is over", async () => {
  world = await testHost();
  const rule = await world.host.rules.add({ effect: "deny", tool: "bash", scope: "host" });
  const one = await TestAgent.start(world);
  await world.host.rules.remove(rule.id);
  expect(await one.decide(bash("c1", "ls"))).toMatchObject({ deny: expect.stringContaining("when the turn began") });
  await one.finish();
});

test("what is listed, and what is refused", async () => {
  const one = await start({ limits: { rules: 2 } });
  await world.host.agents.add({ name: "other", driver: "fake" });
  const { rules } = world.host;
  const tools = async (q: Parameters<typeof rules.list>[0]) => (await rules.list(q)).map(({ tool }) => tool);
  await rules.add({ effect: "ask", tool: "a", scope: "host" });
  await rules.add({ effect: "ask", tool: "b", scope: "agent", agent: "other" });
  await rules.add({ effect: "ask", tool: "c", scope: "agent", agent: "agent" });
  await rules.add({ effect: "ask", tool: "d", scope: "session", sessionId: one.session });
  expect(await tools({})).toEqual(["a", "b", "c", "d"]);
  expect(await tools({ sessionId: one.session })).toEqual(["d", "c", "a"]);
  expect(await tools({ agent: "other" })).toEqual(["b"]);
  await rules.add({ effect: "ask", tool: "e", scope: "host" });
  await expect(rules.add({ effect: "ask", tool: "f", scope: "host" })).rejects.toMatchObject({
    code: "too-many-rules",
  });
  await expect(rules.remove("rul_9")).rejects.toMatchObject({ code: "no-such-rule" });
  const bad = (rule: object) => rules.add({ effect: "ask", tool: "x", scope: "host", ...rule } as never);
  for (const [field, rule] of Object.entries({
    tool: { tool: "a b" },
    pattern: { pattern: " " },
    effect: { effect: "maybe" },
    scope: { scope: "world" },
    sessionId: { scope: "session" },
    agent: { scope: "agent" },
  }))
    await expect(bad(rule)).rejects.toMatchObject({ code: "bad-rule", detail: { field } });
  await expect(bad({ tool: "@wrote" })).rejects.toMatchObject({ code: "bad-rule" });
  await expect(bad({ scope: "session", sessionId: "ses_x" })).rejects.toMatchObject({ code: "no-such-session" });
  await expect(bad({ scope: "agent", agent: "x" })).rejects.toMatchObject({ code: "no-such-agent" });
});

test("an agent's own rules are checked like any others", async () => {
  world = await testHost();
  const update = (patch: object) => world.host.agents.update("agent", patch as never);
  await expect(update({ rules: [{ effect: "ask", tool: "a b" }] })).rejects.toMatchObject({
    code: "bad-agent",
    detail: { field: "rules.0" },
  });
  await expect(update({ rules: [{ effect: "may", tool: "a" }] })).rejects.toMatchObject({ code: "bad-agent" });
  await expect(update({ rules: "all" })).rejects.toMatchObject({ detail: { field: "rules" } });
  await expect(update({ alwaysAsk: ["("] })).rejects.toMatchObject({ detail: { field: "alwaysAsk.0" } });
  await expect(update({ unattended: "never" })).rejects.toMatchObject({ detail: { field: "unattended" } });
  await update({ alwaysAsk: ["bash"], permissionMode: "bypassPermissions" });
  const one = await TestAgent.start(world);
  expect(await one.decide(bash("c1", "ls"))).toBe("ask");
  expect(await one.decide({ ...bash("c2", "ls"), toolName: "shell" })).toBe("allow");
});

test("rules go with their session and their agent", async () => {
  const one = await start();
  const { rules, agents } = world.host;
  await rules.add({ effect: "ask", tool: "a", scope: "session", sessionId: one.session });
  await agents.add({ name: "other", driver: "fake" });
  await rules.add({ effect: "ask", tool: "b", scope: "agent", agent: "other" });
  await rules.add({ effect: "ask", tool: "c", scope: "host" });
  await agents.remove("other");
  await world.host.remove(one.session);
  expect((await rules.list()).map(({ tool }) => tool)).toEqual(["a", "c"]); // a removed session may come back
  await world.pass(700_000, 3);
  expect((await rules.list()).map(({ tool }) => tool)).toEqual(["c"]);
  expect((await world.store.query.rules()).map(({ tool }) => tool)).toEqual(["c"]);
});

test("rules and reasons outlive the host, on disk", async () => {
  world = await testHost();
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-rules-"));
  const driver = createFakeDriver();
  const open = async () => {
    const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
    return { store, host: await createHost({ store, drivers: [driver.factory], dataDir, roots: [] }) };
  };
  const first = await open();
  await first.host.agents.add({ name: "agent", driver: "fake", model: "m1", rules: [{ effect: "deny", tool: "x" }] });
  const { id } = await first.host.create({});
  const real = { ...world, host: first.host, driver, session: async () => id };
  const one = await TestAgent.start(real);
  await one.ask("apr_1", bash("c1", "ls"), true);
  await one.ask("apr_2", bash("c2", "pwd"), true);
  await one.reader.until("approval.requested", 2);
  await first.host.answer("apr_1", { decision: "allow", scope: "agent", by: "ann" });
  one.done("c1");
  await one.reader.until("turn.waiting", 2);
  await one.reader.stop();
  await first.store.close(); // as the last thing a host does before it dies

  const second = await open();
  expect(await second.host.rules.list()).toMatchObject([
    { tool: "bash", pattern: "ls", scope: "agent", approvalId: "apr_1" },
  ]);
  expect(await second.host.agents.get("agent")).toMatchObject({
    rules: [{ effect: "deny", tool: "x" }],
    alwaysAsk: ["mcp__*"],
    unattended: "deny",
  });
  expect(await second.host.approvals({ open: true })).toMatchObject([
    { id: "apr_2", asked: { rule: { tool: "bash", pattern: "pwd" } } },
  ]);
  await second.host.answer("apr_2", { decision: "allow", scope: "session", by: "ben" });
  expect((await second.host.rules.list()).map(({ by }) => by)).toEqual(["ann", "ben"]);
  const again = await driver.connections.next();
  again.chunk(one.turnId, { type: "tool-output-available", toolCallId: "c2", output: "done" });
  again.complete(one.turnId);
  await second.host.drainInFlight({ timeoutMs: 5_000 });
  await second.host.shutdown({ graceMs: 0 });
  await rm(dataDir, { recursive: true, maxRetries: 5 });
});
