import { expect, test } from "vitest";
import { rulesOf } from "./rule-lines.ts";

test("a rule a line: its effect, its tool, and what its call matches", () => {
  expect(rulesOf("allow bash(git status*)\n\n  deny write(src/**)\nask mcp__*")).toEqual([
    { effect: "allow", tool: "bash", pattern: "git status*" },
    { effect: "deny", tool: "write", pattern: "src/**" },
    { effect: "ask", tool: "mcp__*", pattern: null },
  ]);
  expect(rulesOf("")).toEqual([]);
});
test.each(["allow", "permit bash", "allow bash(open", "bash(x)"])("%s is none", (line) => {
  expect(rulesOf(`ask read\n${line}`)).toBeNull();
});
