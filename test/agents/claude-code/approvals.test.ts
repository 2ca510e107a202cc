import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type Desk, waitingOf } from "./desk.ts";
import { oneProcess, realTest as test } from "./real-test.ts";

const at = oneProcess({
  decide: async ({ toolName, input }) => {
    if (JSON.stringify(input).includes("forbidden")) return { deny: "never that" };
    if (toolName === "Read") throw new TypeError("the policy is broken");
    return "ask";
  },
});
const exists = (desk: Desk, name: string): boolean => existsSync(join(desk.workspace, name));

test("a call that is alone waits without a process; allowed, it runs once in its turn", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#bash echo run >> once.txt\n#say after it");
  const asked = await link.next("tool-approval-request");
  expect(asked).toMatchObject({ turnId, toolName: "Bash", durable: true });
  await desk.atRest();
  expect(exists(desk, "once.txt")).toBe(false);
  await link.connection.answerApproval(asked.approvalId, { decision: "allow" });
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(await readFile(join(desk.workspace, "once.txt"), "utf8")).toBe("run\n");
  expect(link.said(turnId)).toContain("after it");
  expect(link.chunks(turnId).map(({ type }) => type)).toContain("tool-approval-response");
  await expect(link.connection.answerApproval(asked.approvalId, { decision: "allow" })).rejects.toMatchObject({
    code: "approval-unknown",
  });
});

test("answered at once, before the process has left, and with another input", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#bash touch as-asked\n#say ok");
  const { approvalId } = await link.next("tool-approval-request", link.events.length);
  const input = { command: "touch as-edited", description: "edited" };
  await link.connection.answerApproval(approvalId, { decision: "allow", input });
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect([exists(desk, "as-asked"), exists(desk, "as-edited")]).toEqual([false, true]);
  expect(desk.calls.at(-1)).toMatchObject({ input, editedUnder: approvalId });
});

test("what the policy denies is denied, also when a person put it in place of what was asked", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#bash touch as-asked\n#say ok");
  const { approvalId } = await link.next("tool-approval-request", link.events.length);
  const input = { command: "touch forbidden", description: "edited" };
  await link.connection.answerApproval(approvalId, { decision: "allow", input });
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect([exists(desk, "as-asked"), exists(desk, "forbidden")]).toEqual([false, false]);
  expect(desk.lastRequest).toContain("never that");
});

test("a denied call does not run, and the agent goes on with the refusal", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#bash touch denied\n#say went on");
  const { approvalId } = await link.next("tool-approval-request", link.events.length);
  await link.connection.answerApproval(approvalId, { decision: "deny", reason: "marker-no" });
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(exists(desk, "denied")).toBe(false);
  expect(link.chunks(turnId).map(({ type }) => type)).toContain("tool-output-denied");
  expect(desk.lastRequest).toContain("marker-no");
});

test("two calls of one answer are asked about one after the other, and wait in the process", async () => {
  const { desk, link } = at;
  const call = (name: string) => ({ name: "Bash", input: { command: `touch ${name}`, description: "d" } });
  const from = link.events.length;
  const { turnId } = await link.send(`#tools ${JSON.stringify([call("both-a"), call("both-b")])}\n#say both`);
  const first = await link.next("tool-approval-request", from);
  expect(first).toMatchObject({ turnId, durable: false });
  await link.connection.answerApproval(first.approvalId, { decision: "allow" });
  const second = await link.next("tool-approval-request", link.events.indexOf(first) + 1);
  await link.connection.answerApproval(second.approvalId, { decision: "deny", reason: "not both" });
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect([exists(desk, "both-a"), exists(desk, "both-b")]).toEqual([true, false]);
});

test("the agent's own question is answered with a choice", async () => {
  const { desk, link } = at;
  const options = ["A", "B"].map((label) => ({ label, description: label }));
  const input = { questions: [{ question: "Which one?", header: "h", multiSelect: false, options }] };
  const { turnId } = await link.send(`#tool AskUserQuestion ${JSON.stringify(input)}\n#say chosen`);
  const asked = await link.next("tool-approval-request", link.events.length);
  expect(asked).toMatchObject({ toolName: "AskUserQuestion", durable: true });
  expect(desk.calls.at(-1)).toMatchObject({ toolName: "AskUserQuestion", needsPerson: true });
  const answered = { ...input, answers: { "Which one?": "B" } };
  await link.connection.answerApproval(asked.approvalId, { decision: "allow", input: answered });
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(desk.lastRequest).toMatch(/Which one\?.{0,20}B/);
});

test("a policy that fails is a denial", async () => {
  const { link } = at;
  const { turnId } = await link.send("#read nothing.txt\n#say read it");
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(link.chunks(turnId).find(({ type }) => type === "tool-approval-response")).toMatchObject({
    approved: false,
    reason: "the policy is broken",
  });
});

test.each([{ decision: "allow" } as const, { decision: "deny", reason: "no" } as const])(
  "a question survives the death of the process and of the connection: $decision",
  async (decision) => {
    const { desk } = at;
    const file = `survives-${decision.decision}`;
    const before = await desk.connect({ decide: async () => "ask" });
    const { turnId } = await before.send(`#bash echo run >> ${file}\n#say after the death`);
    const asked = await before.next("tool-approval-request");
    await before.connection.close("waiting");
    const after = await desk.connect({
      decide: async () => "ask",
      resumeToken: before.token,
      waiting: waitingOf(turnId, [asked]),
    });
    expect(await after.next("tool-approval-request")).toEqual(asked);
    await after.connection.answerApproval(asked.approvalId, decision);
    expect(await after.end(turnId)).toMatchObject({ outcome: "completed" });
    expect(after.said(turnId)).toContain("after the death");
    const ran = exists(desk, file) ? await readFile(join(desk.workspace, file), "utf8") : "";
    expect(ran).toBe(decision.decision === "allow" ? "run\n" : "");
    await after.connection.close("idle");
  },
);
