import { afterEach, expect, test } from "vitest";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}) => {
  world = await testHost(options);
  const id = await world.session();
  const { cursor } = await world.host.submit(id, { text: "go" });
  const reader = new Reader(world.host, id, cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  return { id, reader, agent, turnId };
};
const output = (toolCallId: string) => ({ type: "tool-output-available", toolCallId, output: "done" }) as const;

test("an answer is stored first, then the agent is released; the turn waits meanwhile", async () => {
  const { id, reader, agent, turnId } = await start();
  agent.ask(turnId, "apr_1", "c1");
  expect(await reader.until("approval.requested")).toMatchObject({ approvalId: "apr_1", turnId, toolName: "bash" });
  await reader.until("turn.waiting");
  expect(await world.host.get(id)).toMatchObject({ state: "waiting", turn: { id: turnId, status: "waiting" } });
  expect(world.host.listActiveWork()).toMatchObject([{ sessionId: id, kind: "waiting-turn", turnId }]);
  const { approval } = await world.host.answer("apr_1", { decision: "allow", input: { command: "pwd" }, by: "me" });
  expect(approval).toMatchObject({ how: "allow", answer: { by: "me" } });
  expect(await agent.answers.next()).toEqual({
    id: "apr_1",
    decision: { decision: "allow", input: { command: "pwd" } },
  });
  await reader.until("turn.resumed");
  agent.chunk(turnId, output("c1"));
  agent.complete(turnId);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
  await reader.stop();
});

test("the first answer wins; the same is no error, another is told who won, a lost one is gone", async () => {
  const { reader, agent, turnId } = await start();
  agent.ask(turnId, "apr_1", "c1");
  await reader.until("approval.requested");
  const [won, lost] = await Promise.allSettled([
    world.host.answer("apr_1", { decision: "deny", reason: "no", by: "first" }),
    world.host.answer("apr_1", { decision: "allow", by: "second" }),
  ]);
  expect(won).toMatchObject({ status: "fulfilled" });
  expect(lost).toMatchObject({
    status: "rejected",
    reason: { code: "approval-conflict", detail: { decision: "deny", by: "first" } },
  });
  expect(await world.host.answer("apr_1", { decision: "deny" })).toMatchObject({
    approval: { answer: { by: "first" } },
  });
  expect(await agent.answers.next()).toEqual({ id: "apr_1", decision: { decision: "deny", reason: "no" } });
  agent.ask(turnId, "apr_2", "c2");
  await reader.until("approval.requested", 2);
  agent.events.end();
  await reader.until("turn.settled");
  await expect(world.host.answer("apr_2", { decision: "allow" })).rejects.toMatchObject({ code: "approval-ended" });
  await expect(world.host.answer("apr_9", { decision: "allow" })).rejects.toMatchObject({ code: "no-such-approval" });
  await reader.stop();
});

test("unattended work is denied at once", async () => {
  world = await testHost();
  const id = await world.session();
  await world.host.submit(id, { text: "go", headless: true });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.ask(turnId, "apr_1", "c1");
  expect((await agent.answers.next()).decision).toMatchObject({ decision: "deny" });
  expect(await world.host.approvals({ open: false })).toMatchObject([{ how: "deny", answer: { by: "unattended" } }]);
});

test("a durable question holds no process: closed meanwhile, asked again on a new connection, run once", async () => {
  const { reader, agent, turnId } = await start();
  agent.say(turnId, "before");
  agent.ask(turnId, "apr_1", "c1", true);
  await reader.until("turn.waiting");
  world.clock.advance(60_000);
  expect(await agent.closes.next()).toBe("waiting");
  await world.store.change([]);
  await world.host.answer("apr_1", { decision: "allow" });
  const other = await world.driver.connections.next();
  expect(other.input.waiting).toEqual({
    turnId,
    approvals: [{ approvalId: "apr_1", toolCallId: "c1", toolName: "bash", input: { command: "ls" } }],
  });
  const history = await other.input.history();
  expect(history.length).toBe(2); // the turn that goes on is told whole
  other.emit({
    type: "tool-approval-request",
    turnId,
    approvalId: "apr_1",
    toolCallId: "c1",
    toolName: "bash",
    input: { command: "ls" },
    durable: true,
  });
  expect(await other.answers.next()).toEqual({ id: "apr_1", decision: { decision: "allow" } });
  other.chunk(turnId, output("c1"));
  other.say(turnId, "after");
  other.complete(turnId);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
  expect(other.sends.all).toEqual([]);
  expect(reader.of("message.opened").length).toBe(1);
  await reader.stop();
});

test("and it survives the host: the next one shows it, and its answer goes on", async () => {
  const { id, reader, agent, turnId } = await start();
  agent.ask(turnId, "apr_1", "c1", true);
  await reader.until("turn.waiting");
  await reader.stop();
  const host = await world.restart();
  expect(await host.get(id)).toMatchObject({ state: "waiting", turn: { id: turnId } });
  expect(await host.approvals({ open: true })).toMatchObject([{ id: "apr_1" }]);
  const again = new Reader(host, id);
  await host.answer("apr_1", { decision: "allow" });
  const other = await world.driver.connections.next();
  other.emit({
    type: "tool-approval-request",
    turnId,
    approvalId: "apr_1",
    toolCallId: "c1",
    toolName: "bash",
    input: {},
    durable: true,
  });
  await other.answers.next();
  other.chunk(turnId, output("c1"));
  other.complete(turnId);
  expect(await again.until("turn.settled")).toMatchObject({ turnId, outcome: "completed" });
  const { messages } = await host.messages(id);
  expect(messages.at(-1)?.parts).toMatchObject([{ type: "tool-bash", state: "output-available", output: "done" }]);
  await again.stop();
});

test("the policy answers at call time, from the mode of now and of the turn's start", async () => {
  const { id, agent, turnId } = await start({ agent: { permissionMode: "acceptEdits" } });
  const write = { toolCallId: "c1", toolName: "write", input: {}, category: "write", paths: [], turnId } as const;
  const { policy } = agent.input;
  expect(await policy.decide(write)).toBe("allow");
  await world.host.update(id, { permissionMode: "bypassPermissions" });
  expect(await policy.decide({ ...write, category: "shell" })).toBe("ask"); // up: from the next turn on
  await world.host.update(id, { permissionMode: "plan" });
  expect(await policy.decide(write)).toMatchObject({ deny: expect.stringContaining("plan") }); // down: at once
  expect(await policy.decide({ ...write, category: "read", paths: ["/etc/passwd"] })).toMatchObject({
    deny: expect.any(String),
  });
  expect((await agent.targets.next()).permissionMode).toBe("plan");
});

test("a tool disabled on the agent is told to the warm connection at once and denied from then on", async () => {
  const { agent, turnId } = await start();
  await world.host.agents.update("agent", { disabledTools: ["read"] });
  expect((await agent.targets.next()).disabledTools).toEqual(["read"]);
  const read = { toolCallId: "c1", toolName: "read", input: {}, category: "read", paths: [], turnId } as const;
  expect(await agent.input.policy.decide(read)).toMatchObject({ deny: expect.stringContaining("disabled") });
});

test("a connection that is over decides nothing", async () => {
  const { reader, agent, turnId } = await start();
  agent.events.end();
  await reader.until("turn.settled");
  const read = { toolCallId: "c1", toolName: "read", input: {}, category: "read", paths: [], turnId } as const;
  expect(await agent.input.policy.decide(read)).toMatchObject({ deny: expect.any(String) });
  await reader.stop();
});

test.each([true, false])(
  "a stop ends a turn that waits (durable: %s), with its question and its call",
  async (durable) => {
    const { id, reader, agent, turnId } = await start();
    agent.ask(turnId, "apr_1", "c1", durable);
    await reader.until("turn.waiting");
    await world.host.stop(id, turnId);
    expect(await reader.until("turn.settled")).toMatchObject({ outcome: "stopped" });
    expect(await reader.until("approval.closed")).toMatchObject({ approvalId: "apr_1", how: "interrupted" });
    const { messages } = await world.host.messages(id);
    expect(messages.at(-1)).toMatchObject({ status: "stopped", parts: [{ type: "tool-bash", state: "output-error" }] });
    await expect(world.host.answer("apr_1", { decision: "allow" })).rejects.toMatchObject({ code: "approval-ended" });
    await reader.stop();
  },
);

test("a stop ends a waiting turn that no connection holds any more", async () => {
  const { id, reader, agent, turnId } = await start();
  agent.ask(turnId, "apr_1", "c1", true);
  await reader.until("turn.waiting");
  world.clock.advance(60_000);
  await agent.closes.next();
  await world.store.change([]);
  await world.host.stop(id, turnId);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "stopped" });
  expect(world.driver.connects.all.length).toBe(1);
  await reader.stop();
});
