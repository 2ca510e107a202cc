import { expect, test } from "vitest";
import type { SessionEvent } from "../../protocol/events.ts";
import type { InputState } from "../../protocol/input.ts";
import { ResumeResponse } from "./resume-response.ts";
import * as e from "./test-events.ts";

type Known = {
  readonly turns?: readonly string[];
  readonly inputs?: Readonly<Record<string, InputState>>;
  readonly done?: readonly string[];
};
const resuming = ({ turns = ["t1"], inputs = { u1: "started" }, done = [] }: Known = {}): ResumeResponse =>
  new ResumeResponse({
    sessionId: "ses_1",
    fileUrl: (id) => id,
    questions: { upTo: 0, open: new Set() },
    turns,
    inputs: Object.entries(inputs).map(([id, state]) => ({ id, state, turnId: state === "started" ? "t1" : null })),
    done,
    cursor: e.cursorOf(0),
  });
const said = (id: string, ...texts: string[]): SessionEvent[] => [
  e.opened(id, "t1"),
  ...texts.map((text) => e.delta(id, text)),
];
const ends = [e.closed("a1"), e.changed("u1", "answered", "t1"), e.settled("t1")];

test.each<readonly [string, Known, readonly SessionEvent[], string, boolean]>([
  ["the open message to its end", {}, [...said("a1", "hi"), ...ends], "start:a1 hi finish", true],
  [
    "what came before it in the same commit is passed over",
    { done: ["a0"] },
    [e.opened("a0", "t1"), e.delta("a0", "old"), e.closed("a0"), ...said("a1", "hi"), ...ends],
    "start:a1 hi finish",
    true,
  ],
  [
    "a roll, and an empty message",
    {},
    [
      ...said("a1", "one"),
      e.closed("a1"),
      e.changed("u2", "taken", "t1"),
      e.opened("a2", "t1"),
      e.dropped("a2"),
      ...said("a3", "two"),
    ],
    "start:a1 one finish start:a2 finish start:a3 two",
    false,
  ],
  [
    "the next turn, because an input waits",
    { inputs: { u1: "started", u2: "queued" } },
    [...said("a1", "one"), ...ends, e.started("t2", "u2"), e.changed("u2", "started", "t2"), e.opened("a2", "t2")],
    "start:a1 one finish start:a2",
    false,
  ],
  [
    "no further, because what waits is held",
    { inputs: { u1: "started", u2: "held" } },
    [...said("a1", "one"), ...ends],
    "start:a1 one finish",
    true,
  ],
  [
    "a stopped turn and what its steer becomes",
    { inputs: { u1: "started", u2: "offered" } },
    [
      ...said("a1", "one"),
      e.closed("a1", "stopped"),
      e.changed("u1", "unanswered", "t1"),
      e.settled("t1", "stopped"),
      e.changed("u2", "held"),
    ],
    "start:a1 one abort:stopped",
    true,
  ],
  [
    "no further than an error, for a client reads nothing after one",
    { inputs: { u1: "started", u2: "queued" } },
    [...said("a1", "one"), e.closed("a1", "failed"), e.settled("t1", "failed", "It broke.")],
    "start:a1 one error:It broke.",
    true,
  ],
  [
    "what sub-agents write is not the chat's",
    {},
    [...said("a1"), e.flowOpened("f1", "t1"), e.delta("f1", "no"), e.closed("f1"), ...ends],
    "start:a1 finish",
    true,
  ],
])("%s", (_, known, events, expected, isOver) => {
  const response = resuming(known);
  expect(e.tell(response, e.told(events)).join(" ")).toBe(expected);
  expect(response.isOver).toBe(isOver);
});

test("each message says whose turn it is, and which input it answers", () => {
  const response = resuming();
  const events = [...said("a1"), e.closed("a1"), e.changed("u2", "taken", "t1"), e.opened("a2", "t1")];
  const frames = e.told(events).flatMap((told) => response.take(told));
  expect(frames.flatMap(({ chunk }) => (chunk.type === "start" ? [chunk.messageMetadata] : []))).toEqual([
    { sessionId: "ses_1", turnId: "t1", inputId: "u1", cursor: e.cursorOf(1) },
    { sessionId: "ses_1", turnId: "t1", inputId: "u2", cursor: e.cursorOf(4) },
  ]);
});

test("a message that another interrupts is read again from its start when the other is over", () => {
  const response = resuming();
  const own = [e.started("t2"), e.opened("b1", "t2"), e.delta("b1", "own"), e.closed("b1"), e.settled("t2")];
  const events = e.told([e.changed("u9", "cancelled"), ...said("a1", "one"), ...own]);
  expect(e.tell(response, events).join(" ")).toBe("start:a1 one start:b1 own finish");
  expect([response.again, response.again]).toEqual([e.cursorOf(1), null]);
  const rest = e.told([...said("a1", "one"), ...own, e.delta("a1", "two"), ...ends], 2);
  expect(e.tell(response, rest).join(" ")).toBe("start:a1 one two finish");
  expect(response.isOver).toBe(true);
});

test("it waits while no message is open, and may pause like any other", () => {
  const response = resuming();
  const after = (event: SessionEvent, at: number) => {
    response.take({ cursor: e.cursorOf(at), seq: at, event });
    return [response.isWaiting, response.mayPause];
  };
  const events = [
    e.opened("a1", "t1"),
    e.call("a1", "c1"),
    e.asked("a1", "p1", "c1"),
    e.rests("t1"),
    e.resumes("t1"),
    e.decided("p1"),
    e.closed("a1"),
  ];
  expect([response.isWaiting, ...events.map((event, at) => after(event, at + 1))]).toEqual([
    true,
    ...[
      [false, false],
      [false, false],
      [false, false],
      [false, true],
      [false, false],
      [false, false],
      [true, false],
    ],
  ]);
});
