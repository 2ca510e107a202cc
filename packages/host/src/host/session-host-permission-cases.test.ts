/** Cases C14, C15, C25, C26, C27 and C42 of the real world, each as a host and a scripted driver play it. */
import { afterEach, expect, test } from "vitest";
import type { ReconcileVerdict } from "../ports/driver.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";
import { bash, TestAgent } from "./permission/test-agent.ts";

let world: TestHost;
afterEach(() => world.end());
async function start(options: TestHostOptions = {}): Promise<TestAgent> {
  world = await testHost(options);
  return TestAgent.start(world);
}
const open = async () => (await world.host.approvals({ open: true })).map(({ id }) => id);

// --- C14: a tightened permission and a warm session -------------------------------------------------------------------

test("C14: a tightening holds while the driver is still busy with it, and the newest of several wins", async () => {
  const verdicts: PromiseWithResolvers<ReconcileVerdict>[] = [];
  const reconcile = () => {
    const verdict = Promise.withResolvers<ReconcileVerdict>();
    verdicts.push(verdict);
    return verdict.promise;
  };
  const one = await start({ agent: { permissionMode: "acceptEdits" }, driver: { behaviour: { reconcile } } });
  const write = { toolCallId: "c1", toolName: "write", category: "write" } as const;
  expect(await one.decide(write)).toBe("allow");
  await world.host.update(one.session, { permissionMode: "default" });
  expect(await one.decide(write)).toBe("ask");
  await world.host.agents.update("agent", { disabledTools: ["bash"] });
  expect(await one.decide(bash("c2", "ls"))).toMatchObject({ deny: expect.stringContaining("disabled") });
  await world.host.update(one.session, { permissionMode: "bypassPermissions" });
  await world.host.update(one.session, { permissionMode: "default" });
  expect((await one.agent.targets.next()).permissionMode).toBe("default");
  expect(one.agent.targets.all.length).toBe(1); // one at a time
  verdicts[0]?.resolve("patched");
  expect(await one.agent.targets.next()).toMatchObject({ permissionMode: "default", disabledTools: ["bash"] });
  verdicts[1]?.resolve("patched");
  expect(await one.decide(write)).toBe("ask");
  await one.finish();
});

test("C14: a driver that cannot be told loses its connection, and the turn says why", async () => {
  const reconcile = async (): Promise<ReconcileVerdict> => {
    throw new TypeError("no answer");
  };
  const one = await start({ agent: { permissionMode: "acceptEdits" }, driver: { behaviour: { reconcile } } });
  await world.host.update(one.session, { permissionMode: "default" });
  expect(await one.reader.until("turn.settled")).toMatchObject({ outcome: "failed", error: { code: "policy-failed" } });
  expect(await one.decide(bash("c1", "ls"))).toMatchObject({ deny: expect.any(String) });
  await one.reader.stop();
});

test("C14: a turn that waits through a restart gets no more than what was configured when it was read again", async () => {
  const one = await start();
  await one.ask("apr_1", bash("c1", "ls"), true);
  await one.reader.until("turn.waiting");
  await one.reader.stop();
  const host = await world.restart();
  await host.update(one.session, { permissionMode: "bypassPermissions" });
  await host.answer("apr_1", { decision: "allow" });
  const again = await world.driver.connections.next();
  expect(await again.input.policy.decide(one.call(bash("c2", "pwd")))).toBe("ask");
});

test("C14: a turn the agent began is bound by what was configured then, too", async () => {
  const one = await start();
  one.agent.complete(one.turnId);
  await one.reader.until("turn.settled");
  one.agent.emit({ type: "autonomous-turn-state", turnId: "own", state: "started", origin: "task" });
  await one.reader.until("turn.started", 2);
  await world.host.update(one.session, { permissionMode: "bypassPermissions" });
  expect(await one.decide({ ...bash("c1", "ls"), turnId: "own" })).toBe("ask");
  one.agent.emit({ type: "turn-complete", turnId: "own", outcome: "completed", answered: [] });
  await one.reader.until("turn.settled", 2);
  expect(await one.decide({ ...bash("c2", "ls"), turnId: null })).toBe("allow");
  await one.reader.stop();
});

// --- C15: tools that never reach the callback ---------------------------------------------------------------------------

test("C15: a disabled tool is excluded where the agent starts, denied where it asks, also to a sub-agent", async () => {
  const one = await start({ agent: { permissionMode: "bypassPermissions", disabledTools: ["bash"] } });
  expect(one.agent.input.disabledTools).toEqual(["bash"]);
  expect(await one.decide(bash("c1", "echo hi"))).toMatchObject({ deny: expect.any(String) });
  expect(await one.decide({ ...bash("c2", "echo hi"), turnId: null })).toMatchObject({ deny: expect.any(String) });
  await one.finish();
});

