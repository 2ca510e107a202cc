import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import {
  descendantsOf,
  ProcessLister,
  parseStat,
  readFromProc,
  readFromPs,
  readProcessTable,
  startTimeOf,
} from "./process-table.ts";

const started: ChildProcess[] = [];
const sleeper = (): number => {
  const child = spawn("sleep", ["60"]);
  started.push(child);
  return child.pid ?? 0;
};
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

test("a child is listed below this process, with the start time it was recorded with", async () => {
  const pid = sleeper();
  const table = await readProcessTable();
  expect(table.get(pid)).toEqual({ pid, ppid: process.pid, startTime: startTimeOf(pid) });
  expect(descendantsOf(table, [process.pid]).map((entry) => entry.pid)).toContain(pid);
});

test.runIf(process.platform === "linux")("ps and /proc tell the same family", async () => {
  const pid = sleeper();
  const [proc, ps] = await Promise.all([readFromProc(), readFromPs()]);
  expect(ps.get(pid)?.ppid).toBe(proc.get(pid)?.ppid);
  expect(ps.get(pid)?.startTime).toMatch(/\d\d:\d\d:\d\d/);
});

test("a process that is over is not listed, and its start time equals none", async () => {
  const child = spawn("true");
  const pid = child.pid ?? 0;
  await once(child, "exit");
  expect((await readProcessTable()).has(pid)).toBe(false);
  expect(startTimeOf(pid)).toBe("gone");
});

test("a zombie is over, and a name may hold spaces and parentheses", () => {
  const stat = (state: string) => `77 (a) Z (b c) ${state} 12 ${"0 ".repeat(17)}4711 0 0\n`;
  const entry = { pid: 77, ppid: 12, startTime: expect.stringMatching(/^4711@/) };
  expect(parseStat(stat("S"), { zombies: false })).toEqual(entry);
  expect(parseStat(stat("Z"), { zombies: false })).toBeUndefined();
  expect(parseStat(stat("Z"), { zombies: true })).toEqual(entry);
  expect(parseStat("", { zombies: true })).toBeUndefined();
});

test("descendants come parents first, and a cycle in a torn listing ends", () => {
  const entry = (pid: number, ppid: number) => [pid, { pid, ppid, startTime: `${pid}` }] as const;
  const table = new Map([entry(5, 4), entry(3, 2), entry(4, 3), entry(2, 4), entry(9, 1)]);
  expect(descendantsOf(table, [3]).map((found) => found.pid)).toEqual([4, 5, 2]);
});

test("an answer is never older than its question", async () => {
  const lister = new ProcessLister();
  const first = lister.read();
  const pid = sleeper();
  const [later, same] = [lister.read(), lister.read()];
  expect((await later).has(pid)).toBe(true);
  expect(await same).toBe(await later);
  expect(await first).not.toBe(await later);
});
