import { expect, test } from "vitest";
import { categoryOf, isQuestion, pathsOf } from "./tool-table.ts";

test("a tool nobody knows is of the category that needs the most trust", () => {
  expect(categoryOf("SomethingNew")).toBe("other");
  expect(categoryOf("mcp__server__read")).toBe("other");
  expect(categoryOf("Task")).toBe(categoryOf("Agent"));
});

test("paths are absolute, whichever input holds them", () => {
  expect(pathsOf("Write", { file_path: "a/b" }, "/w")).toEqual(["/w/a/b"]);
  expect(pathsOf("Read", { file_path: "/etc/x" }, "/w")).toEqual(["/etc/x"]);
  expect(pathsOf("Grep", { pattern: "x" }, "/w")).toEqual([]);
  expect(pathsOf("Edit", null, "/w")).toEqual([]);
});

test("what the agent asks a person is never decided by a mode", () => {
  expect(["AskUserQuestion", "ExitPlanMode", "Bash"].map(isQuestion)).toEqual([true, true, false]);
});
