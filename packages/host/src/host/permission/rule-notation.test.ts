import { expect, test } from "vitest";
import { formatRule, parseRule } from "./rule-notation.ts";

test.each<[string, string, string | null]>([
  ["bash", "bash", null],
  ["bash(git status*)", "bash", "git status*"],
  ["bash(echo (a) b)", "bash", "echo (a) b"],
  ["bash(a\nb)", "bash", "a\nb"],
  ["@write(src/**)", "@write", "src/**"],
  ["mcp__*", "mcp__*", null],
])("%j", (text, tool, pattern) => {
  expect(parseRule(text)).toEqual({ tool, pattern });
  expect(formatRule({ tool, pattern })).toBe(text);
});
test.each(["*(*)", "*(**)", "*"])("%s is about every call", (text) => {
  expect(parseRule(text)).toEqual({ tool: "*", pattern: null });
});
test.each([
  ["", "tool"],
  ["a b", "tool"],
  ["bash(ls", "tool"],
  ["bash)", "tool"],
  ["@wrote", "tool"],
  ["a@b", "tool"],
  ["x".repeat(201), "tool"],
  ["bash()", "pattern"],
  ["bash( )", "pattern"],
  [`bash(${"x".repeat(20_001)})`, "pattern"],
])("%j is no rule", (text, field) => {
  expect(() => parseRule(text)).toThrow(expect.objectContaining({ code: "bad-rule", detail: { field } }));
});
