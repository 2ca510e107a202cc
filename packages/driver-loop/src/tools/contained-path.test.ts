import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolBench } from "../testing/tool-bench.ts";
import { containedPath } from "./contained-path.ts";
import { loopTools } from "./loop-tools.ts";
import { writeTool } from "./write-tool.ts";

test("a path inside is resolved, links and all, also when it does not exist yet", async () => {
  const bench = await toolBench();
  await mkdir(join(bench.workspace, "real"));
  await symlink("real", join(bench.workspace, "link"));
  expect(await containedPath(bench, "link/new/file", "write")).toBe(join(bench.workspace, "real/new/file"));
  expect(await containedPath(bench, ".", "read")).toBe(bench.workspace);
  expect(await containedPath(bench, join(bench.workspace, "a"), "read")).toBe(join(bench.workspace, "a"));
});

test("a workspace that is itself a link is fine", async () => {
  const bench = await toolBench();
  const link = join(bench.outside, "workspace");
  await symlink(bench.workspace, link);
  const place = { workspace: link, outputs: bench.outputs };
  expect(await containedPath(place, join(link, "a"), "write")).toBe(join(bench.workspace, "a"));
});

const escapes: readonly (readonly [string, (bench: { outside: string }) => string])[] = [
  ["..", () => "../outside/secret"],
  ["an absolute path", ({ outside }) => join(outside, "secret")],
  ["a link to a directory", () => "to-outside/secret"],
  ["a link to a file", () => "to-secret"],
  ["a link to nothing", () => "to-nothing"],
  ["a name that only begins like the workspace", ({ outside }) => join(outside, "../workspace-2/a")],
  ["another process's files", () => "/proc/self/environ"],
];

for (const [what, pathOf] of escapes) {
  test(`${what} does not lead outside, for any tool`, async () => {
    const bench = await toolBench();
    await writeFile(join(bench.outside, "secret"), "secret words");
    await symlink(bench.outside, join(bench.workspace, "to-outside"));
    await symlink(join(bench.outside, "secret"), join(bench.workspace, "to-secret"));
    await symlink(join(bench.outside, "not-there"), join(bench.workspace, "to-nothing"));
    const path = pathOf(bench);
    const input = { path, content: "x", oldText: "secret", newText: "x", pattern: "secret" };
    for (const tool of loopTools.filter(({ name }) => name !== "bash")) {
      await expect(bench.run(tool, input)).rejects.toThrow(/outside the workspace|broken symbolic link/);
      await expect(bench.paths(tool, input)).rejects.toThrow(/outside the workspace|broken symbolic link/);
    }
    expect(await readdir(bench.outside)).toEqual(["secret"]);
  });
}

test("a link is followed as it is when the call runs, not as it was when it was asked about", async () => {
  const bench = await toolBench();
  const call = writeTool.open({ path: "dir/file", content: "x" });
  expect(await call.paths(bench)).toEqual([join(bench.workspace, "dir/file")]);
  await symlink(bench.outside, join(bench.workspace, "dir"));
  await expect(bench.run(writeTool, { path: "dir/file", content: "x" })).rejects.toThrow("outside the workspace");
});

test("long outputs may be read and not written", async () => {
  const bench = await toolBench();
  const file = join(bench.outputs, "1.txt");
  expect(await containedPath(bench, file, "read")).toBe(file);
  await expect(containedPath(bench, file, "write")).rejects.toThrow("outside the workspace");
});

test("a path with a null byte is refused", async () => {
  const bench = await toolBench();
  await expect(containedPath(bench, "a\0b", "read")).rejects.toMatchObject({ code: "tool-failed" });
});
