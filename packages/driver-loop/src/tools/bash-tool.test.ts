import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NamedPipe } from "@mooring/host/testing";
import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { toolBench } from "../testing/tool-bench.ts";
import { bashTool } from "./bash-tool.ts";
import { readTool } from "./read-tool.ts";
import { makeRoom } from "./shell-output.ts";

test("bash runs in the workspace with the session's environment and no input", async () => {
  const bench = await toolBench();
  const text = await bench.run(bashTool, { command: "pwd; echo $GREETING; env | grep -c NODE; cat; echo end" });
  expect(text).toBe(`${bench.workspace}\nhello\n0\nend\n`);
});

test("bash returns both outputs and the exit code", async () => {
  const bench = await toolBench();
  expect(await bench.run(bashTool, { command: "echo out; echo err >&2; exit 3" })).toMatch(
    /^(out\nerr|err\nout)\n\[exit code 3\]$/,
  );
  expect(await bench.run(bashTool, { command: "printf x; exit 1" })).toBe("x\n[exit code 1]");
  expect(await bench.run(bashTool, { command: "true" })).toBe("[no output]");
  expect(await bench.run(bashTool, { command: "kill -9 $$" })).toBe("[ended by SIGKILL]");
});

test("a long output is cut in the middle and kept whole in a file that read can open", async () => {
  const bench = await toolBench();
  const text = await bench.run(bashTool, { command: "seq 1 20000" });
  expect(text.length).toBeLessThan(limits.shellChars + 300);
  expect(text).toMatch(/^1\n2\n/);
  expect(text).toMatch(/19999\n20000\n$/);
  const file = /all of it: (\S+)\]/.exec(text)?.[1] ?? "";
  expect((await readFile(file, "utf8")).split("\n")).toHaveLength(20_001);
  expect(await bench.run(readTool, { path: file, offset: 10_000, limit: 1 })).toMatch(/^10000\n/);
});

test("a character split over two reads stays whole", async () => {
  const bench = await toolBench();
  expect(await bench.run(bashTool, { command: "printf '\\xc3'; printf '\\xa9'" })).toBe("é");
});

test("a file of outputs is bounded", async () => {
  const bench = await toolBench();
  const text = await bench.run(bashTool, {
    command: `head -c ${limits.shellFileBytes + 100_000} /dev/zero | tr '\\0' x`,
  });
  const file = /all of it: (\S+)\]/.exec(text)?.[1] ?? "";
  expect((await readFile(file)).length).toBe(limits.shellFileBytes);
});

test("only the newest files are kept", async () => {
  const bench = await toolBench();
  await makeRoom(bench.outputs);
  for (let i = 0; i < limits.shellFiles + 5; i++) await writeFile(join(bench.outputs, `${1_000 + i}.txt`), "");
  await makeRoom(bench.outputs);
  const names = await readdir(bench.outputs);
  expect(names).toHaveLength(limits.shellFiles - 1);
  expect(names.toSorted()[0]).toBe("1006.txt");
});

test("a command that takes too long is ended, with what it wrote", async () => {
  const bench = await toolBench();
  const pipe = NamedPipe.make(join(bench.workspace, "pipe"));
  const running = bench.run(bashTool, { command: "echo begun; echo > pipe; sleep 300", timeout: 5 });
  await pipe.read();
  bench.clock.advance(5_000);
  await expect(running).rejects.toThrow("begun\n[ended: it ran longer than 5 seconds]");
  expect(bench.processes.list()).toEqual([]);
});

test("a stop ends it", async () => {
  const bench = await toolBench();
  const running = bench.run(bashTool, { command: "sleep 300" });
  bench.stop.abort(new TypeError("stopped"));
  await expect(running).rejects.toThrow("stopped");
  expect(bench.processes.list()).toEqual([]);
  expect(bench.clock.pending()).toEqual([]);
});

test("a limit above the highest is refused", async () => {
  const bench = await toolBench();
  await expect(bench.run(bashTool, { command: "true", timeout: 601 })).rejects.toThrow("Invalid input for bash");
});