test("C15: every call that ran has a decision on record, of a sub-agent, a provider and one that never asked too", async () => {
  const one = await start({ agent: { permissionMode: "bypassPermissions" } });
  const { agent, turnId } = one;
  const called = (toolCallId: string, more: object = {}) =>
    ({ type: "tool-input-available", toolCallId, toolName: "bash", input: {}, ...more }) as const;
  const ran = (toolCallId: string, more: object = {}) =>
    ({ type: "tool-output-available", toolCallId, output: "", ...more }) as const;
  await one.ask("apr_1", bash("c1", "echo hi"));
  one.done("c1");
  for (const [id, more] of [
    ["c2", {}],
    ["c3", { providerExecuted: true }],
  ] as const) {
    agent.chunk(turnId, called(id, more));
    agent.chunk(turnId, ran(id, more));
  }
  await one.decide({ ...bash("s1", "echo sub"), turnId: null });
  const flow = (chunk: object) =>
    agent.emit({ type: "background-flow-chunk", turnId, rootToolCallId: "c4", chunk } as never);
  agent.chunk(turnId, called("c4"));
  for (const chunk of [{ type: "start" }, called("s1"), ran("s1"), { type: "finish" }]) flow(chunk);
  one.done("c4");
  await one.finish();
  const by = one.reader.of("chunk").flatMap(({ chunk }) => {
    if (chunk.type !== "tool-output-available") return [];
    const { permission } = (chunk.toolMetadata?.["mooring"] ?? {}) as { permission?: { by: string } };
    return [[chunk.toolCallId, permission?.by]];
  });
  expect(by).toEqual([
    ["c1", "mode"],
    ["c2", "agent"],
    ["c3", "agent"],
    ["s1", "mode"],
    ["c4", "agent"],
  ]);
});

// --- C25: an approval outlives its turn ---------------------------------------------------------------------------------

test.each<[string, string, (one: TestAgent) => unknown]>([
  ["a stop", "stopped", (one) => world.host.stop(one.session, one.turnId)],
  [
    "a failure",
    "failed",
    (one) => one.agent.emit({ type: "error", turnId: one.turnId, code: "x", message: "y", retry: "never" }),
  ],
  ["the end of the agent", "failed", (one) => one.agent.events.end()],
])("C25: %s ends its question with the turn, for everyone", async (_, outcome, end) => {
  const one = await start();
  await one.ask("apr_1", bash("c1", "ls"));
  await one.reader.until("turn.waiting");
  await end(one);
  expect(await one.reader.until("turn.settled")).toMatchObject({ outcome });
  expect(one.reader.of("approval.closed")).toMatchObject([{ approvalId: "apr_1", how: "interrupted", answer: null }]);
  const order = one.reader.events.map(({ type }) => type);
  expect(order.indexOf("approval.closed")).toBeLessThan(order.indexOf("turn.settled"));
  expect(await open()).toEqual([]);
  expect((await world.host.list()).items).toMatchObject([{ openApprovals: 0 }]);
  await expect(world.host.answer("apr_1", { decision: "allow" })).rejects.toMatchObject({ code: "approval-ended" });
  await one.reader.stop();
});

test("C25: after a death of the host its question is over, unless it can be asked again", async () => {
  const one = await start();
  await one.ask("apr_1", bash("c1", "ls"), false);
  const two = await TestAgent.start(world);
  await two.ask("apr_2", bash("c1", "ls"), true);
  await one.reader.until("turn.waiting");
  await two.reader.until("turn.waiting");
  for (const { reader } of [one, two]) await reader.stop();
  const host = await world.restart();
  expect(await open()).toEqual(["apr_2"]);
  await expect(host.answer("apr_1", { decision: "allow" })).rejects.toMatchObject({ code: "approval-ended" });
  expect(await host.get(one.session)).toMatchObject({ turn: null });
  expect(await host.get(two.session)).toMatchObject({ state: "waiting" });
});

test("C25: a question outside a turn ends with its connection", async () => {
  const one = await start();
  await one.finish();
  const reader = new Reader(world.host, one.session);
  await one.ask("apr_1", { ...bash("c1", "ls"), turnId: null });
  await reader.until("approval.requested");
  one.agent.events.end();
  expect(await reader.until("approval.closed")).toMatchObject({ approvalId: "apr_1", how: "interrupted" });
  expect(await open()).toEqual([]);
  await reader.stop();
});

// --- C26: an approval nobody was watching -------------------------------------------------------------------------------

