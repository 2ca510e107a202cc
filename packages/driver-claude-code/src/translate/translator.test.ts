import type { AgentRuntimeEvent } from "@mooring/host/driver";
import { expect, test } from "vitest";
import { Translator } from "./translator.ts";

function bench() {
  const events: AgentRuntimeEvent[] = [];
  const told: string[] = [];
  let turns = 0;
  const translator = new Translator({
    newTurnId: () => `own_${++turns}`,
    parked: () => told.push("parked"),
    compacted: (hasWorked) => told.push(`compacted ${hasWorked}`),
    hopeless: (turnId) => told.push(`hopeless ${turnId}`),
    unknownFrame: (name) => told.push(`unknown ${name}`),
  });
  const take = (...frames: object[]): void => {
    for (const frame of frames) events.push(...translator.take(frame, 0));
  };
  const write = (as: "turn" | "steer", inputId: string, turnId = "t1") =>
    translator.ledger.write({ uuid: `key_${inputId}`, as, turnId, inputId });
  const brief = () => events.map((event) => (event.type === "chunk" ? event.chunk.type : event.type));
  return { translator, events, told, take, write, brief };
}
const life = (inputId: string, state: string) => ({ type: "command_lifecycle", command_uuid: `key_${inputId}`, state });
const init = { type: "system", subtype: "init" };
const begin = (id: string) => ({ type: "stream_event", event: { type: "message_start", message: { id } } });
const done = { type: "result", subtype: "success", is_error: false, terminal_reason: "completed" };

test("a turn begins when the agent takes its message and ends with its result", () => {
  const { take, write, events } = bench();
  write("turn", "a");
  take(life("a", "queued"), life("a", "started"), init, begin("m"), done);
  expect(events.at(-1)).toEqual({ type: "turn-complete", turnId: "t1", outcome: "completed", answered: ["a"] });
});

test("steers taken together are one boundary, before what is said next", () => {
  const { take, write, brief } = bench();
  for (const [as, id] of [
    ["turn", "a"],
    ["steer", "b"],
    ["steer", "c"],
  ] as const)
    write(as, id);
  take(life("a", "started"), begin("m1"), life("b", "started"), life("c", "started"), begin("m2"), done);
  expect(brief()).toEqual([
    "start-step",
    "finish-step",
    "steer-boundary",
    "start-step",
    "finish-step",
    "turn-complete",
  ]);
});

test("a steer taken after the result is a turn of its own; a second one with it rolls into it", () => {
  const { take, write, events } = bench();
  for (const [as, id] of [
    ["turn", "a"],
    ["steer", "b"],
    ["steer", "c"],
  ] as const)
    write(as, id);
  take(life("a", "started"), done, life("b", "started"), life("c", "started"), init, begin("m"), done);
  expect(events.filter(({ type }) => type !== "chunk")).toEqual([
    { type: "turn-complete", turnId: "t1", outcome: "completed", answered: ["a"] },
    { type: "autonomous-turn-state", turnId: "own_1", state: "started", origin: "steer", inputId: "b" },
    { type: "steer-boundary", turnId: "own_1", taken: ["c"] },
    { type: "turn-complete", turnId: "own_1", outcome: "completed", answered: ["b"] },
  ]);
});

test("a message the agent takes up while it works by itself ends that work and begins its turn", () => {
  const { take, write, events } = bench();
  take(init, begin("m1"));
  write("turn", "a");
  take(life("a", "queued"), life("a", "started"), begin("m2"), done);
  expect(events.filter(({ type }) => type !== "chunk")).toEqual([
    { type: "autonomous-turn-state", turnId: "own_1", state: "started", origin: "background-work" },
    { type: "turn-complete", turnId: "own_1", outcome: "completed", answered: [] },
    { type: "turn-complete", turnId: "t1", outcome: "completed", answered: ["a"] },
  ]);
});

test("a message the agent knew already is not run, and its turn ends as a failure that says so", () => {
  const { take, write, events } = bench();
  write("turn", "a");
  take(life("a", "completed"));
  expect(events).toMatchObject([{ type: "error", turnId: "t1", code: "input-known" }]);
});

test("a withdrawal by us is told nothing of, one by the agent is undelivered", () => {
  const { take, write, events } = bench();
  write("steer", "mine").isWithdrawn = true;
  write("steer", "its");
  take(life("mine", "cancelled"), life("its", "cancelled"));
  expect(events).toEqual([{ type: "steer-undelivered", turnId: "t1", inputs: ["its"] }]);
});

test("nothing in a frame makes it throw, and what is unknown is named once", () => {
  const { take, told, events } = bench();
  take({ type: "surprise" }, { type: "surprise" }, { type: "system", subtype: "news" });
  take({ type: "assistant" }, { type: "user", message: 3 }, { type: "stream_event", event: null }, { type: "result" });
  take({ type: "system", subtype: "task_started" }, { type: "system", subtype: "api_retry" }, { nothing: 1 });
  expect(told).toEqual(["unknown surprise", "unknown system/news"]);
  expect(events.at(-1)).toMatchObject({ type: "api-retry", attempt: 1 });
});

test("a refused key ends the wait for another try", () => {
  const { take, write, told, events, translator } = bench();
  write("turn", "a");
  take(life("a", "started"), {
    type: "system",
    subtype: "api_retry",
    error: "authentication_failed",
    error_status: 401,
  });
  expect(told).toEqual(["hopeless t1"]);
  take({ type: "result", subtype: "error_during_execution", terminal_reason: "aborted_streaming" });
  expect(events.at(-1)).toMatchObject({ type: "error", code: "no-credentials", retry: "never" });
  expect(translator.running).toBeNull();
});

test("the token follows the conversation, and a process that found none names none", () => {
  const { take, events } = bench();
  take({ type: "result", num_turns: 0, session_id: "wrong" });
  take({ type: "system", subtype: "x", session_id: "one" }, { type: "system", subtype: "x", session_id: "two" });
  expect(events).toEqual([
    { type: "resume-token", token: "one" },
    { type: "resume-token", token: "two" },
  ]);
});
