import { expect, test } from "vitest";
import type { ToolCall } from "../../ports/driver.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { Answer } from "../../protocol/input.ts";
import { CallRecords } from "./call-records.ts";
import type { Judgement } from "./judge-call.ts";
import type { Verdict } from "./verdict.ts";

const call = (toolCallId: string, turnId: string | null = "trn_1"): ToolCall => ({
  toolCallId,
  toolName: "bash",
  input: { command: "ls" },
  category: "shell",
  paths: [],
  turnId,
});
const judged = (verdict: Verdict): Judgement => ({
  verdict,
  call: { toolName: "bash", category: "shell", input: { command: "ls" }, paths: [], needsPerson: false },
  place: { workspace: "/w", home: "/d/h", dataDir: "/d", userHome: "/u" },
});
const asks: Verdict = { effect: "ask", by: "mode", because: "The mode asks." };
const answer = (over: Partial<Answer> = {}): Answer => ({
  decision: "allow",
  input: null,
  reason: null,
  by: "me",
  ...over,
});
const chunk = (one: UIMessageChunk): AgentEvent => ({ type: "chunk", connection: 1, generation: "t1", chunk: one });
const output = (toolCallId: string, more: object = {}): AgentEvent =>
  chunk({ type: "tool-output-available", toolCallId, output: "x", ...more });
const asking = (approval: string, toolCallId: string): AgentEvent => ({
  type: "approval-request",
  connection: 1,
  generation: "t1",
  request: { approval, toolCallId, toolName: "bash", input: {}, durable: true },
});
const permissionOf = (event: AgentEvent): unknown =>
  event.type === "chunk" && "toolMetadata" in event.chunk ? event.chunk.toolMetadata : undefined;

test("a result carries the decision about its call, once it is final", () => {
  const records = new CallRecords();
  records.decided(call("c1"), judged({ effect: "allow", by: "rule", because: "Allowed.", rules: ["rul_1"] }));
  expect(permissionOf(records.stamped(output("c1", { preliminary: true })))).toBeUndefined();
  expect(permissionOf(records.stamped(output("c1")))).toEqual({
    mooring: { permission: { effect: "allow", by: "rule", because: "Allowed.", rules: ["rul_1"] } },
  });
});
test("also a failed one, and one of a sub-agent", () => {
  const records = new CallRecords();
  records.decided(call("c1"), judged({ effect: "deny", by: "mode", because: "No." }));
  const failed = records.stamped({
    type: "flow-chunk",
    connection: 1,
    root: "c0",
    chunk: { type: "tool-output-error", toolCallId: "c1", errorText: "No." },
  });
  expect(failed).toMatchObject({
    chunk: { toolMetadata: { mooring: { permission: { effect: "deny", by: "mode" } } } },
  });
});
test("what nobody asked about is said to be so", () => {
  const records = new CallRecords();
  expect(permissionOf(records.stamped(output("c9")))).toMatchObject({ mooring: { permission: { by: "agent" } } });
  expect(permissionOf(records.stamped(output("c9", { providerExecuted: true })))).toMatchObject({
    mooring: { permission: { because: expect.stringContaining("provider") } },
  });
});
test("metadata of the tool stays", () => {
  const records = new CallRecords();
  records.stamped(
    chunk({ type: "tool-input-available", toolCallId: "c1", toolName: "x", input: {}, toolMetadata: { a: 1 } }),
  );
  expect(permissionOf(records.stamped(output("c1", { toolMetadata: { b: 2 } })))).toMatchObject({
    a: 1,
    b: 2,
    mooring: {},
  });
});
test("everything else passes as it is", () => {
  const records = new CallRecords();
  const text = chunk({ type: "text-delta", id: "p", delta: "x" });
  expect(records.stamped(text)).toBe(text);
});

test("a question says why it is asked, and which rule would end it", () => {
  const records = new CallRecords();
  expect(records.asked("c1")).toBeNull();
  records.decided(call("c1"), judged(asks));
  expect(records.asked("c1")).toEqual({
    because: "The mode asks.",
    category: "shell",
    paths: [],
    rule: { tool: "bash", pattern: "ls" },
  });
  records.decided(call("c2"), judged({ effect: "allow", by: "mode", because: "Allowed." }));
  expect(records.asked("c2")?.because).toBe("The agent asks by itself. (The host: Allowed.)");
});
test("what a person decided stands on the result, also when only the question is known", () => {
  const records = new CallRecords();
  records.stamped(asking("apr_1", "c1"));
  records.released("apr_1", answer({ by: "ann" }));
  expect(permissionOf(records.stamped(output("c1")))).toEqual({
    mooring: { permission: { effect: "allow", by: "person", because: "Allowed by ann." } },
  });
});
test("an edit counts for its own call and its own question only", () => {
  const records = new CallRecords();
  for (const [id, of] of [
    ["apr_1", "c1"],
    ["apr_2", "c2"],
    ["apr_3", "c3"],
  ] as const)
    records.stamped(asking(id, of));
  records.released("apr_1", answer({ input: { command: "pwd" } }));
  records.released("apr_2", answer());
  records.released("apr_3", answer({ decision: "deny", input: {} }));
  const edited = (toolCallId: string, editedUnder?: string) =>
    records.editedBy({ toolCallId, ...(editedUnder === undefined ? {} : { editedUnder }) });
  expect([
    edited("c1", "apr_1"),
    edited("c2", "apr_1"),
    edited("c2", "apr_2"),
    edited("c3", "apr_3"),
    edited("c1"),
  ]).toEqual(["me", null, null, null, null]);
});
test("a call id that comes again in another turn starts from nothing", () => {
  const records = new CallRecords();
  records.decided(call("c1"), judged(asks));
  records.turnOver("trn_1");
  expect(records.asked("c1")).toBeNull();
});
test("memory is bounded", () => {
  const records = new CallRecords();
  for (let n = 0; n < 1_500; n += 1) records.decided(call(`c${n}`), judged(asks));
  expect([records.asked("c0"), records.asked("c499"), records.asked("c500")?.category]).toEqual([null, null, "shell"]);
});