test("C26: a question nobody watches waits, is listed with its time, and is shown to who comes", async () => {
  const one = await start();
  const asked = world.clock.now();
  await one.ask("apr_1", bash("c1", "ls"));
  await one.reader.until("approval.requested");
  await one.reader.stop();
  await world.pass(60_000, 30);
  expect(await world.host.approvals({ open: true })).toMatchObject([{ id: "apr_1", createdAt: asked, how: null }]);
  expect((await world.host.list()).items).toMatchObject([{ openApprovals: 1, turn: "waiting" }]);
  expect((await world.host.snapshot(one.session)).approvals).toMatchObject([{ id: "apr_1" }]);
  await world.host.answer("apr_1", { decision: "allow", by: "ann" });
  expect(await one.agent.answers.next()).toMatchObject({ id: "apr_1", decision: { decision: "allow" } });
});

// --- C27: several approvals in one message ------------------------------------------------------------------------------

test("C27: three questions at once are three, answered in any order, each by itself", async () => {
  const one = await start();
  const { agent, turnId } = one;
  for (const n of [1, 2, 3]) agent.ask(turnId, `p${n}`, `c${n}`);
  await one.reader.until("approval.requested", 3);
  await world.host.answer("p3", { decision: "allow" });
  await world.host.answer("p1", { decision: "deny", reason: "no" });
  await one.reader.stop();
  expect(await open()).toEqual(["p2"]);
  expect((await world.host.snapshot(one.session)).approvals.map(({ id }) => id)).toEqual(["p2"]);
  await world.host.answer("p2", { decision: "allow" });
  const told = [];
  for (let n = 0; n < 3; n += 1) told.push(await agent.answers.next());
  expect(told.map(({ id, decision }) => [id, decision.decision])).toEqual([
    ["p3", "allow"],
    ["p1", "deny"],
    ["p2", "allow"],
  ]);
  for (const id of ["c2", "c3"]) one.done(id);
  agent.chunk(turnId, { type: "tool-output-denied", toolCallId: "c1" });
  agent.complete(turnId);
  await world.host.drainInFlight({ timeoutMs: 1_000 });
  const { messages } = await world.host.messages(one.session);
  const states = messages.at(-1)?.parts.map((part) => ("state" in part ? part.state : null));
  expect(states).toEqual(["output-denied", "output-available", "output-available"]);
});

// --- C42: an unattended run meets a question ----------------------------------------------------------------------------

async function unattended(options: TestHostOptions = {}): Promise<TestAgent> {
  world = await testHost(options);
  return TestAgent.start(world, undefined, { headless: true });
}

test("C42: by default it is denied at once, by nobody, and the run goes on to its end", async () => {
  const one = await unattended();
  await one.ask("apr_1", bash("c1", "ls"));
  expect(await one.agent.answers.next()).toMatchObject({
    id: "apr_1",
    decision: { reason: expect.stringContaining("unattended") },
  });
  expect(await world.host.approvals()).toMatchObject([
    { how: "deny", answer: { by: "unattended" }, asked: { category: "shell" } },
  ]);
  await one.finish();
  expect(one.reader.of("turn.settled")).toMatchObject([{ outcome: "completed" }]);
});

test("C42: a rule decides up front, a question to a person stays one", async () => {
  const one = await unattended({
    agent: {
      rules: [
        { effect: "allow", tool: "bash", pattern: "git *" },
        { effect: "allow", tool: "pick" },
      ],
    },
  });
  expect(await one.ask("apr_1", bash("c1", "git pull"))).toBe("allow");
  expect(await one.ask("apr_2", { toolCallId: "c2", toolName: "pick", category: "other", needsPerson: true })).toBe(
    "ask",
  );
  expect(await one.agent.answers.next()).toMatchObject({ id: "apr_2", decision: { decision: "deny" } });
  await one.finish();
});

test("C42: one that may wait is answered in time, or expires: which is no answer of a person", async () => {
  const one = await unattended({ agent: { unattended: "wait" } });
  await one.ask("apr_1", bash("c1", "ls"));
  await one.reader.until("turn.waiting");
  await world.host.answer("apr_1", { decision: "allow", by: "ann" });
  expect(await one.agent.answers.next()).toMatchObject({ id: "apr_1", decision: { decision: "allow" } });
  one.done("c1");
  await one.ask("apr_2", bash("c2", "ls"));
  await one.reader.until("turn.waiting", 2);
  world.clock.advance(86_400_000);
  expect(await one.agent.answers.next()).toMatchObject({
    id: "apr_2",
    decision: { reason: "Nobody answered in time." },
  });
  expect(await one.reader.until("approval.closed", 2)).toMatchObject({ how: "expired", answer: { by: "deadline" } });
  await expect(world.host.answer("apr_2", { decision: "deny" })).rejects.toMatchObject({ code: "approval-ended" });
  await one.finish();
});

test("C42: a person's own question has no deadline", async () => {
  const one = await start({ agent: { unattended: "wait" } });
  await one.ask("apr_1", bash("c1", "ls"));
  await one.reader.until("turn.waiting");
  world.clock.advance(10 * 86_400_000);
  await world.store.change([]);
  expect(await open()).toEqual(["apr_1"]);
});
