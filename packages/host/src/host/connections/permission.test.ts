import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCall } from "../../ports/driver.ts";
import type { PermissionMode } from "../../protocol/permission.ts";
import { decide, type Grants, type ToolHook } from "./permission.ts";

let workspace = "";
beforeAll(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), "mooring-permission-")));
  await symlink(tmpdir(), join(workspace, "out"));
});
afterAll(() => rm(workspace, { recursive: true }));

const call = (category: ToolCall["category"], more: Partial<ToolCall> = {}): ToolCall => ({
  toolCallId: "c1",
  toolName: "tool",
  input: {},
  category,
  paths: [],
  turnId: "trn_1",
  ...more,
});
const grants = (mode: PermissionMode, more: Partial<Grants> = {}): Grants => ({
  mode,
  turnMode: null,
  disabledTools: [],
  directories: [workspace],
  ...more,
});
const rule = async (c: ToolCall, g: Grants, hook: ToolHook | null = null): Promise<string> => {
  const decision = await decide(c, () => g, hook);
  return typeof decision === "string" ? decision : "deny";
};

test.each<[PermissionMode, Record<ToolCall["category"], string>]>([
  ["plan", { read: "allow", write: "deny", shell: "deny", network: "ask", other: "deny" }],
  ["default", { read: "allow", write: "ask", shell: "ask", network: "ask", other: "ask" }],
  ["acceptEdits", { read: "allow", write: "allow", shell: "ask", network: "ask", other: "ask" }],
  ["bypassPermissions", { read: "allow", write: "allow", shell: "allow", network: "allow", other: "allow" }],
])("mode %s", async (mode, expected) => {
  for (const category of ["read", "write", "shell", "network", "other"] as const)
    expect([category, await rule(call(category), grants(mode))]).toEqual([category, expected[category]]);
});

test("a turn keeps at most the mode it started with, and never more than the mode of now", async () => {
  const write = call("write");
  expect(await rule(write, grants("bypassPermissions", { turnMode: "default" }))).toBe("ask");
  expect(await rule(write, grants("plan", { turnMode: "bypassPermissions" }))).toBe("deny");
});

test("a path outside is refused in every mode, for reading too, also through a link", async () => {
  for (const paths of [["/etc/passwd"], [join(workspace, "a"), join(workspace, "out", "b")]])
    expect(await rule(call("read", { paths }), grants("bypassPermissions"))).toBe("deny");
  expect(await rule(call("write", { paths: [join(workspace, "a")] }), grants("acceptEdits"))).toBe("allow");
});

test("a disabled tool is refused in every mode", async () => {
  expect(await rule(call("read"), grants("bypassPermissions", { disabledTools: ["tool"] }))).toBe("deny");
});

test("a hook may tighten, never loosen", async () => {
  expect(await rule(call("shell"), grants("bypassPermissions"), async () => "ask")).toBe("ask");
  expect(await rule(call("shell"), grants("bypassPermissions"), async () => ({ deny: "no" }))).toBe("deny");
  expect(await rule(call("shell"), grants("default"), async () => "pass")).toBe("ask");
  expect(await rule(call("write"), grants("plan"), async () => "ask")).toBe("deny");
});

test("a mode that moves down while the hook thinks binds this call", async () => {
  let now = grants("bypassPermissions");
  const decision = await decide(
    call("shell"),
    () => now,
    async () => {
      now = grants("plan");
      return "pass";
    },
  );
  expect(decision).toMatchObject({ deny: expect.any(String) });
});
