/** `mooring run` on a terminal of its own: questions, steers, Ctrl-C. What is typed goes through the kernel's terminal. */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";

const ctrlC = "\u0003";
const ctrlD = "\u0004";
const slow = `#slow 200 ${Array.from({ length: 200 }, (_, n) => `w${n}`).join(" ")}`;

test("a question is asked, an odd answer is not taken, and the allowed call runs", async () => {
  const { startOnTerminal, work } = await sandbox();
  const mooring = startOnTerminal(["run", "--mode", "default", "#bash echo hi > made.txt\n#say after"]);
  const asked = await mooring.until(/d REASON to deny with a reason/);
  expect(asked).toMatch(/bash.*asks to run.*apr_/);
  expect(asked).toContain("command: echo hi > made.txt");
  mooring.write("perhaps\n");
  await mooring.until(/That is no answer/);
  await expect(access(join(work, "made.txt"))).rejects.toThrow();
  mooring.write("a\n");
  const { code, out } = await mooring.ended;
  expect(code).toBe(0);
  expect(out).toContain("after");
  expect(await readFile(join(work, "made.txt"), "utf8")).toBe("hi\n");
});

test("a denial is told to the agent with its reason", async () => {
  const { startOnTerminal } = await sandbox();
  const mooring = startOnTerminal(["run", "--mode", "default", "#bash rm -rf .\n#say after"]);
  await mooring.until(/d REASON/);
  mooring.write("no, that is my work\n");
  const { code, out } = await mooring.ended;
  expect(code).toBe(0);
  expect(out).toMatch(/bash rm -rf \..*denied: that is my work/);
});

test("two questions of one step are asked one after the other", async () => {
  const { startOnTerminal, work } = await sandbox();
  const calls = ["one", "two"].map((name) => ({ name: "bash", input: { command: `echo > ${name}` } }));
  const mooring = startOnTerminal(["run", "--mode", "default", `#tools ${JSON.stringify(calls)}\n#say after`]);
  const first = await mooring.until(/d REASON/);
  expect(first.match(/asks to run/g)).toHaveLength(1);
  mooring.write("a\n");
  const second = await mooring.until(/asks to run[\s\S]*asks to run[\s\S]*d REASON/);
  expect(second).toContain("command: echo > two");
  mooring.write("d\n");
  expect((await mooring.ended).code).toBe(0);
  await access(join(work, "one"));
  await expect(access(join(work, "two"))).rejects.toThrow();
});

test("a line that is typed while the agent works is a steer", async () => {
  const { startOnTerminal, pipe } = await sandbox();
  const mooring = startOnTerminal(["run", "--mode", "bypassPermissions", "#bash cat gate\n#say last"]);
  const gate = pipe("gate");
  await mooring.until(/bash cat gate/);
  mooring.write("mind the gap\n");
  await mooring.until(/given to the running turn/);
  await gate.write();
  const { code, out } = await mooring.ended;
  expect(code).toBe(0);
  expect(out).toMatch(/steer taken:\S* mind the gap/);
  expect(out).toContain("(noted: mind the gap)");
});

test("Ctrl-C stops the turn: exit status 130, and the session goes on later", async () => {
  const { startOnTerminal, run } = await sandbox();
  const mooring = startOnTerminal(["run", slow]);
  await mooring.until(/w3/);
  mooring.write(ctrlC);
  const { code, out } = await mooring.ended;
  expect(code).toBe(130);
  expect(out).toContain("stopping the turn");
  expect(out).toMatch(/■ stopped after/);
  const again = await run(["run", "--session", sessionIn(out), "#say still here"]);
  expect([again.code, again.out.includes("still here")]).toEqual([0, true]);
});

test("a second Ctrl-C leaves at once; the turn is interrupted, not lost", async () => {
  const { startOnTerminal, run, pipe } = await sandbox();
  const begun = pipe("begun");
  // Deaf to SIGTERM, so that the stop takes its time.
  const deaf = "#bash trap '' TERM; echo > begun; sleep 30";
  const mooring = startOnTerminal(["run", "--mode", "bypassPermissions", deaf]);
  await begun.read();
  mooring.write(ctrlC);
  await mooring.until(/stopping the turn/);
  mooring.write(ctrlC);
  const { code, out } = await mooring.ended;
  expect(code).toBe(130);
  const shown = await run(["sessions", "show", sessionIn(out)]);
  expect(shown.out).toMatch(/assistant \((stopped|interrupted: [^)]+)\)[\s\S]*bash trap/);
});

test("a question outlives the terminal: the answer may come from another command", async () => {
  const { startOnTerminal, run, work } = await sandbox();
  const mooring = startOnTerminal(["run", "--mode", "default", "#bash echo hi > made.txt\n#say after"]);
  await mooring.until(/d REASON/);
  mooring.write(ctrlD);
  const left = await mooring.ended;
  expect(left.code).toBe(1);
  const id = /approvals allow (apr_\S+)/.exec(left.out)?.[1] ?? "";
  const listed = await run(["approvals", "ls"]);
  expect(listed).toMatchObject({ err: "", out: expect.stringContaining(`${id}\n    command: echo hi > made.txt`) });
  const unanswered = await run(["run", "--session", sessionIn(left.out)]);
  expect([unanswered.code, unanswered.out.includes(`approvals allow ${id}`)]).toEqual([1, true]);
  const allowed = await run(["approvals", "allow", id]);
  expect(allowed.code).toBe(0);
  expect(allowed.out).toMatch(/after\n✓ completed/);
  expect(await readFile(join(work, "made.txt"), "utf8")).toBe("hi\n");
  expect(await run(["approvals", "deny", id])).toMatchObject({ code: 1, err: expect.stringContaining("allow") });
});

test("`run --session` asks what is open before anything new starts", async () => {
  const { startOnTerminal } = await sandbox();
  const first = startOnTerminal(["run", "--mode", "default", "#bash echo hi > made.txt\n#say after"]);
  await first.until(/d REASON/);
  first.write(ctrlD);
  const session = sessionIn((await first.ended).out);
  const second = startOnTerminal(["run", "--session", session, "#say and then"]);
  await second.until(/d REASON/);
  second.write("d not now\n");
  const { code, out } = await second.ended;
  expect(code).toBe(0);
  expect(out).toMatch(/denied: not now[\s\S]*after[\s\S]*completed[\s\S]*and then[\s\S]*completed/);
});
