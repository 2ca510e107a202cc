/** Every error code of the host has its status: the sources are asked, so a code that is added later is missed here. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MooringError, StoreRefused } from "../protocol/errors.ts";
import { problemOf } from "./problem.ts";
import { knownCodes, statusOf } from "./problem-status.ts";

const source = join(import.meta.dirname, "..");
const folders = "{host,http,ports,protocol,session,stores}";
const texts = globSync(`${folders}/**/*.ts`, { cwd: source })
  .filter((path) => !/\.test\.ts$|\/(children|contract)\/|\/test-/.test(path))
  .map((path) => ({ path, text: readFileSync(join(source, path), "utf8") }));
const all = (form: RegExp): string[] =>
  texts.flatMap(({ text }) => [...text.matchAll(form)].map(([, code = ""]) => code));
const unionOf = (name: string, path: string): string[] => {
  const text = texts.find((each) => each.path === path)?.text ?? "";
  const [, union = ""] = new RegExp(`export type ${name} =([^;]*);`).exec(text) ?? [];
  return [...union.matchAll(/"([a-z-]+)"/g)].map(([, code = ""]) => code);
};

test("every code that is thrown has a status of its own", () => {
  const literals = all(/(?:new (?:MooringError|StoreRefused)|httpError)\(\s*"([a-z-]+)"/g);
  const unions = [unionOf("Refusal", "session/events.ts"), unionOf("RefusedCode", "protocol/errors.ts")];
  for (const codes of unions) expect(codes.length).toBeGreaterThan(5);
  expect(literals.length).toBeGreaterThan(60);
  const missing = new Set(
    [...literals, ...unions.flat(), "resume-failed"].filter((code) => !knownCodes.includes(code)),
  );
  expect([...missing].sort()).toEqual([]);
});

/** Where a code is not written out it is one of a union, which the compiler holds complete, or comes over a thread. */
test("no other code is made up where it is thrown", () => {
  const made = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/new (?:MooringError|StoreRefused)\(\s*([^"\s][^,]*),/g)].map(
      ([, what = ""]) => `${path}: ${what}`,
    ),
  );
  expect(made.sort()).toEqual([
    "host/calls/submit.ts: why",
    "http/problem.ts: code",
    'stores/sqlite/failure.ts: refusals.get(code) ?? "io"',
    "stores/sqlite/sqlite-store.ts: reply.refused",
    "stores/sqlite/thread.ts: reply.failed",
    "stores/sqlite/thread.ts: reply.refused",
  ]);
});

test("each code has one status, and what a driver refuses is 422", () => {
  expect(new Set(knownCodes).size).toBe(knownCodes.length);
  expect(statusOf("some-driver-said-no")).toBe(422);
});

test("the inside stays inside, whatever was thrown", () => {
  const secret = "/home/me/secret: password1";
  for (const cause of [new TypeError(secret), secret, null, new StoreRefused("corrupt", secret)]) {
    const problem = problemOf(cause);
    expect(problem).toMatchObject({ status: 500, retry: "never" });
    expect(JSON.stringify(problem)).not.toContain("secret");
  }
});

test("facts of an error are told, and cannot pass for what every problem says", () => {
  const error = new MooringError("no-such-agent", "There is none.", {
    detail: { agent: "x", status: 200, code: "ok" },
  });
  expect(problemOf(error)).toEqual({
    type: "urn:mooring:problem:no-such-agent",
    title: "No such agent",
    status: 404,
    detail: "There is none.",
    code: "no-such-agent",
    retry: "never",
    hint: "GET /v1/agents lists them.",
    agent: "x",
  });
  const field = problemOf(new MooringError("bad-session", "Not that.", { detail: { field: "title" } }));
  expect(field["errors"]).toEqual([{ in: "body", pointer: "/title", detail: "Not that." }]);
});
