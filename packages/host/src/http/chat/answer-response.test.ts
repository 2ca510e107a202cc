import { expect, test } from "vitest";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { SessionEvent } from "../../protocol/events.ts";
import type { InputState } from "../../protocol/input.ts";
import { inputRow } from "../../stores/contract/fixtures.ts";
import { AnswerResponse, type AnswerTo, type Shown } from "./answer-response.ts";
import * as e from "./test-events.ts";
import { WaitingInput } from "./waiting-input.ts";

const none = { upTo: 0, open: new Set<string>() };
const responseTo = (to: AnswerTo, questions = none): AnswerResponse =>
  new AnswerResponse({ sessionId: "ses_1", fileUrl: (id) => `/f/${id}`, questions, to, cursor: e.cursorOf(0) });
const input = (state: InputState = "queued", turnId: string | null = null): AnswerTo => ({
  kind: "input",
  waiting: new WaitingInput({ id: "u1", state, turnId }, [inputRow("u1", { state })]),
});
const message = (shown: Shown | null = null): AnswerTo => ({
  kind: "message",
  messageId: "a1",
  turnId: "t1",
  inputId: "u1",
  shown,
});
const begins = [e.accepted("u1"), e.order("u1"), e.started("t1", "u1"), e.changed("u1", "started", "t1")];

test.each<readonly [string, readonly SessionEvent[], string]>([
  [
    "an answer",
    [...begins, e.opened("a1", "t1"), e.delta("a1", "hi"), e.closed("a1"), e.settled("t1")],
    "data-input:u1/queued/0 data-input:u1/started//t1 start:a1 hi finish",
  ],
  [
    "a turn that fails",
    [...begins, e.opened("a1", "t1"), e.closed("a1", "failed"), e.settled("t1", "failed", "It broke.")],
    "data-input:u1/queued/0 data-input:u1/started//t1 start:a1 error:It broke.",
  ],
  [
    "a turn that is stopped",
    [...begins, e.opened("a1", "t1"), e.delta("a1", "hi"), e.closed("a1", "stopped"), e.settled("t1", "stopped")],
    "data-input:u1/queued/0 data-input:u1/started//t1 start:a1 hi abort:stopped",
  ],
  [
    "an interrupted turn",
    [
      ...begins,
      e.opened("a1", "t1"),
      e.closed("a1", "interrupted"),
      e.settled("t1", "interrupted", "The host restarted."),
    ],
    "data-input:u1/queued/0 data-input:u1/started//t1 start:a1 abort:The host restarted.",
  ],
  [
    "others before it, flows, other turns and other messages",
    [
      ...[e.order("u0", "u1"), e.accepted("u1"), e.started("t0", "u0"), e.changed("u0", "started", "t0")],
      ...[e.opened("a0", "t0"), e.delta("a0", "not mine"), e.closed("a0"), e.settled("t0")],
      ...[e.started("t1", "u1"), e.changed("u1", "started", "t1"), e.flowOpened("f1", "t1"), e.opened("a1", "t1")],
      ...[
        e.delta("f1", "not mine"),
        e.delta("a1", "mine"),
        e.closed("f1"),
        e.settled("t7"),
        e.closed("a1"),
        e.settled("t1"),
      ],
    ],
    "data-input:u1/queued/0 data-input:u1/queued/1 data-input:u1/queued/0 data-input:u1/started//t1 start:a1 mine finish",
  ],
  [
    "a steer, whose answer is the message after the boundary",
    [
      ...[e.accepted("u1"), e.changed("u1", "offered", "t1"), e.delta("a0", "before"), e.closed("a0")],
      ...[e.changed("u1", "taken", "t1"), e.closed("u1"), e.opened("a1", "t1"), e.delta("a1", "after")],
    ],
    "data-input:u1/queued/0 data-input:u1/offered/ data-input:u1/taken//t1 start:a1 after",
  ],
  [
    "a steer that the agent makes a turn of its own",
    [
      ...[e.accepted("u1"), e.changed("u1", "offered", "t1"), e.settled("t1"), e.started("t2", "u1")],
      ...[e.changed("u1", "started", "t2"), e.opened("a1", "t2"), e.closed("a1"), e.settled("t2")],
    ],
    "data-input:u1/queued/0 data-input:u1/offered/ data-input:u1/started//t2 start:a1 finish",
  ],
  [
    "an input that the agent merged into its answer to another",
    [
      e.changed("u1", "offered", "t1"),
      e.changed("u1", "taken", "t1"),
      e.changed("u1", "answered", "t1"),
      e.settled("t1"),
    ],
    "data-input:u1/queued/0 data-input:u1/offered/ data-input:u1/taken//t1 data-input:u1/answered/",
  ],
  [
    "an input that is held, and withdrawn",
    [e.accepted("u1"), e.changed("u1", "held"), e.changed("u1", "cancelled")],
    "data-input:u1/queued/0 data-input:u1/held/0 data-input:u1/cancelled/ abort:cancelled",
  ],
  [
    "a roll: the message is over, and where the turn goes on",
    [
      ...begins,
      e.opened("a1", "t1"),
      e.delta("a1", "hi"),
      e.closed("a1"),
      e.changed("u2", "taken", "t1"),
      e.closed("u2"),
      e.opened("a2", "t1"),
    ],
    "data-input:u1/queued/0 data-input:u1/started//t1 start:a1 hi data-continue:a2/u2 finish",
  ],
  [
    "a roll before anything was said",
    [...begins, e.opened("a1", "t1"), e.dropped("a1"), e.changed("u2", "taken", "t1"), e.opened("a2", "t1")],
    "data-input:u1/queued/0 data-input:u1/started//t1 start:a1 data-continue:a2/u2 finish",
  ],
])("%s", (_, events, expected) => {
  const response = responseTo(input());
  expect(tellOf(response, events).join(" ")).toBe(expected);
  expect(response.isOver).toBe(!/(hi|after)$/.test(expected));
});
function tellOf(response: AnswerResponse, events: readonly SessionEvent[]): string[] {
  return e.tell(response, e.told(events));
}

