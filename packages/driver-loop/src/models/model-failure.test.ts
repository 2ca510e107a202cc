import { MooringError } from "@mooring/host/driver";
import { APICallError } from "ai";
import { expect, test } from "vitest";
import { modelFailure } from "./model-failure.ts";

const now = Date.UTC(2026, 0, 1);
const answer = (statusCode: number, message = "", headers: Record<string, string> = {}): APICallError =>
  new APICallError({ message, url: "http://x", requestBodyValues: {}, statusCode, responseHeaders: headers });

test.each([
  [answer(401, "no"), "auth", "never", false],
  [answer(403, "no"), "auth", "never", false],
  [answer(429, "too many tokens per minute"), "rate-limited", "later", true],
  [answer(529, "overloaded"), "overloaded", "later", true],
  [answer(500, "oops"), "model-error", "never", true],
  [answer(413, "big"), "context-overflow", "never", false],
  [answer(400, "prompt is too long: 210000 tokens > 200000 maximum"), "context-overflow", "never", false],
  [answer(400, "This model's maximum context length is 128000 tokens"), "context-overflow", "never", false],
  [answer(400, "Your input exceeds the context window of this model."), "context-overflow", "never", false],
  [answer(400, "The input token count (1200000) exceeds the maximum"), "context-overflow", "never", false],
  [answer(400, "tools.0: unknown field"), "model-error", "never", false],
  [new TypeError("terminated"), "model-unreachable", "now", true],
  [Object.assign(new Error("x"), { code: "ECONNRESET" }), "model-unreachable", "now", true],
  [{ message: "Overloaded", statusCode: 529, isRetryable: true }, "overloaded", "later", true],
  [new MooringError("no-credentials", "There is no key."), "no-credentials", "never", false],
  ["what", "model-error", "never", false],
  [undefined, "model-error", "never", false],
] as const)("%s is %s", (error, code, retry, isPassing) => {
  expect(modelFailure(error, now)).toMatchObject({ code, retry, isPassing });
});

test("a message is never empty", () => {
  expect(modelFailure(answer(502), now).message).toBe("The model's provider answered with status 502.");
});

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after-ms": "1500", "retry-after": "7" }, 1_500],
  [{ "retry-after": new Date(now + 9_000).toUTCString() }, 9_000],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "-3" }, null],
  [{}, null],
])("%j asks for %s ms", (headers, ms) => {
  expect(modelFailure(answer(429, "", headers), now).retryAfterMs).toBe(ms);
});
