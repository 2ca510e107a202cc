import { expect } from "vitest";
import { oneProcess, realTest as test } from "./real-test.ts";

const at = oneProcess();

test("a background command keeps the process, not the reply; the agent's own turn tells its end", async () => {
  const { desk, link } = at;
  const behind = desk.pipe("behind");
  const call = { command: "cat behind", description: "waits", run_in_background: true };
  const { turnId } = await link.send(`#tool Bash ${JSON.stringify(call)}\n#say started it`);
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(link.all("background-work-state")).toEqual([
    { type: "background-work-state", active: true, awaitingReply: false },
  ]);
  await behind.write();
  const own = await link.next("autonomous-turn-state");
  expect(own).toMatchObject({ state: "started", origin: "background-work" });
  expect(own.turnId).not.toBe(turnId);
  expect(await link.end(own.turnId)).toMatchObject({ outcome: "completed", answered: [] });
  expect(link.said(own.turnId)).toBe("done");
  expect(link.all("background-work-state").at(-1)).toMatchObject({ active: false });
  const task = link.all("background-task-event").at(-1);
  expect(task?.data).toMatchObject({ subtype: "task_notification", status: "completed" });
});

test("a sub-agent in the background owes the reply until the agent spoke again", async () => {
  const { desk, link } = at;
  const from = link.events.length;
  const task = {
    description: "d",
    prompt: "#bash cat below\n#say marker-sub",
    subagent_type: "general-purpose",
    run_in_background: true,
  };
  const below = desk.pipe("below");
  const { turnId } = await link.send(`#tool Agent ${JSON.stringify(task)}\n#say launched`);
  await link.end(turnId);
  await below.write();
  const own = await link.next("autonomous-turn-state", from);
  await link.end(own.turnId);
  await link.find(
    (event): event is Extract<typeof event, { type: "background-work-state" }> =>
      event.type === "background-work-state" && !event.active,
    from,
  );
  const order = link.events.slice(from).filter(({ type }) => /^(background-work-state|turn-complete)$/.test(type));
  expect(order).toMatchObject([
    { active: true, awaitingReply: true },
    { turnId },
    { turnId: own.turnId },
    { active: false, awaitingReply: false },
  ]);
  const flow = link.all("background-flow-chunk").map(({ chunk }) => chunk);
  expect(flow.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : ""))).toContain("marker-sub");
  expect(flow.at(-1)).toEqual({ type: "finish" });
});

test("a sub-agent in the turn speaks under the call that began it, and its calls are decided too", async () => {
  const { desk, link } = at;
  const from = link.events.length;
  const prompt = "#bash echo of-sub > of-sub.txt\n#say sub is done";
  const task = { description: "d", prompt, subagent_type: "general-purpose", run_in_background: false };
  const { turnId } = await link.send(`#tool Agent ${JSON.stringify(task)}\n#say after the sub-agent`);
  await link.end(turnId);
  const flow = link.events.slice(from).flatMap((event) => (event.type === "background-flow-chunk" ? [event] : []));
  const root = desk.calls.find(
    ({ toolName, input }) => toolName === "Agent" && JSON.stringify(input).includes("of-sub"),
  );
  expect(new Set(flow.map(({ rootToolCallId }) => rootToolCallId))).toEqual(new Set([root?.toolCallId]));
  expect(flow.map(({ chunk }) => chunk.type)).toEqual([
    "start-step",
    "tool-input-available",
    "tool-output-available",
    "finish-step",
    "start-step",
    "text-start",
    "text-delta",
    "text-end",
    "finish-step",
    "finish",
  ]);
  expect(desk.calls.at(-1)).toMatchObject({ toolName: "Bash", turnId });
  expect(link.said(turnId)).toBe("after the sub-agent");
});

test("a compaction that is asked for is told once, with its summary, and the conversation goes on", async () => {
  const { link } = at;
  const from = link.events.length;
  await link.connection.compact?.("keep the numbers");
  await link.next("compaction-complete", from);
  const told = link.events.slice(from).filter(({ type }) => type.startsWith("compaction"));
  expect(told).toMatchObject([
    { type: "compaction-start", trigger: "manual" },
    { type: "compaction-complete", done: { trigger: "manual", summary: expect.any(String), covers: null } },
  ]);
  expect(link.events.slice(from).filter(({ type }) => type === "autonomous-turn-state")).toEqual([]);
  expect(await link.turn("#say on we go")).toMatchObject({ outcome: "completed" });
  const usage = await link.connection.getContextUsage?.();
  expect(usage?.used).toBeGreaterThan(0);
  expect(usage?.used).toBeLessThan(usage?.window ?? 0);
});
