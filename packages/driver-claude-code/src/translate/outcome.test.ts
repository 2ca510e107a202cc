import { expect, test } from "vitest";
import type { Frame } from "./frames.ts";
import { outcomeOf } from "./outcome.ts";

const result = (fields: object): Frame => ({ type: "result", subtype: "success", is_error: false, ...fields });

test.each([
  [{ terminal_reason: "completed" }, "completed"],
  [{}, "completed"], // a command of the agent's own
  [{ terminal_reason: "tool_deferred" }, "deferred"],
  // The three traps.
  [{ terminal_reason: "aborted_streaming" }, "aborted"],
  [{ is_error: true, terminal_reason: "api_error", result: "API Error: 529" }, "failed"],
  [{ subtype: "error_during_execution", is_error: true, terminal_reason: "completed" }, "failed"],
])("%j is %s", (fields, kind) => {
  expect(outcomeOf(result(fields)).kind).toBe(kind);
});

test.each([
  [{ api_error_status: 401 }, "no-credentials", "never"],
  [{ api_error_status: 429 }, "rate-limited", "later"],
  [{ api_error_status: 529 }, "provider-unavailable", "later"],
  [{ api_error_status: 404 }, "model-unknown", "never"],
  [{ api_error_status: 400 }, "request-refused", "never"],
  [{ terminal_reason: "prompt_too_long" }, "context-full", "never"],
  [{ subtype: "error_max_turns" }, "turn-limit", "never"],
  [{ api_error_status: 400, result: "API Error: 400 duplicate tool_use ID in history" }, "resume-failed", "never"],
  [{ result: "Not logged in · Please run /login" }, "no-credentials", "never"],
])("a failure has a code and says whether to try again: %j", (fields, code, retry) => {
  expect(outcomeOf(result({ is_error: true, ...fields }))).toMatchObject({ failure: { code, retry } });
});

test("a failure without a word explains itself, and the agent's internal lines are left out", () => {
  const failed = outcomeOf(result({ is_error: true, errors: ["[ede_diagnostic] x"] }));
  expect(failed).toMatchObject({ failure: { message: expect.stringContaining("gave no reason") } });
});
