/** A stored session with something of everything, for tests of what is made of it. */
import type { Store, Write } from "../../ports/store.ts";
import type { UIMessagePart } from "../../protocol/chunks.ts";
import type { MessageRow } from "../../protocol/rows.ts";
import { approvalRow, inputRow, messageRow, sessionRow, turnRow, usageRow } from "../../stores/contract/fixtures.ts";

const at = Date.UTC(2026, 0, 2, 3, 4);
const text = (words: string): UIMessagePart => ({ type: "text", text: words, state: "done" });
const said = (id: string, parentId: string | null, over: Partial<MessageRow>): MessageRow =>
  messageRow(id, { parentId, status: "completed", createdAt: at, closedAt: at + 1, turnId: "trn_a", ...over });
const asked = (id: string, parentId: string | null, inputId: string, words: string): MessageRow =>
  said(id, parentId, { role: "user", ordinal: null, inputId, parts: [text(words)], metadata: { inputId } });

const answer: readonly UIMessagePart[] = [
  { type: "step-start" },
  {
    type: "reasoning",
    text: "First I look.\n\nThen I read.",
    state: "done",
    providerMetadata: { p: { signature: "s" } },
  },
  text("Here is what I found:\n\n```js\nconst a = 1;"),
  { type: "tool-bash", toolCallId: "call_1", state: "output-available", input: { command: "ls" }, output: "a\nb\n" },
  {
    type: "dynamic-tool",
    toolName: "web",
    toolCallId: "call_2",
    state: "output-error",
    input: { q: 1 },
    errorText: "`no`",
  },
  {
    type: "tool-write",
    toolCallId: "call_3",
    state: "output-denied",
    input: { path: "x", text: "y".repeat(600) },
    approval: { id: "apr_a", approved: false, reason: "Not there." },
  },
  { type: "source-url", sourceId: "s1", url: "https://example.org/a_b", title: "An [example]" },
  { type: "data-plan", data: { steps: [1, 2] } },
];

const messages: readonly MessageRow[] = [
  asked("msg_a", null, "inp_a", "# Look at *this*"),
  said("msg_b", "msg_a", { parts: [...answer], model: "m1", author: "agent", resumeToken: "tok", anchor: "anc" }),
  said("msg_side", "msg_a", { status: "failed", parts: [text("left behind")], turnId: "trn_b" }),
  said("msg_flow", null, { kind: "flow", label: "call_1", ordinal: 1, parts: [text("of a sub-agent")] }),
  said("msg_c", "msg_b", {
    kind: "entry",
    role: "system",
    label: "compaction",
    ordinal: null,
    turnId: null,
    parts: [text("They looked.")],
    metadata: { trigger: "auto", summary: "They looked.", covers: "msg_a", data: { kept: 1 } },
  }),
  said("msg_d", "msg_c", { kind: "entry", role: "system", label: "mark", ordinal: null, metadata: { colour: "red" } }),
  { ...asked("msg_e", "msg_d", "inp_b", "Go on <!-- now"), author: "Ann" },
  said("msg_f", "msg_e", { status: "interrupted", parts: [text("~~~\ncut")], turnId: "trn_b", ordinal: 2 }),
];

const writes = (id: string): readonly Write[] => [
  { write: "input", row: inputRow("inp_a", { state: "answered", turnId: "trn_a", messageId: "msg_a" }) },
  {
    write: "input",
    row: inputRow("inp_b", { state: "unanswered", reason: "interrupted", turnId: "trn_b", messageId: "msg_e" }),
  },
  { write: "turn", row: turnRow("trn_a", 1, { inputId: "inp_a", status: "completed", endedAt: at }) },
  {
    write: "turn",
    row: turnRow("trn_b", 2, {
      status: "interrupted",
      reason: "shutdown",
      message: "The host went down.",
      endedAt: at,
    }),
  },
  ...messages.map((row): Write => ({ write: "message", row })),
  {
    write: "approval",
    row: approvalRow("apr_a", id, {
      turnId: "trn_a",
      messageId: "msg_b",
      how: "deny",
      answer: { decision: "deny", input: null, reason: "Not there.", by: "Ann" },
      closedAt: at,
    }),
  },
  { write: "usage", row: usageRow("loop:1", id, { turnId: "trn_a", messageId: "msg_b", at }) },
];

/** `agentId`: of an agent of the host. Returns the session's id. */
export async function storeSession(store: Store, agentId: string, workspace = "/work"): Promise<string> {
  const id = "ses_stored";
  const over = { agentId, workspace, title: "Looking *around*", leaf: "msg_f", resumeToken: "tok" } as const;
  await store.create(sessionRow(id, { ...over, permissionMode: "bypassPermissions", createdAt: at }), writes(id));
  return id;
}
