import { expect, test } from "vitest";
import type { InputState, Part } from "../../protocol/input.ts";
import { inputRow } from "../../stores/contract/fixtures.ts";
import type { ChatPost } from "./chat-post.ts";
import { type Facts, type Known, meaningOf } from "./meaning.ts";
import { hashOf } from "./parts-hash.ts";

const parts = (text: string): readonly Part[] => [{ type: "text", text }];
const saying = (text: string, over: Partial<ChatPost> = {}): ChatPost => ({
  chatId: "c",
  trigger: "submit-message",
  messageId: null,
  message: { role: "user", id: "u1", parts: parts(text), hash: hashOf(parts(text)) },
  ...over,
});
const again = (text: string, messageId: string | null = null): ChatPost =>
  saying(text, { trigger: "regenerate-message", messageId });
/** `text`: as the client sent it. `stored`: its message's, once it has one. */
const known = (state: InputState | null, text: string, stored: string | null = text): Known => {
  const row = inputRow("u1", { state: state ?? "answered", messageId: stored === null ? null : "m1" });
  const input = { ...row.input, parts: [...parts(text)], client: { id: "u1", hash: hashOf(parts(text)) } };
  return {
    input: state === null ? null : { ...row, input },
    message: stored === null ? null : { id: "m1", parts: [...parts(stored)] },
  };
};
const facts = (said: Known | null, named: Known | null = null): Facts => ({ said, named });
const made = expect.stringMatching(/^inp_[0-9a-f]{32}$/);

test.each<readonly [string, ChatPost, Facts, unknown]>([
  ["a new message", saying("hi"), facts(null), { do: "submit", inputId: "u1" }],
  ["a new message, tried again", again("hi"), facts(null), { do: "submit", inputId: "u1" }],
  [
    "one that claims to be an edit of what nobody knows",
    saying("hi", { messageId: "u1" }),
    facts(null),
    { do: "submit", inputId: "u1" },
  ],
  ["a repeat while it waits", saying("hi"), facts(known("queued", "hi", null)), { do: "follow", inputId: "u1" }],
  ["a repeat while it is answered", saying("hi"), facts(known("started", "hi")), { do: "follow", inputId: "u1" }],
  ["a repeat when it was answered", saying("hi"), facts(known("answered", "hi")), { do: "follow", inputId: "u1" }],
  [
    "a repeat of an edit",
    saying("hi", { messageId: "u1" }),
    facts(known("answered", "hi")),
    { do: "follow", inputId: "u1" },
  ],
  [
    "a repeat when it was not answered",
    saying("hi"),
    facts(known("unanswered", "hi")),
    { do: "again", inputId: made, at: "m1" },
  ],
  [
    "a repeat when it was withdrawn",
    saying("hi"),
    facts(known("cancelled", "hi", null)),
    { do: "follow", inputId: "u1" },
  ],
  [
    "a repeat of what was stored without an input",
    saying("hi"),
    facts(known(null, "hi")),
    { do: "again", inputId: made, at: "m1" },
  ],
  [
    "a repeat as it is stored, not as it was sent",
    saying("stored"),
    facts(known("answered", "hi", "stored")),
    { do: "follow", inputId: "u1" },
  ],
  ["another body", saying("other"), facts(known("answered", "hi")), { do: "refuse", why: "conflict" }],
  [
    "another body that names another message",
    saying("other", { messageId: "x" }),
    facts(known("answered", "hi")),
    { do: "refuse", why: "conflict" },
  ],
  [
    "an edit",
    saying("other", { messageId: "u1" }),
    facts(known("answered", "hi")),
    { do: "replace", inputId: made, before: "m1" },
  ],
  [
    "an edit of what waits",
    saying("other", { messageId: "u1" }),
    facts(known("held", "hi", null)),
    { do: "reword", inputId: "u1" },
  ],
  [
    "an edit of what was withdrawn",
    saying("other", { messageId: "u1" }),
    facts(known("cancelled", "hi", null)),
    { do: "submit", inputId: made },
  ],
  [
    "an edit under a new id",
    saying("new", { messageId: "u0" }),
    facts(null, known("answered", "hi")),
    { do: "replace", inputId: "u1", before: "m1" },
  ],
  [
    "an answer made again",
    again("hi", "a1"),
    facts(known("answered", "hi"), known("answered", "hi")),
    { do: "again", inputId: made, at: "m1" },
  ],
  [
    "an answer made again while it is made",
    again("hi"),
    facts(known("started", "hi")),
    { do: "again", inputId: made, at: "m1" },
  ],
  [
    "an answer asked for again that is not begun",
    again("hi"),
    facts(known("queued", "hi", null)),
    { do: "follow", inputId: "u1" },
  ],
  ["a held message, tried again", again("hi"), facts(known("held", "hi")), { do: "release", inputId: "u1" }],
  [
    "a withdrawn message, tried again",
    again("hi"),
    facts(known("cancelled", "hi", null)),
    { do: "submit", inputId: made },
  ],
  [
    "an answer made again to other words",
    again("other"),
    facts(known("answered", "hi")),
    { do: "refuse", why: "conflict" },
  ],
  [
    "an answer made again to edited words",
    again("other", "u1"),
    facts(known("answered", "hi")),
    { do: "replace", inputId: made, before: "m1" },
  ],
])("%s", (_, post, stored, expected) => {
  expect(meaningOf(post, stored)).toEqual(expected);
});

const assistant = (over: Partial<ChatPost>): ChatPost => ({
  ...saying(""),
  message: { role: "assistant", id: "a0", parts: 1, answers: [], asking: [], cursor: null },
  ...over,
});

test("an assistant's message at the end asks for nothing, unless the answer after it is to be made again", () => {
  const named = known("answered", "hi");
  expect(meaningOf(assistant({}), facts(null))).toEqual({ do: "refuse", why: "nothing-to-answer" });
  expect(meaningOf(assistant({ trigger: "regenerate-message", messageId: "a1" }), facts(null, named))).toEqual({
    do: "again",
    inputId: made,
    at: "m1",
  });
});

test("the id of a new input is the same for a POST that comes twice, and another after each answer or for other words", () => {
  const idOf = (post: ChatPost, newest: string): unknown => {
    const { input, message } = known("answered", "hi");
    const meaning = meaningOf(post, facts({ input: input === null ? null : { ...input, id: newest }, message }));
    return "inputId" in meaning ? meaning.inputId : null;
  };
  const edit = (text: string) => saying(text, { messageId: "u1" });
  const ids = [
    idOf(edit("a"), "u1"),
    idOf(edit("b"), "u1"),
    idOf(edit("a"), "u2"),
    idOf(again("hi"), "u1"),
    idOf(again("hi"), "u2"),
  ];
  expect(new Set(ids).size).toBe(5);
  expect(idOf(edit("a"), "u1")).toBe(ids[0]);
});

test("bodies are the same whatever the order of their keys", () => {
  const [a, b] = [
    { type: "data-x", id: "1", data: { a: 1, b: [1, 2] } },
    { data: { b: [1, 2], a: 1 }, id: "1", type: "data-x" },
  ] as const;
  expect(hashOf([a as Part])).toBe(hashOf([b as Part]));
  expect(hashOf([a as Part])).not.toBe(hashOf([{ ...a, data: { a: 1, b: [2, 1] } } as Part]));
});
