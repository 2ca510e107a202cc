import { access } from "node:fs/promises";
import { join } from "node:path";
import type { ToolCall } from "@mooring/host/driver";
import { scriptedModel } from "@mooring/scripted-model";
import { expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";
import { type TestHost, waitingFor } from "../testing/test-host.ts";

const ask = async () => "ask" as const;
const exists = (host: TestHost, name: string): Promise<boolean> =>
  access(join(host.workspace, name)).then(
    () => true,
    () => false,
  );
const twoCalls = `#tools ${JSON.stringify(
  ["one", "two"].map((name) => ({ name: "bash", input: { command: `echo ${name} | tee -a ${name}` } })),
)}\n#say ok`;

test("a call that was asked about runs when it is allowed", async () => {
  const host = await openHost({ decide: ask });
  await host.send("#bash echo ran | tee made\n#say ok");
  const asked = await host.next("tool-approval-request");
  expect(asked).toMatchObject({
    turnId: "trn_1",
    toolName: "bash",
    input: { command: "echo ran | tee made" },
    durable: true,
  });
  expect((await host.openMessage()).parts.at(-1)).toMatchObject({
    state: "approval-requested",
    approval: { id: asked.approvalId },
  });
  expect(await exists(host, "made")).toBe(false);
  await host.connection.answerApproval(asked.approvalId, { decision: "allow" });
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  expect(host.results).toEqual(["ran\n"]);
  expect(host.entries.at(-1)).toMatchObject({
    message: { parts: [{}, { state: "output-available", approval: { approved: true } }, {}, { text: "ok" }] },
  });
});

test("a call that was refused is not made, and the model is told in the person's words", async () => {
  const model = scriptedModel();
  const host = await openHost({ decide: ask, models: { scripted: () => model } });
  await host.send("#bash touch made\n#say ok");
  const { approvalId } = await host.next("tool-approval-request");
  await host.connection.answerApproval(approvalId, { decision: "deny", reason: "not today" });
  await host.end();
  expect(await exists(host, "made")).toBe(false);
  expect(model.requests[1]?.prompt.at(-1)).toMatchObject({ results: [{ text: "not today" }] });
  expect(host.entries.at(-1)).toMatchObject({
    message: { parts: [{}, { state: "output-denied", approval: { id: approvalId, reason: "not today" } }, {}, {}] },
  });
});

test("an edited input is what runs, what is shown, and what the model reads", async () => {
  const model = scriptedModel();
  const host = await openHost({ decide: ask, models: { scripted: () => model } });
  await host.send("#bash echo mine\n#say ok");
  const { approvalId } = await host.next("tool-approval-request");
  await host.connection.answerApproval(approvalId, { decision: "allow", input: { command: "echo yours" } });
  await host.end();
  expect(host.results).toEqual(["yours\n"]);
  expect(host.entries.at(-1)).toMatchObject({ message: { parts: [{}, { input: { command: "echo yours" } }, {}, {}] } });
  expect(JSON.stringify(model.requests[1]?.prompt)).not.toContain("echo mine\\\\");
  expect(model.requests[1]?.prompt.at(-2)).toMatchObject({ calls: [{ input: '{"command":"echo yours"}' }] });
});

test("a call that a person changed is decided again, and a denial of it stands", async () => {
  const decide = async ({ editedUnder }: ToolCall) => (editedUnder === undefined ? "ask" : { deny: "not that" });
  const host = await openHost({ decide });
  await host.send("#bash true\n#say ok");
  const { approvalId, toolCallId } = await host.next("tool-approval-request");
  await host.connection.answerApproval(approvalId, { decision: "allow", input: { command: "touch made" } });
  await host.end();
  expect(await exists(host, "made")).toBe(false);
  expect(host.calls.at(-1)).toMatchObject({ toolCallId, editedUnder: approvalId, input: { command: "touch made" } });
  expect(host.entries.at(-1)).toMatchObject({
    message: { parts: [{}, { state: "output-denied", approval: { approved: false, reason: "not that" } }, {}, {}] },
  });
});

test("a path that a person changed to one outside is refused", async () => {
  const host = await openHost({ decide: ask });
  await host.send('#tools [{"name":"write","input":{"path":"a","content":"x"}}]\n#say ok');
  const { approvalId } = await host.next("tool-approval-request");
  const input = { path: "../outside", content: "x" };
  await host.connection.answerApproval(approvalId, { decision: "allow", input });
  await host.end();
  expect(await exists(host, "../outside")).toBe(false);
  expect(host.calls).toHaveLength(1);
});

test("an edited input that the tool cannot take fails the call", async () => {
  const host = await openHost({ decide: ask });
  await host.send("#bash echo mine\n#say ok");
  const { approvalId } = await host.next("tool-approval-request");
  await host.connection.answerApproval(approvalId, { decision: "allow", input: { command: 7 } });
  await host.end();
  expect(host.results).toEqual([expect.stringContaining("error: Invalid input for bash")]);
});

test("of two calls asked about, each runs at its own answer, and the model is asked after both", async () => {
  const model = scriptedModel();
  const host = await openHost({ decide: ask, models: { scripted: () => model } });
  await host.send(twoCalls);
  const second = await host.next("tool-approval-request", 2);
  const first = await host.next("tool-approval-request");
  await host.connection.answerApproval(second.approvalId, { decision: "allow" });
  expect(await host.chunk("tool-output-available")).toMatchObject({ toolCallId: second.toolCallId, output: "two\n" });
  expect(model.requests).toHaveLength(1);
  await host.connection.answerApproval(first.approvalId, { decision: "deny", reason: "no" });
  await host.end();
  expect(model.requests).toHaveLength(2);
  expect(await exists(host, "one")).toBe(false);
});

test("questions come in the order of the calls, however long a decision takes", async () => {
  const slow = Promise.withResolvers<"ask">();
  const isFirst = ({ input }: ToolCall): boolean => JSON.stringify(input).includes("one");
  const decide = (call: ToolCall): Promise<"ask"> => {
    if (isFirst(call)) return slow.promise;
    setImmediate(() => slow.resolve("ask"));
    return ask();
  };
  const host = await openHost({ decide });
  await host.send(twoCalls);
  const second = await host.next("tool-approval-request", 2);
  const first = await host.next("tool-approval-request");
  expect([first, second]).toMatchObject([{ toolCallId: "call_1_1" }, { toolCallId: "call_1_2" }]);
  for (const { approvalId } of [first, second])
    await host.connection.answerApproval(approvalId, { decision: "deny", reason: "no" });
  await host.end();
});

test("a question is answered once", async () => {
  const host = await openHost({ decide: ask });
  await host.send("#bash true\n#say ok");
  const { approvalId } = await host.next("tool-approval-request");
  await host.connection.answerApproval(approvalId, { decision: "allow" });
  const again = host.connection.answerApproval(approvalId, { decision: "allow" });
  await expect(again).rejects.toMatchObject({ code: "approval-unknown" });
  await host.end();
});

/** A host whose turn waits, closed; with what a next one needs. */
async function waitingHost(prompt: string, count: number) {
  const host = await openHost({ decide: ask });
  await host.send(prompt);
  await host.next("tool-approval-request", count);
  await host.keepOpen();
  expect(await host.connection.close("waiting")).toEqual({ returned: [] });
  expect(host.all("approval-withdrawn")).toEqual([]);
  return { after: host, waiting: waitingFor(host) };
}

test("a turn that waited goes on after a reconnect: the call runs once, then the model is asked", async () => {
  const earlier = await waitingHost("#bash echo ran | tee -a made\n#say ok", 1);
  const model = scriptedModel();
  const host = await openHost({ ...earlier, decide: ask, models: { scripted: () => model } });
  const asked = await host.next("tool-approval-request");
  expect(asked).toMatchObject({ ...earlier.waiting.approvals[0], turnId: "trn_1", durable: true });
  expect(model.requests).toHaveLength(0);
  await host.connection.answerApproval(asked.approvalId, { decision: "allow" });
  expect(await host.end()).toMatchObject({ type: "turn-complete", outcome: "completed" });
  expect(host.results).toEqual(["ran\n"]);
  expect(host.said).toBe("ok");
  expect(host.calls).toEqual([]);
  expect(model.requests).toHaveLength(1);
});

test("after a reconnect the answers may come at once, in any order, with an edit or a denial", async () => {
  const earlier = await waitingHost(twoCalls, 2);
  const model = scriptedModel();
  const host = await openHost({ ...earlier, decide: ask, models: { scripted: () => model } });
  const [one, two] = earlier.waiting.approvals;
  await host.connection.answerApproval(two?.approvalId ?? "", { decision: "deny", reason: "enough" });
  await host.connection.answerApproval(one?.approvalId ?? "", { decision: "allow", input: { command: "echo edited" } });
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  expect(host.results).toEqual(["edited\n"]);
  expect(model.requests[0]?.prompt.at(-2)).toMatchObject({ calls: [{ input: '{"command":"echo edited"}' }, {}] });
  expect(model.requests[0]?.prompt.at(-1)).toMatchObject({
    results: expect.arrayContaining([
      expect.objectContaining({ text: "edited\n" }),
      expect.objectContaining({ text: "enough" }),
    ]),
  });
  expect(host.chunks.filter(({ type }) => type === "tool-output-denied")).toHaveLength(1);
});

test("a turn that waited can be stopped after a reconnect", async () => {
  const earlier = await waitingHost("#bash touch made\n#say ok", 1);
  const host = await openHost({ ...earlier, decide: ask });
  await host.next("tool-approval-request");
  await host.connection.abortTurn("trn_1");
  expect(await host.end()).toMatchObject({ type: "turn-complete", outcome: "stopped" });
  expect(host.all("approval-withdrawn")).toHaveLength(1);
  expect(host.results).toEqual(["error: Stopped before it was done."]);
  expect(await exists(host, "made")).toBe(false);
});

test("a waiting call whose tool was disabled meanwhile is not run", async () => {
  const earlier = await waitingHost("#bash touch made\n#say ok", 1);
  const host = await openHost({ ...earlier, decide: ask, disabledTools: ["bash"] });
  const { approvalId } = await host.next("tool-approval-request");
  await host.connection.answerApproval(approvalId, { decision: "allow" });
  await host.end();
  expect(host.results).toEqual(["error: The tool bash is disabled in this session."]);
});

test("what a request used is said while its question waits, and once", async () => {
  const host = await openHost({ decide: ask });
  await host.send("#usage 500 5\n#bash true\n#say ok");
  const { approvalId } = await host.next("tool-approval-request");
  expect(await host.next("usage")).toMatchObject({ turnId: "trn_1", usage: { tokens: { input: 500, output: 5 } } });
  await host.connection.answerApproval(approvalId, { decision: "allow" });
  await host.end();
  expect(host.all("usage")).toHaveLength(2);
});