test("it waits until its message opens, and between two messages of a turn under a hold", () => {
  const response = responseTo(input("started", "t1"));
  const waits = [e.opened("a1", "t1"), e.closed("a1"), e.changed("u2", "taken", "t1"), e.opened("a2", "t1")].map(
    (event) => {
      const before = response.isWaiting;
      response.take(...(e.told([event]) as [ReturnType<typeof e.told>[number]]));
      return before;
    },
  );
  expect([waits, response.isOver]).toEqual([[true, false, true, true], true]);
});

test("what version 6 does not know, and the agent's own frame, are left out", () => {
  const odd: UIMessageChunk[] = [
    { type: "start", messageId: "x", messageMetadata: { a: 1 } },
    { type: "steering-message", id: "s", parts: [] },
    { type: "reset-step" },
    { type: "custom", kind: "a.b" },
    { type: "reasoning-file", mediaType: "a/b", url: "data:," },
    { type: "tool-approval-response", approvalId: "p", approved: true },
    { type: "text-start", id: "0" },
    { type: "finish-step" },
    { type: "text-end", id: "0" },
    { type: "finish-step" },
    { type: "file", mediaType: "a/b", url: "mooring:file/fil_1" },
    { type: "abort" },
    { type: "error", errorText: "x" },
    { type: "finish", finishReason: "interrupted" },
  ];
  const response = responseTo(message());
  const frames = e
    .told([e.opened("a1", "t1"), ...odd.map((chunk) => e.chunk("a1", chunk))])
    .flatMap((told) => response.take(told));
  expect(frames.slice(1).map(({ chunk }) => chunk)).toEqual([
    { type: "message-metadata", messageMetadata: { a: 1 } },
    { type: "text-start", id: "0" },
    { type: "text-end", id: "0" },
    { type: "finish-step" },
    { type: "file", mediaType: "a/b", url: "/f/fil_1" },
  ]);
});

const asks = [e.opened("a1", "t1"), e.call("a1", "c1"), e.asked("a1", "p1", "c1")];

