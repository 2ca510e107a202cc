import type { DeliveredEvent } from "@mooring/host";
import { expect, test } from "vitest";
import { approvalRow, delivered, inputRow, snapshot, turnRow, usage } from "../testing/events.ts";
import { advance, isAtRest, type RunState, startState, waitsForPerson } from "./run-state.ts";

const accepted = delivered({ type: "input.accepted", inputId: "inp_1", parts: [], author: null });
const input = (state: "started" | "queued" | "held" | "answered" | "cancelled", inputId = "inp_1") =>
  delivered({ type: "input.changed", inputId, state });
const started = delivered({ type: "turn.started", turnId: "trn_1", origin: "user", inputId: "inp_1" });
const settled = delivered({ type: "turn.settled", turnId: "trn_1", outcome: "completed", usage, durationMs: 1 });
const requested = (approvalId: string) =>
  delivered({
    type: "approval.requested",
    approvalId,
    turnId: "trn_1",
    toolCallId: approvalId,
    toolName: "bash",
    input: {},
    durable: true,
  });
const waiting = delivered({ type: "turn.waiting", turnId: "trn_1" });
const resumed = delivered({ type: "turn.resumed", turnId: "trn_1" });
const allowed = (approvalId: string) =>
  delivered({ type: "approval.closed", approvalId, turnId: "trn_1", how: "allow", answer: null });

const after = (events: readonly DeliveredEvent[], from: RunState = startState(snapshot())): RunState =>
  events.reduce(advance, from);
/** After each event: `rest`, `asks` or `busy`. */
const course = (...events: readonly DeliveredEvent[]): readonly string[] =>
  events.map((_, index) => {
    const state = after(events.slice(0, index + 1));
    if (isAtRest(state)) return "rest";
    return waitsForPerson(state) ? "asks" : "busy";
  });

test("a run is busy from the acceptance of its input to the end of its turn, whichever is told first", () => {
  expect(course(accepted, started, input("started"), input("answered"), settled)).toEqual([
    "busy",
    "busy",
    "busy",
    "busy",
    "rest",
  ]);
  expect(course(accepted, started, input("started"), settled, input("answered")).slice(-2)).toEqual(["busy", "rest"]);
  expect(after([accepted, started, settled]).outcome).toBe("completed");
});

test("an input that is queued behind the turn keeps the run going; held ones do not", () => {
  const follow = delivered({ type: "input.accepted", inputId: "inp_2", parts: [], author: null });
  const first = [accepted, started, input("started"), follow, input("answered"), settled];
  expect(isAtRest(after(first))).toBe(false);
  expect(isAtRest(after([...first, input("held", "inp_2")]))).toBe(true);
  expect(isAtRest(after([...first, input("cancelled", "inp_2")]))).toBe(true);
});

test("a compaction is part of the run", () => {
  const compaction = (state: "started" | "completed" | "stopped") =>
    delivered({ type: "compaction", state, detail: "" });
  expect(course(compaction("started"), compaction("completed"))).toEqual(["busy", "rest"]);
  expect(course(compaction("started"), compaction("stopped"))).toEqual(["busy", "rest"]);
});

test("a waiting turn asks until one question is answered, in whatever order that is told", () => {
  const asked = [accepted, started, input("started"), requested("apr_1"), requested("apr_2"), waiting];
  expect(course(...asked, allowed("apr_1"), resumed, waiting).slice(-4)).toEqual(["asks", "busy", "busy", "asks"]);
  expect(course(...asked, resumed, allowed("apr_1"), waiting).slice(-4)).toEqual(["asks", "busy", "busy", "asks"]);
  expect([...after(asked).questions.keys()]).toEqual(["apr_1", "apr_2"]);
});

test("a snapshot says where it stands, at the beginning and in between", () => {
  const whole = snapshot({
    turn: turnRow({ status: "waiting" }),
    approvals: [approvalRow()],
    inputs: [inputRow({ state: "started" })],
  });
  expect(waitsForPerson(startState(whole))).toBe(true);
  expect(isAtRest(startState(snapshot({ inputs: [inputRow({ state: "held" })] })))).toBe(true);
  const jumped = after([accepted, started, settled, { cursor: "c", event: whole }]);
  expect([waitsForPerson(jumped), jumped.outcome]).toEqual([true, "completed"]);
});

test("an approval outside any turn ends without bringing a turn back", () => {
  expect(isAtRest(after([requested("apr_1"), allowed("apr_1")]))).toBe(true);
});
