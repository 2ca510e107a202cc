import type { StoredMessage } from "@mooring/host/protocol";
import { expect, test } from "vitest";
import { approvalRow } from "../approvals/approval-row.ts";
import { emptyView, type SessionView } from "../session/view.ts";
import { announcementOf } from "./announcement.ts";

const answer = (status: StoredMessage["status"], text: string): StoredMessage => ({
  id: "msg_1",
  role: "assistant",
  parts: [{ type: "text", text }],
  parentId: null,
  status,
  turnId: "trn_1",
  inputId: null,
  createdAt: 1,
});
const asked = approvalRow(
  {
    type: "approval.requested",
    sessionId: "ses_1",
    approvalId: "apr_1",
    toolCallId: "c",
    toolName: "bash",
    input: { command: "ls" },
    durable: true,
  },
  1,
);
const working = { id: "trn_1", status: "open", startedAt: 1 } as const;
const failure = {
  outcome: "failed",
  error: { code: "x", message: "The model is not there." },
  usage: { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
  cost: null,
  durationMs: 1,
} as const;

test.each<readonly [string, Partial<SessionView>, string]>([
  ["nothing", {}, ""],
  ["work, not the text as it grows", { turn: working, messages: [answer("open", "so f")] }, "The agent works."],
  ["a question first", { turn: working, approvals: new Map([["apr_1", asked]]) }, "bash asks to run: ls"],
  ["the answer", { messages: [answer("completed", "so far")] }, "The agent said: so far"],
  ["a stop", { messages: [answer("stopped", "so f")] }, "The turn was stopped."],
  [
    "a failure with its reason",
    { messages: [answer("failed", "")], turns: new Map([["trn_1", failure]]) },
    "The turn failed. The model is not there.",
  ],
])("told: %s", (_, change, said) => expect(announcementOf({ ...emptyView, ...change })).toBe(said));
test("a long answer is cut", () => {
  const said = announcementOf({ ...emptyView, messages: [answer("completed", "x".repeat(5_000))] });
  expect(said.length).toBeLessThan(400);
});
