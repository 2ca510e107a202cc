import { mkdir, mkdtemp, realpath, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCall } from "../../ports/driver.ts";
import type { PermissionMode } from "../../protocol/permission.ts";
import { type Bounds, judgeCall, type ToolHook } from "./judge-call.ts";
import { parseRule } from "./rule-notation.ts";
import type { Place } from "./subject.ts";
import type { Policy } from "./verdict.ts";

let place: Place;
let root = "";
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "mooring-judge-")));
  place = {
    workspace: join(root, "work"),
    dataDir: join(root, "data"),
    home: join(root, "data", "homes", "a"),
    userHome: "/home/me",
  };
  await mkdir(join(place.workspace, "src"), { recursive: true });
  await mkdir(place.home, { recursive: true });
  await mkdir(join(root, "outside"));
  await writeFile(join(root, "data", "secrets.json"), "{}");
  await writeFile(join(root, "outside", "secret"), "");
  await symlink(join(root, "outside"), join(place.workspace, "out"));
  await symlink(join(root, "data", "secrets.json"), join(place.workspace, "notes.md"));
  await symlink(join(place.workspace, "src"), join(place.workspace, "alias"));
});
afterAll(() => rm(root, { recursive: true }));

const call = (
  category: ToolCall["category"],
  paths: readonly string[] = [],
  more: Partial<ToolCall> = {},
): ToolCall => ({
  toolCallId: "c1",
  toolName: "tool",
  input: {},
  category,
  paths,
  turnId: "trn_1",
  ...more,
});
const policy = (mode: PermissionMode, more: Partial<Policy> = {}): Policy => ({
  mode,
  disabledTools: [],
  alwaysAsk: [],
  rules: [],
  ...more,
});
const bounds = (now: Policy, atStart: Policy | null = null): Bounds => ({ now, atStart, place });
const verdict = async (one: ToolCall, by: Bounds | (() => Bounds), hook: ToolHook | null = null) =>
  (await judgeCall(one, typeof by === "function" ? by : () => by, hook)).verdict;
const effect = async (...args: Parameters<typeof verdict>) => (await verdict(...args)).effect;

test("a turn keeps at most what it began with, and never more than what holds now", async () => {
  expect(await effect(call("write"), bounds(policy("bypassPermissions"), policy("default")))).toBe("ask");
  expect(await effect(call("write"), bounds(policy("plan"), policy("bypassPermissions")))).toBe("deny");
  const denied = policy("bypassPermissions", { rules: [{ ...parseRule("tool"), effect: "deny", stored: null }] });
  expect(await effect(call("write"), bounds(policy("bypassPermissions"), denied))).toBe("deny");
  expect(await effect(call("write"), bounds(denied, policy("bypassPermissions")))).toBe("deny");
  const { because } = await verdict(call("write"), bounds(policy("bypassPermissions"), policy("default")));
  expect(because).toBe('Mode "default" asks before a call that writes files. (As configured when the turn began.)');
});

test.each([
  ["an absolute path", () => "/etc/passwd"],
  ["a way out by dots", () => `${place.workspace}/src/../../outside/secret`],
  ["a link to a directory", () => `${place.workspace}/out/secret`],
  ["a new file behind it", () => `${place.workspace}/out/new`],
  ["a link to the host's secrets", () => `${place.workspace}/notes.md`],
  ["the host's secrets", () => join(place.dataDir, "secrets.json")],
  ["a relative path", () => "src/a"],
  ["a neighbour with the same beginning", () => `${place.workspace}-other/a`],
  ["dots that look like dots", () => `${place.workspace}/\uff0e\uff0e/../../outside`],
  ["a path through a file", () => `${root}/outside/secret/x`],
])("%s is refused in every mode", async (_, path) => {
  for (const category of ["read", "write", "other"] as const)
    expect(await effect(call(category, [path()]), bounds(policy("bypassPermissions")))).toBe("deny");
});

