import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { toolBench } from "../testing/tool-bench.ts";
import { editTool } from "./edit-tool.ts";
import { lsTool } from "./ls-tool.ts";
import { readTool } from "./read-tool.ts";
import { writeTool } from "./write-tool.ts";

const numbered = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

test("read returns a file as it is", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "a.txt"), "one\r\ntwo\nthree");
  expect(await bench.run(readTool, { path: "a.txt" })).toBe("one\r\ntwo\nthree");
});

test("read returns the lines asked for and says where to go on", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "a.txt"), numbered(10));
  expect(await bench.run(readTool, { path: "a.txt", offset: 3, limit: 2 })).toBe(
    "line 3\nline 4\n[more lines follow: read on with offset 5]",
  );
  expect(await bench.run(readTool, { path: "a.txt", offset: 9 })).toBe("line 9\nline 10\n");
  expect(await bench.run(readTool, { path: "a.txt", offset: 9, limit: 2 })).toBe("line 9\nline 10\n");
  expect(await bench.run(readTool, { path: "a.txt", offset: 50 })).toContain("ends before line 50");
});

test("a pipe is refused by every file tool: opening one could wait for ever", async () => {
  const bench = await toolBench();
  await once(spawn("mkfifo", [join(bench.workspace, "pipe")]), "exit");
  const refused = /pipe is not a regular file/;
  await expect(bench.run(readTool, { path: "pipe" })).rejects.toThrow(refused);
  await expect(bench.run(writeTool, { path: "pipe", content: "x" })).rejects.toThrow(refused);
  await expect(bench.run(editTool, { path: "pipe", oldText: "a", newText: "b" })).rejects.toThrow(refused);
});

test("read is bounded in lines", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "a.txt"), numbered(limits.readLines + 5));
  const text = await bench.run(readTool, { path: "a.txt", limit: 1_000_000 });
  expect(text.split("\n")).toHaveLength(limits.readLines + 1);
  expect(text).toContain(`offset ${limits.readLines + 1}]`);
});

test("read is bounded in bytes, and never splits a character", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "a.txt"), `short\n${"é".repeat(limits.readBytes)}\nend\n`);
  const text = await bench.run(readTool, { path: "a.txt" });
  expect(Buffer.byteLength(text)).toBeLessThan(limits.readBytes + 100);
  expect(text).not.toContain("\uFFFD");
  expect(text).toContain("[line 2 is cut at the size limit: read on with offset 2]");
  expect(await bench.run(readTool, { path: "a.txt", offset: 2 })).toContain("read on with offset 3]");
  expect(await bench.run(readTool, { path: "a.txt", offset: 3 })).toBe("end\n");
});

test("read says what it cannot read", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "bin"), Buffer.from([1, 0, 2]));
  await writeFile(join(bench.workspace, "empty"), "");
  await expect(bench.run(readTool, { path: "bin" })).rejects.toThrow("bin is a binary file.");
  await expect(bench.run(readTool, { path: "." })).rejects.toThrow(". is a directory: use ls.");
  await expect(bench.run(readTool, { path: "no" })).rejects.toThrow("no: no such file or directory.");
  expect(await bench.run(readTool, { path: "empty" })).toBe("[empty is empty]");
});

test("write makes directories and replaces what was there", async () => {
  const bench = await toolBench();
  expect(await bench.run(writeTool, { path: "a/b/c.txt", content: "é" })).toBe("Wrote 2 bytes to a/b/c.txt.");
  await bench.run(writeTool, { path: "a/b/c.txt", content: "" });
  expect(await readFile(join(bench.workspace, "a/b/c.txt"), "utf8")).toBe("");
  await expect(bench.run(writeTool, { path: "a/b", content: "x" })).rejects.toThrow("a/b: it is a directory.");
});

test("edit replaces one exact piece, and takes the new text literally", async () => {
  const bench = await toolBench();
  const file = join(bench.workspace, "a.txt");
  await writeFile(file, "const a = 1;\nconst b = 1;\n");
  await bench.run(editTool, { path: "a.txt", oldText: "a = 1", newText: "a = $& $1" });
  expect(await readFile(file, "utf8")).toBe("const a = $& $1;\nconst b = 1;\n");
});

test("edit leaves the file alone unless the piece occurs once", async () => {
  const bench = await toolBench();
  const file = join(bench.workspace, "a.txt");
  await writeFile(file, "x x");
  const edit = (oldText: string, rest: object = {}) =>
    bench.run(editTool, { path: "a.txt", oldText, newText: "y", ...rest });
  await expect(edit("z")).rejects.toThrow("does not occur in a.txt");
  await expect(edit("x")).rejects.toThrow("occurs 2 times in a.txt");
  await expect(edit("y")).rejects.toThrow("are the same");
  expect(await readFile(file, "utf8")).toBe("x x");
  expect(await edit("x", { replaceAll: true })).toBe("Replaced 2 occurrences in a.txt.");
  expect(await readFile(file, "utf8")).toBe("y y");
});

test("edit refuses what it would damage", async () => {
  const bench = await toolBench();
  await writeFile(join(bench.workspace, "latin"), Buffer.from([0x61, 0xe9, 0x62]));
  await writeFile(join(bench.workspace, "bin"), Buffer.from([0x61, 0, 0x62]));
  await expect(bench.run(editTool, { path: "latin", oldText: "a", newText: "b" })).rejects.toThrow("not valid UTF-8");
  await expect(bench.run(editTool, { path: "bin", oldText: "a", newText: "b" })).rejects.toThrow("binary");
  await expect(bench.run(editTool, { path: "no", oldText: "a", newText: "b" })).rejects.toThrow("no such file");
});

test("ls names what is there, by kind", async () => {
  const bench = await toolBench();
  await mkdir(join(bench.workspace, "dir"));
  await writeFile(join(bench.workspace, ".hidden"), "");
  await symlink("dir", join(bench.workspace, "link"));
  expect(await bench.run(lsTool, {})).toBe(".hidden\ndir/\nlink@");
  expect(await bench.run(lsTool, { path: "dir" })).toBe("[dir is empty]");
  await expect(bench.run(lsTool, { path: ".hidden" })).rejects.toThrow("not a directory");
});

test("ls is bounded", async () => {
  const bench = await toolBench();
  for (let i = 0; i < limits.listEntries + 3; i++) await writeFile(join(bench.workspace, `f${i}`), "");
  const lines = (await bench.run(lsTool, {})).split("\n");
  expect(lines).toHaveLength(limits.listEntries + 1);
  expect(lines.at(-1)).toBe("[3 more entries]");
});

test("an input that does not fit the schema is a failure in words", async () => {
  const bench = await toolBench();
  await expect(bench.run(readTool, { path: 7 })).rejects.toThrow("Invalid input for read");
});
