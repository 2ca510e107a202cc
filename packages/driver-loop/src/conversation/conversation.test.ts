import type { HistoryEntry, Part, UIMessage } from "@mooring/host/driver";
import { expect, test } from "vitest";
import { conversationOf, conversationWaiting, storedConversation } from "./conversation.ts";

const message = (id: string, role: UIMessage["role"], ...parts: Part[]): HistoryEntry => ({
  kind: "message",
  message: { id, role, parts },
});
const text = (words: string): Part => ({ type: "text", text: words });
const call = (toolCallId: string, rest: object): Part => ({ type: "tool-bash", toolCallId, ...rest }) as Part;
const compaction = (summary: string | null, covers: string | null): HistoryEntry => ({
  kind: "compaction",
  done: { trigger: "auto", summary, covers, data: null },
});
const user = (words: string) => ({ role: "user", content: [{ type: "text", text: words }] });
const assistant = (words: string) => ({ role: "assistant", content: [{ type: "text", text: words }] });

test("a turn is asked with the branch and its own message", async () => {
  const entries = [message("m1", "user", text("a")), message("m2", "assistant", text("b"))];
  expect(await conversationOf(entries, [text("c")])).toEqual({
    messages: [user("a"), assistant("b"), user("c")],
    older: 2,
    newest: "m2",
  });
});

test("a turn without parts answers the last message again", async () => {
  const { messages } = await conversationOf([message("m1", "user", text("a"))], []);
  expect(messages).toEqual([user("a")]);
});

test("a summary stands for what it covers", async () => {
  const entries = [
    message("m1", "user", text("old")),
    message("m2", "assistant", text("older")),
    message("m3", "user", text("kept")),
    compaction("what was", "m2"),
    message("m4", "assistant", text("after")),
  ];
  const { messages, newest } = await storedConversation(entries);
  expect(messages).toEqual([
    { role: "user", content: expect.stringContaining("<summary>\nwhat was\n</summary>") },
    user("kept"),
    assistant("after"),
  ]);
  expect(newest).toBe("m4");
});

test("a host that leaves out what is covered gives the summary first", async () => {
  const entries = [
    compaction("what was", "m2"),
    message("m3", "user", text("kept")),
    message("m4", "assistant", text("b")),
  ];
  const { messages, newest } = await storedConversation(entries);
  expect(messages.slice(1)).toEqual([user("kept"), assistant("b")]);
  expect(newest).toBe("m4");
});

test("files that are not given with their bytes are named, whoever sent them", async () => {
  const file = (url: string): Part => ({ type: "file", mediaType: "image/png", filename: "a.png", url });
  const { messages } = await storedConversation([
    message("m1", "user", file("/v1/files/fil_1"), file("data:image/png;base64,AAAA")),
    message("m2", "assistant", file("fil_2"), { type: "reasoning-file", mediaType: "image/png", url: "fil_3" }),
  ]);
  expect(messages).toMatchObject([
    { content: [{ text: "[Attached file: a.png (image/png) at /v1/files/fil_1]" }, { type: "file" }] },
    { content: [{ text: "[Attached file: a.png (image/png) at fil_2]" }] },
  ]);
});

test("a summary that names no message covers all before it; one of another agent without a text is passed over", async () => {
  const all = [message("m1", "user", text("a")), compaction("s", null), message("m2", "user", text("b"))];
  expect((await storedConversation(all)).messages).toHaveLength(2);
  const none = [message("m1", "user", text("a")), compaction(null, null), message("m2", "user", text("b"))];
  expect((await storedConversation(none)).messages).toEqual([user("a"), user("b")]);
});

test("every call of an interrupted message has a result and an object as input", async () => {
  const parts = [
    { type: "step-start" } as const,
    text("half a"),
    call("c1", { state: "input-streaming", input: { comm: "x" } }),
    call("c2", { state: "input-available", input: { command: "ls" } }),
    call("c3", { state: "output-error", rawInput: '{"comm', errorText: "cut" }),
    call("c4", { state: "output-available", input: { command: "ls" }, output: "ok" }),
    call("c5", { state: "approval-requested", input: {}, approval: { id: "apr_1" } }),
    call("c6", { state: "output-denied", input: {}, approval: { id: "apr_2", approved: false, reason: "no" } }),
  ];
  const { messages } = await storedConversation([
    message("m1", "user", text("a")),
    message("m2", "assistant", ...parts),
  ]);
  type Piece = Exclude<(typeof messages)[number]["content"], string>[number];
  const calls = messages.flatMap(({ content }): Piece[] => (typeof content === "string" ? [] : [...content]));
  const made = calls.flatMap((part) => (part.type === "tool-call" ? [[part.toolCallId, typeof part.input]] : []));
  const results = calls.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []));
  expect(made).toEqual(["c2", "c3", "c4", "c5", "c6"].map((id) => [id, "object"]));
  expect(results).toEqual(["c2", "c3", "c4", "c5", "c6"]);
});

test("a waiting turn goes on with its message; a tool that is no more is denied", async () => {
  const entries = [
    message("m1", "user", text("old")),
    message("m2", "assistant", text("answer")),
    message("m3", "user", text("do it")),
    message(
      "m4",
      "assistant",
      { type: "step-start" },
      call("c1", { state: "approval-requested", input: {}, approval: { id: "apr_1" } }),
    ),
  ];
  const approvals = [
    { approvalId: "apr_1", toolCallId: "c1", toolName: "bash", input: {} },
    { approvalId: "apr_2", toolCallId: "c2", toolName: "gone", input: {} },
  ];
  const waiting = { turnId: "trn_1", approvals };
  const conversation = await conversationWaiting(entries, waiting, (name) => name === "bash");
  expect(conversation).toMatchObject({ older: 2, newest: "m2" });
  expect(conversation.messages.at(-1)).toMatchObject({
    role: "tool",
    content: [
      { type: "tool-approval-response", approvalId: "apr_1", approved: true },
      { type: "tool-approval-response", approvalId: "apr_2", approved: false },
      { type: "tool-result", toolCallId: "c2", output: { type: "execution-denied" } },
    ],
  });
});