test("it may pause while all it shows is a question and the turn waits, or calls wait behind it", () => {
  const mayPause = (events: readonly SessionEvent[]): boolean => {
    const response = responseTo(message());
    for (const told of e.told(events)) response.take(told);
    return response.mayPause;
  };
  expect(mayPause(asks)).toBe(false);
  expect(mayPause([...asks, e.rests("t1")])).toBe(true);
  expect(mayPause([...asks, e.rests("t9")])).toBe(false);
  expect(mayPause([...asks, e.rests("t1"), e.decided("p1")])).toBe(false);
  expect(mayPause([...asks, e.rests("t1"), e.resumes("t1")])).toBe(false);
  expect(mayPause([...asks, e.call("a1", "c2")])).toBe(true);
  expect(mayPause([...asks, e.call("a1", "c2"), e.chunk("a1", { type: "text-start", id: "0" })])).toBe(false);
  expect(mayPause([...asks, e.call("a1", "c2"), e.asked("a1", "p2", "c2")])).toBe(false);
  expect(mayPause([...asks, e.call("a1", "c2"), e.asked("a1", "p2", "c2"), e.rests("t1")])).toBe(true);
});

test("a pause says how far the message is shown", () => {
  const response = responseTo(message());
  const frames = e.told([...asks, e.rests("t1")]).flatMap((told) => response.take(told));
  expect([...frames, ...response.pause()].slice(2).map(({ chunk }) => chunk)).toEqual([
    { type: "tool-approval-request", approvalId: "p1", toolCallId: "c1" },
    { type: "message-metadata", messageMetadata: { cursor: e.cursorOf(3) } },
    { type: "finish-step" },
    { type: "finish", finishReason: "tool-calls", messageMetadata: { cursor: e.cursorOf(4) } },
  ]);
  expect(response.isOver).toBe(true);
});

const whole = [
  ...[
    e.opened("a1", "t1"),
    e.delta("a1", "before"),
    e.call("a1", "c1"),
    e.call("a1", "c2"),
    e.asked("a1", "p1", "c1"),
    e.rests("t1"),
  ],
  ...[
    e.resumes("t1"),
    e.decided("p1"),
    e.output("a1", "c1"),
    e.output("a1", "c2"),
    e.delta("a1", "after"),
    e.closed("a1"),
    e.settled("t1"),
  ],
];
const after = "output-available:c1 input-available:c2 output-available:c2 after finish";

test.each<readonly [string, Shown | null, string]>([
  ["nothing", null, `start:a1 before input-available:c1 approval-request:c1 message-metadata ${after}`],
  ["all up to the pause", { upTo: 6, cursor: e.cursorOf(6), asking: null }, `start:a1 ${after}`],
  [
    "the questions, from a page that does not know where it is",
    { upTo: 13, cursor: null, asking: ["p1"] },
    `start:a1 ${after}`,
  ],
  ["everything", { upTo: 13, cursor: e.cursorOf(13), asking: null }, "start:a1 finish"],
])("a client that has %s is told the rest", (_, shown, expected) => {
  expect(tellOf(responseTo(message(shown)), whole).join(" ")).toBe(expected);
});

test("a client that goes on is not told that it is further than it is", () => {
  const place = (shown: Shown) => responseTo(message(shown)).begin()[0]?.chunk;
  expect(place({ upTo: 6, cursor: e.cursorOf(6), asking: null })).toMatchObject({
    messageMetadata: { cursor: e.cursorOf(6) },
  });
  expect(place({ upTo: 6, cursor: null, asking: [] })).toEqual({
    type: "start",
    messageId: "a1",
    messageMetadata: { sessionId: "ses_1", turnId: "t1", inputId: "u1" },
  });
});

test("a question that is known to be answered is not asked again, and the turn's rest then is no pause", () => {
  const response = responseTo(message(), { upTo: 13, open: new Set() });
  const told = e.told(whole);
  const words = told.slice(0, 6).flatMap((one) => response.take(one).map(e.codeOf));
  expect([words.join(" "), response.mayPause]).toEqual(["start:a1 before input-available:c1", false]);
  const open = responseTo(message(), { upTo: 13, open: new Set(["p1"]) });
  for (const one of told.slice(0, 6)) open.take(one);
  expect(open.mayPause).toBe(true);
});
