import type { DeliveredEvent } from "@mooring/host";
import { expect, test } from "vitest";
import { approvalRow, chunk, delivered, inputRow, snapshot, turnRow, usage } from "../testing/events.ts";
import { colourLook, plainLook } from "../text/look.ts";
import { plainText } from "../text/plain-text.ts";
import { render } from "./render.ts";
import { startView, type View } from "./view.ts";

const settings = { sessionId: "ses_1", look: plainLook, command: "mooring" };
function shown(events: readonly DeliveredEvent[], from: View = startView(settings, snapshot())): string {
  let view = from;
  let all = "";
  for (const event of events) {
    const [next, text] = render(view, event);
    view = next;
    all += text;
  }
  return all;
}
const text = (delta: string) => chunk({ type: "text-delta", id: "1", delta });
const think = (delta: string) => chunk({ type: "reasoning-delta", id: "1", delta });
const textEnd = chunk({ type: "text-end", id: "1" });
const call = (toolCallId: string, toolName: string, input: unknown, at = 0) => [
  chunk({ type: "tool-input-start", toolCallId, toolName }, at),
  chunk({ type: "tool-input-available", toolCallId, toolName, input }, at),
];
const result = (toolCallId: string, output: unknown, at = 0) =>
  chunk({ type: "tool-output-available", toolCallId, output }, at);
const turn = (turnId: string, inputId: string) => delivered({ type: "turn.started", turnId, origin: "user", inputId });
const accepted = (inputId: string, words: string) =>
  delivered({ type: "input.accepted", inputId, parts: [{ type: "text", text: words }], author: null });

test("text is written as it comes and its line is closed", () => {
  expect(shown([text("Hel"), text("lo\nwor"), text("ld"), textEnd])).toBe("Hello\nworld\n");
  expect(shown([text("ends itself\n"), textEnd, text("next"), textEnd])).toBe("ends itself\nnext\n");
});

test("reasoning stands behind a gutter, line by line, however it is cut", () => {
  expect(shown([think("first li"), think("ne\nsecond"), think("\n"), think("third"), text("So:"), textEnd])).toBe(
    "│ first line\n│ second\n│ third\nSo:\n",
  );
});

test("a call and its result are one line", () => {
  expect(shown([...call("1", "read", { path: "README.md" }), result("1", "a\nb\nc\n")])).toBe(
    "● read README.md  3 lines, 6 B\n",
  );
});

test("the result of a call that is not on the open line names it", () => {
  const events = [
    ...call("1", "read", { path: "a" }),
    ...call("2", "read", { path: "b" }),
    result("1", "A"),
    result("2", "B"),
  ];
  expect(shown(events)).toBe("● read a\n● read b\n  └ read a  A\n  └ read b  B\n");
});

test("a slow call says how long it took, without the time a person thought about it", () => {
  const asked = chunk({ type: "tool-approval-request", approvalId: "apr_1", toolCallId: "1" }, 100);
  const allowed = chunk({ type: "tool-approval-response", approvalId: "apr_1", approved: true }, 60_000);
  const events = [...call("1", "bash", { command: "make" }), asked, allowed, result("1", "ok", 62_500)];
  expect(shown(events)).toBe("● bash make  ok · 2.5 s\n");
});

test("errors and denials say why, in red", () => {
  const failed = chunk({ type: "tool-output-error", toolCallId: "1", errorText: "no such\nfile" });
  const events = [...call("1", "read", { path: "x" }), failed];
  expect(shown(events)).toBe("● read x  ✗ no such file\n");
  expect(shown(events, startView({ ...settings, look: colourLook }, snapshot()))).toContain("\u001b[31m✗ no such file");
  const denied = [
    ...call("2", "bash", { command: "rm" }),
    chunk({ type: "tool-approval-request", approvalId: "apr_1", toolCallId: "2" }),
    chunk({ type: "tool-approval-response", approvalId: "apr_1", approved: false, reason: "not that" }),
    chunk({ type: "tool-output-denied", toolCallId: "2" }),
  ];
  expect(shown(denied)).toBe("● bash rm  ✗ denied: not that\n");
});

test("steers, held and cancelled inputs say what became of them and what to do", () => {
  const changed = (state: "taken" | "queued" | "held" | "cancelled") =>
    delivered({ type: "input.changed", inputId: "inp_2", state, ...(state === "held" ? { reason: "stopped" } : {}) });
  const steer = accepted("inp_2", "use\nspaces");
  expect(shown([steer, text("half"), changed("taken")])).toBe("half\n↳ steer taken: use spaces\n");
  expect(shown([steer, changed("queued")])).toBe("↳ next in the queue: use spaces\n");
  expect(shown([steer, changed("held")])).toBe("‖ held (stopped): use spaces\n  mooring queue release ses_1 inp_2\n");
  expect(shown([steer, changed("cancelled")])).toBe("↳ cancelled: use spaces\n");
});

test("an edited input is shown as edited", () => {
  const edited = delivered({ type: "input.changed", inputId: "inp_2", parts: [{ type: "text", text: "new" }] });
  const taken = delivered({ type: "input.changed", inputId: "inp_2", state: "taken" });
  expect(shown([accepted("inp_2", "old"), edited, taken])).toBe("↳ steer taken: new\n");
});

