import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readWorkspaceText } from "./workspace-text.ts";

let root = "";
let workspace = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "mooring-text-"));
  workspace = join(root, "work");
  await mkdir(workspace);
});
afterEach(() => rm(root, { recursive: true }));
const write = (name: string, text: string | Uint8Array) => writeFile(join(workspace, name), text);

test("both files are told, with their names, in a fixed order", async () => {
  await write("CLAUDE.md", "two\n");
  await write("AGENTS.md", "\none");
  expect(await readWorkspaceText(workspace)).toEqual([
    { path: "AGENTS.md", text: "one" },
    { path: "CLAUDE.md", text: "two" },
  ]);
});

test("the same text under two names is told once", async () => {
  await write("AGENTS.md", "one");
  await symlink("AGENTS.md", join(workspace, "CLAUDE.md"));
  expect((await readWorkspaceText(workspace)).map(({ path }) => path)).toEqual(["AGENTS.md"]);
});

test("nothing that is not a file inside the workspace is told", async () => {
  expect(await readWorkspaceText(workspace)).toEqual([]);
  expect(await readWorkspaceText(join(root, "gone"))).toEqual([]);
  await writeFile(join(root, "secret"), "secret");
  await symlink(join(root, "secret"), join(workspace, "AGENTS.md"));
  await mkdir(join(workspace, "CLAUDE.md"));
  expect(await readWorkspaceText(workspace)).toEqual([]);
});

test("a pipe under that name holds nobody up", async () => {
  await promisify(execFile)("mkfifo", [join(workspace, "AGENTS.md")]);
  expect(await readWorkspaceText(workspace)).toEqual([]);
});

test("what is long is cut and says so, what is no text does no harm", async () => {
  await write("AGENTS.md", "é".repeat(40_000));
  await write("CLAUDE.md", new Uint8Array([0x61, 0, 0xff, 0x62]));
  const [long, odd] = await readWorkspaceText(workspace);
  expect(long?.text).toMatch(/^é+\n\[cut: the file has 80000 bytes\]$/);
  expect(long?.text.length).toBeLessThan(33_000);
  expect(odd?.text).toBe("a\ufffdb");
});

test("nothing else of a workspace is read", async () => {
  await mkdir(join(workspace, ".claude"));
  await write(".claude/settings.json", '{"hooks":{}}');
  await write("system.md", "replace everything");
  expect(await readWorkspaceText(workspace)).toEqual([]);
});