test("a path is judged by where it really is", async () => {
  const allow = { ...parseRule("tool(src/**)"), effect: "allow", stored: null } as const;
  const by = bounds(policy("default", { rules: [allow] }));
  expect(await effect(call("write", [`${place.workspace}/alias/a`]), by)).toBe("allow");
  expect(await effect(call("write", [`${place.workspace}/src/../b`]), by)).toBe("ask");
});

test("a link that is put in place while the hook thinks is seen", async () => {
  const path = join(place.workspace, "swapped");
  const swap: ToolHook = async () => {
    await symlink(join(root, "outside"), path);
    return "pass";
  };
  expect(await effect(call("write", [join(path, "a")]), bounds(policy("bypassPermissions")), swap)).toBe("deny");
  await unlink(path);
});

test("a hook may tighten, never loosen", async () => {
  const bypass = bounds(policy("bypassPermissions"));
  expect(await verdict(call("shell"), bypass, async () => "ask")).toMatchObject({ effect: "ask", by: "hook" });
  expect(await verdict(call("shell"), bypass, async () => ({ deny: "no" }))).toEqual({
    effect: "deny",
    by: "hook",
    because: "no",
  });
  expect(await effect(call("shell"), bounds(policy("default")), async () => "pass")).toBe("ask");
  expect(await effect(call("write"), bounds(policy("plan")), async () => "ask")).toBe("deny");
});

test("what is denied is not asked of a hook", async () => {
  let asked = 0;
  const hook: ToolHook = async () => {
    asked += 1;
    return "pass";
  };
  expect(await effect(call("shell"), bounds(policy("plan")), hook)).toBe("deny");
  expect(asked).toBe(0);
});

test("a mode that moves down while the hook thinks binds this call", async () => {
  let now = policy("bypassPermissions");
  const move: ToolHook = async () => {
    now = policy("plan");
    return "pass";
  };
  expect(await effect(call("shell"), () => bounds(now), move)).toBe("deny");
});

test("a hook's own input is judged as if the call had been made so, where the agent takes it", async () => {
  const hook: ToolHook = async () => ({ input: { path: "other" } });
  const all = bounds(policy("bypassPermissions"));
  const given: unknown[] = [];
  const taking = (path: string) =>
    call("write", [join(place.workspace, "src")], {
      replaceInput: async (input) => {
        given.push(input);
        return [path];
      },
    });
  const judged = await judgeCall(taking(join(place.workspace, "other")), () => all, hook);
  expect(judged).toMatchObject({ verdict: { effect: "allow" }, call: { input: { path: "other" } } });
  expect(await verdict(taking(join(root, "outside", "secret")), all, hook)).toMatchObject({ by: "containment" });
  expect(given).toEqual([{ path: "other" }, { path: "other" }]);
});

test("a hook's own input is a denial where the agent does not take one, or nobody can say what it touches", async () => {
  const hook: ToolHook = async () => ({ input: {} });
  const all = bounds(policy("bypassPermissions"));
  expect(await verdict(call("write"), all, hook)).toMatchObject({ effect: "deny", by: "hook" });
  const failing = call("write", [], { replaceInput: () => Promise.reject(new TypeError("no such place")) });
  const denied = { effect: "deny", by: "hook", because: expect.stringContaining("no such place") };
  expect(await verdict(failing, all, hook)).toMatchObject(denied);
});

test("a workspace that was put elsewhere since is no workspace, in any mode and with any rule", async () => {
  const moved: Place = { ...place, workspace: join(root, "moved") };
  await symlink(join(root, "outside"), moved.workspace);
  const all = policy("bypassPermissions", { rules: [{ ...parseRule("tool"), effect: "allow", stored: null }] });
  const by: Bounds = { now: all, atStart: null, place: moved };
  for (const one of [call("read", [join(moved.workspace, "secret")]), call("write"), call("shell")])
    expect(await verdict(one, by)).toMatchObject({ effect: "deny", because: expect.stringContaining("Put it back") });
});
