import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { type ToolBench, toolBench } from "../testing/tool-bench.ts";
import { findTool } from "./find-tool.ts";
import { grepTool } from "./grep-tool.ts";

async function treeBench(): Promise<ToolBench> {
  const bench = await toolBench();
  const files = {
    "a.ts": "const alpha = 1;\nconst beta = 2;\n",
    "src/b.ts": "export const Alpha = 3;\n",
    "src/deep/c.md": "alpha and omega\n",
    "node_modules/x/d.ts": "alpha\n",
    ".git/config": "alpha\n",
    ".env": "alpha=1\n",
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(bench.workspace, path, ".."), { recursive: true });
    await writeFile(join(bench.workspace, path), content);
  }
  await writeFile(join(bench.workspace, "bin"), Buffer.from("alpha\0"));
  await writeFile(join(bench.outside, "e.ts"), "alpha\n");
  await symlink(bench.outside, join(bench.workspace, "linked"));
  return bench;
}

test("grep finds lines and skips what is binary, linked or not the user's", async () => {
  const bench = await treeBench();
  const lines = (await bench.run(grepTool, { pattern: "alpha" })).split("\n");
  expect(lines).toEqual([".env:1: alpha=1", "a.ts:1: const alpha = 1;", "src/deep/c.md:1: alpha and omega"]);
});

test("grep narrows by directory, file, glob and case", async () => {
  const bench = await treeBench();
  expect(await bench.run(grepTool, { pattern: "alpha", path: "src" })).toBe("src/deep/c.md:1: alpha and omega");
  expect(await bench.run(grepTool, { pattern: "^const", path: "a.ts" })).toBe(
    "a.ts:1: const alpha = 1;\na.ts:2: const beta = 2;",
  );
  expect(await bench.run(grepTool, { pattern: "alpha", glob: "*.ts", ignoreCase: true })).toBe(
    "a.ts:1: const alpha = 1;\nsrc/b.ts:1: export const Alpha = 3;",
  );
  expect(await bench.run(grepTool, { pattern: "gamma" })).toBe("[no line matches]");
});

test("grep says what is wrong with a pattern or a path", async () => {
  const bench = await treeBench();
  await expect(bench.run(grepTool, { pattern: "(" })).rejects.toThrow("The pattern is not valid");
  await expect(bench.run(grepTool, { pattern: "x", path: "no" })).rejects.toThrow("no: no such file or directory.");
});

test("grep is bounded in hits and in the length of one", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "many"), "hit\n".repeat(limits.searchHits + 5));
  const lines = (await bench.run(grepTool, { pattern: "hit" })).split("\n");
  expect(lines).toHaveLength(limits.searchHits + 1);
  expect(lines.at(-1)).toBe(`[only the first ${limits.searchHits} hits are shown]`);
  await writeFile(join(bench.workspace, "long"), "x".repeat(100_000));
  expect((await bench.run(grepTool, { pattern: "x", path: "long" })).length).toBeLessThan(limits.searchLineChars + 20);
});

test("a pattern that backtracks for ever holds up nobody and ends at the time limit", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "trap"), `${"a".repeat(40)}b`);
  const searching = bench.run(grepTool, { pattern: "^(a+)+$" });
  await bench.clock.armed();
  bench.clock.advance(limits.searchMs);
  await expect(searching).rejects.toThrow("took longer than 30 seconds");
});

test("a stop ends a search", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "trap"), `${"a".repeat(40)}b`);
  const searching = bench.run(grepTool, { pattern: "^(a+)+$" });
  bench.stop.abort(new TypeError("stopped"));
  await expect(searching).rejects.toThrow("stopped");
});

test("find matches names anywhere, and paths from the workspace or the directory", async () => {
  const bench = await treeBench();
  expect(await bench.run(findTool, { pattern: "*.ts" })).toBe("a.ts\nsrc/b.ts");
  expect(await bench.run(findTool, { pattern: "src/**/*.md" })).toBe("src/deep/c.md");
  expect(await bench.run(findTool, { pattern: "deep/*.md", path: "src" })).toBe("src/deep/c.md");
  expect(await bench.run(findTool, { pattern: "*.rs" })).toBe("[no file matches]");
});
