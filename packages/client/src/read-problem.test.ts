import { expect, test } from "vitest";
import { limits } from "./limits.ts";
import { noConnection } from "./problem-error.ts";
import { readProblem, retryAfter } from "./read-problem.ts";

const answer = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { "content-type": "application/problem+json", ...headers } });

test("a problem document is read whole; what is not of the standard is detail", async () => {
  const body = { type: "urn:x", title: "T", status: 409, detail: "Why.", code: "busy", retry: "now", session: "s" };
  const error = await readProblem(answer(409, JSON.stringify(body), { "retry-after": "2" }));
  expect(error).toMatchObject({
    ...{ message: "Why.", code: "busy", status: 409, retry: "now", retryAfterMs: 2_000, detail: { session: "s" } },
  });
});

test.each([
  ["no JSON at all", answer(502, "<html>", { "content-type": "text/html" }), "later"],
  ["JSON that is cut off", answer(400, '{"detail": "x'), "never"],
  ["a list", answer(404, "[1]"), "never"],
  ["fields of other types", answer(429, '{"detail":1,"code":{},"retry":"perhaps"}'), "later"],
  ["more than anyone says", answer(500, `{"detail":"${"x".repeat(limits.problemChars)}"}`), "later"],
])("%s still says the status", async (_, response, retry) => {
  const { status } = response;
  const message = expect.stringMatching(new RegExp(`^HTTP ${status}`));
  expect(await readProblem(response)).toMatchObject({ code: `http-${status}`, status, message, retry });
});

test("Retry-After is seconds or a date", () => {
  const now = Date.parse("2026-11-30T10:00:00Z");
  expect(
    ["3", "0", "Mon, 30 Nov 2026 10:00:05 GMT", "Mon, 30 Nov 2026 09:00:00 GMT", "soon", "-1", "", null].map((value) =>
      retryAfter(value, now),
    ),
  ).toEqual([3_000, 0, 5_000, 0, null, null, null, null]);
});

test("what failed below a fetch is said", () => {
  const cause = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:4483") });
  expect(noConnection("http://127.0.0.1:4483/v1/x", cause)).toMatchObject({
    ...{ code: "no-connection", status: 0, retry: "later" },
    message: "http://127.0.0.1:4483 does not answer (connect ECONNREFUSED 127.0.0.1:4483).",
  });
});