test("a later turn of the run begins with its input", () => {
  const settled = delivered({ type: "turn.settled", turnId: "trn_1", outcome: "completed", usage, durationMs: 2_340 });
  const events = [
    accepted("inp_1", "first"),
    turn("trn_1", "inp_1"),
    accepted("inp_2", "second"),
    settled,
    turn("trn_2", "inp_2"),
  ];
  expect(shown(events)).toBe("✓ completed in 2.3 s · 1,200 tokens in, 34 out\n\n» second\n");
});

test.each([
  ["failed", "✗ failed after 2.3 s: no key (auth) · 1,200 tokens in, 34 out\n"],
  ["stopped", "■ stopped after 2.3 s · 1,200 tokens in, 34 out\n"],
  ["interrupted", "■ interrupted after 2.3 s: no key (auth) · 1,200 tokens in, 34 out\n"],
] as const)("a turn that %s", (outcome, line) => {
  const error = outcome === "stopped" ? {} : { error: { code: "auth", message: "no key" } };
  expect(shown([delivered({ type: "turn.settled", turnId: "t", outcome, usage, durationMs: 2_340, ...error })])).toBe(
    line,
  );
});

test("what happens beside the conversation has a line of its own", () => {
  const retry = { attempt: 1, maxAttempts: 3, delayMs: 2_000, status: 529, message: "overloaded" } as const;
  const events = [
    text("half"),
    delivered({ type: "retry", ...retry }),
    delivered({ type: "notice", level: "warning", code: "x", text: "the disk is nearly full" }),
    delivered({ type: "compaction", state: "started", detail: "" }),
    delivered({ type: "compaction", state: "completed", detail: "" }),
    delivered({ type: "session.changed", change: { permissionMode: "plan", model: "m2" } }),
    delivered({ type: "session.changed", change: { title: "not said" } }),
    delivered({ type: "approval.closed", approvalId: "a", how: "withdrawn", answer: null }),
  ];
  expect(shown(events)).toBe(
    "half\n" +
      "  the model's request failed (529 overloaded): attempt 1 of 3, again in 2.0 s\n" +
      "! the disk is nearly full\n" +
      "  compacting the history …\n" +
      "  the history is compacted\n" +
      "  the model is now m2; the permission mode is now plan\n" +
      "  the question is over: nothing can be decided any more\n",
  );
});

test("of a sub-agent only its calls are shown", () => {
  const flow = delivered({
    type: "message.opened",
    messageId: "msg_2",
    role: "assistant",
    parentId: null,
    flow: { toolCallId: "1" },
  });
  const said = chunk({ type: "text-delta", id: "1", delta: "long report" }, 0, "msg_2");
  const used = chunk(
    { type: "tool-input-available", toolCallId: "9", toolName: "read", input: { path: "x" } },
    0,
    "msg_2",
  );
  expect(shown([flow, said, used, result("9", "X")])).toBe("● read x  X\n");
});

test("a view that begins in the middle knows the calls and inputs that were there", () => {
  const open = {
    id: "msg_1",
    role: "assistant" as const,
    parts: [
      {
        type: "dynamic-tool" as const,
        toolName: "bash",
        toolCallId: "1",
        state: "input-available" as const,
        input: { command: "ls" },
      },
    ],
    parentId: null,
    status: "open" as const,
    turnId: "trn_1",
    inputId: null,
    createdAt: 0,
  };
  const begun = snapshot({
    turn: turnRow(),
    open: [open],
    approvals: [approvalRow({ toolCallId: "1" })],
    inputs: [inputRow()],
  });
  const held = delivered({ type: "input.changed", inputId: "inp_1", state: "held", reason: "failed" });
  expect(shown([result("1", "done"), held], startView(settings, begun))).toBe(
    "  └ bash ls  done\n‖ held (failed): do it\n  mooring queue release ses_1 inp_1\n",
  );
});

test("no stored text can write a control character, wherever it comes from", () => {
  const evil = "\u001b[2J\u009b1A\r\u0007\u202e";
  const events = [
    accepted("inp_1", evil),
    turn("trn_0", "inp_1"),
    turn("trn_1", "inp_1"),
    text(`a${evil}`),
    think(`b${evil}`),
    ...call("1", `n${evil}`, { path: evil }),
    result("1", `r${evil}`),
    ...call("2", "x", { [evil]: 1 }),
    chunk({ type: "tool-output-error", toolCallId: "2", errorText: evil }),
    chunk({ type: "tool-approval-request", approvalId: "a", toolCallId: "3" }),
    chunk({ type: "tool-input-error", toolCallId: "3", toolName: evil, input: {}, errorText: evil }),
    chunk({ type: "error", errorText: evil }),
    chunk({ type: "source-url", sourceId: "s", url: evil, title: evil }),
    chunk({ type: "file", url: "u", mediaType: evil }),
    delivered({ type: "retry", attempt: 1, maxAttempts: 2, delayMs: 1, status: null, message: evil }),
    delivered({ type: "notice", level: "info", code: "c", text: evil }),
    delivered({ type: "compaction", state: "failed", detail: evil }),
    delivered({ type: "session.changed", change: { model: evil } }),
    delivered({
      type: "approval.closed",
      approvalId: "a",
      how: "allow",
      answer: { decision: "allow", input: null, reason: null, by: evil },
    }),
    delivered({ type: "input.changed", inputId: "inp_1", state: "held", reason: "failed" }),
    delivered({
      type: "turn.settled",
      turnId: "trn_1",
      outcome: "failed",
      error: { code: evil, message: evil },
      usage,
      durationMs: 1,
    }),
  ];
  const all = shown(events);
  expect(all.split("\n").length).toBeGreaterThan(15);
  expect(all).toBe(plainText(all));
});
