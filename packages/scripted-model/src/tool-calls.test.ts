import { describe, expect, it } from "vitest";
import type { OfferedTool } from "./conversation.ts";
import { offer } from "./testing/conversations.ts";
import { listCall, malformedCall, readCall, shellCall, writeCall } from "./tool-calls.ts";

const shellOf = (tool: OfferedTool): unknown => JSON.parse(shellCall([offer("other"), tool], "ls")?.input ?? "null");

describe("shellCall", () => {
  const array: OfferedTool = { name: "shell", properties: { command: "array" } };
  const cases: readonly [string, OfferedTool, unknown][] = [
    ["bash", offer("bash", "command", "timeout"), { command: "ls" }],
    ["bash without a schema", offer("bash"), { command: "ls" }],
    [
      "Bash with a description",
      offer("Bash", "command", "description"),
      { command: "ls", description: "scripted command" },
    ],
    ["shell with an array", array, { command: ["bash", "-lc", "ls"] }],
    ["shell without a schema", offer("shell"), { command: ["bash", "-lc", "ls"] }],
    ["shell with a string", offer("shell", "command"), { command: "ls" }],
    ["exec_command", offer("exec_command"), { cmd: "ls" }],
    ["exec_command by schema", offer("exec_command", "command"), { command: "ls" }],
    ["shell_command", offer("shell_command", "command"), { command: "ls" }],
    ["run_shell_command", offer("run_shell_command", "command"), { command: "ls" }],
  ];
  it.each(cases)("%s", (_, tool, input) => {
    expect(shellOf(tool)).toEqual(input);
  });
  it("is nothing without a shell", () => {
    expect(shellCall([offer("read")], "ls")).toBeUndefined();
  });
});

describe("file calls", () => {
  it.each([
    ["read by schema", readCall([offer("read", "file_path")], "a"), "read", { file_path: "a" }],
    ["read", readCall([offer("read")], "a"), "read", { path: "a" }],
    ["Read", readCall([offer("Read")], "a"), "Read", { file_path: "a" }],
    ["camel case", readCall([offer("read", "filePath")], "a"), "read", { filePath: "a" }],
    ["write", writeCall([offer("write", "path", "content")], "a", "b"), "write", { path: "a", content: "b" }],
    ["Write", writeCall([offer("Write")], "a", "b"), "Write", { file_path: "a", content: "b" }],
    ["ls", listCall([offer("ls", "path")]), "ls", { path: "." }],
    ["ls without a path", listCall([offer("ls", "depth")]), "ls", {}],
  ])("%s", (_, call, name, input) => {
    expect(call?.name).toBe(name);
    expect(JSON.parse(call?.input ?? "null")).toEqual(input);
  });
  it("are nothing without their tool", () => {
    expect([readCall([], "a"), writeCall([], "a", "b"), listCall([])]).toEqual([undefined, undefined, undefined]);
  });
});

describe("malformedCall", () => {
  it.each([
    ["the shell first", [offer("read"), offer("Bash")], "Bash"],
    ["else any tool", [offer("read")], "read"],
    ["else a made-up one", [], "bash"],
  ])("takes %s", (_, tools, name) => {
    const call = malformedCall(tools);
    expect(call.name).toBe(name);
    expect(() => JSON.parse(call.input)).toThrow(SyntaxError);
  });
});
