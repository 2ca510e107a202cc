import { expect, test } from "vitest";
import type { AgentRuntimeEvent } from "../../ports/driver.ts";
import { toAgentEvent } from "./agent-event.ts";

const stamp = {
  connection: 3,
  generationOf: (turn: string) => (turn === "trn_1" ? "t1" : turn),
  clean: (text: string) => text.replace("secret", "***"),
};
const say = (event: unknown) => toAgentEvent(event as AgentRuntimeEvent, stamp);

test("an event of a turn carries its generation, one of the connection does not", () => {
  expect(say({ type: "chunk", turnId: "trn_1", chunk: { type: "text-end", id: "p" } })).toEqual({
    type: "chunk",
    connection: 3,
    generation: "t1",
    chunk: { type: "text-end", id: "p" },
  });
  expect(say({ type: "resume-token", token: "x" })).toEqual({ type: "resume-token", connection: 3, token: "x" });
});

test("a turn of the agent's own keeps its name", () => {
  const started = { type: "autonomous-turn-state", turnId: "own-1", state: "started", origin: "wake" };
  expect(say(started)).toMatchObject({ type: "autonomous-started", generation: "own-1", input: null });
  expect(say({ ...started, state: "finished" })).toMatchObject({ type: "autonomous-finished", generation: "own-1" });
});

test("with and without a turn: usage and approvals", () => {
  const usage = { requestId: "r" };
  expect(say({ type: "usage", usage })).toMatchObject({ type: "loose-usage" });
  expect(say({ type: "usage", turnId: "trn_1", usage })).toMatchObject({ type: "usage", generation: "t1" });
  const ask = {
    type: "tool-approval-request",
    approvalId: "a",
    toolCallId: "c",
    toolName: "bash",
    input: 1,
    durable: true,
  };
  expect(say(ask)).toMatchObject({ type: "loose-approval-request", request: { approval: "a", durable: true } });
  expect(say({ ...ask, turnId: "trn_1" })).toMatchObject({ type: "approval-request", generation: "t1" });
});

test("background work owes a reply unless it says otherwise", () => {
  expect(say({ type: "background-work-state", active: true })).toMatchObject({ awaitingReply: true });
  expect(say({ type: "background-work-state", active: true, awaitingReply: false })).toMatchObject({
    awaitingReply: false,
  });
});

test.each([
  [null, "malformed"],
  [{ type: "invented" }, "invented"],
  [{ type: "constructor" }, "constructor"],
  [{ type: 7 }, "7"],
  [{ type: "chunk", turnId: "trn_1" }, "malformed:chunk"],
  [{ type: "chunk", turnId: "trn_1", chunk: {} }, "malformed:chunk"],
  [{ type: "chunk", chunk: { type: "start" } }, "malformed:chunk"],
  [{ type: "steer-boundary", turnId: "trn_1", taken: "x" }, "malformed:steer-boundary"],
  [{ type: "turn-complete", turnId: "trn_1", outcome: "completed", answered: null }, "malformed:turn-complete"],
])("%j is unknown, and throws nothing", (event, name) => {
  expect(say(event)).toEqual({ type: "unknown", connection: 3, name });
});

test("what people will read is cleaned of secrets", () => {
  const error = { type: "error", turnId: "trn_1", code: "auth", message: "bad key secret", retry: "never" };
  expect(say(error)).toMatchObject({ type: "agent-error", message: "bad key ***" });
  expect(say({ type: "notice", level: "info", code: "x", text: "secret" })).toMatchObject({ note: { text: "***" } });
});
