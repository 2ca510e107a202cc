/** `mooring run` without a terminal, as it is started by a person or a script: the real command, the real store. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";

test("the first run works in the directory it is started in, and says how to go on", async () => {
  const { run, work } = await sandbox();
  await writeFile(join(work, "README.md"), "# A small project\n");
  const { code, out, err } = await run(["run", "Show me how a session works"]);
  expect([code, err]).toEqual([0, ""]);
  expect(out.startsWith(`workspace ${work}\nsession   ses_`)).toBe(true);
  expect(out).toContain("● read README.md  # A small project\n");
  expect(out).toMatch(/\n✓ completed in .* tokens in, \d+ out\n/);
  expect(out.endsWith(`continue  mooring run --session ${sessionIn(out)} "…"\n`)).toBe(true);
  expect(out).not.toContain("\u001b");
  expect(await readFile(join(work, "mooring-demo.md"), "utf8")).toContain("> Show me how a session works");
});

test("a session goes on where it was, in the directory it was made for", async () => {
  const { run, work } = await sandbox();
  const session = sessionIn((await run(["run", "Hello"])).out);
  const again = await run(["run", "--session", session, "Hello again"]);
  expect(again.code).toBe(0);
  expect(again.out).toContain(`workspace ${work}\n`);
  expect(again.out).toContain("Once more, shorter this time.");
  const shown = await run(["sessions", "show", session, "--json"]);
  const roles = (JSON.parse(shown.out) as { role: string }[]).map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "user", "assistant"]);
});

test("--json prints events and nothing else, in the order of the journal", async () => {
  const { run } = await sandbox();
  const { code, out, err } = await run(["run", "--json", "#say hello\n#read none"]);
  const lines = jsonLines(out);
  expect([code, err]).toEqual([0, ""]);
  expect(lines[0]).toMatchObject({ type: "snapshot", session: { title: "#say hello #read none" } });
  const events = lines.slice(1);
  const seqs = events.map(({ cursor }) => Number(String(cursor).split(".").at(-1)));
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(events.every(({ cursor, at, sessionId }) => cursor && at && sessionId === lines[0]?.["sessionId"])).toBe(true);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["turn.started", "chunk", "message.closed"]));
  expect(events.at(-1)).toMatchObject({ type: "turn.settled", outcome: "completed" });
});

test("without a terminal an unanswered question is denied with the reason; a mode allows it", async () => {
  const { run, work } = await sandbox();
  const denied = await run(["run", "--mode", "default", "#bash echo hi > made.txt"]);
  expect(denied.code).toBe(0);
  expect(denied.out).toMatch(/● bash echo hi > made\.txt {2}✗ denied: Nobody can answer/);
  const allowed = await run(["run", "--mode", "bypassPermissions", "#bash echo hi > made.txt"]);
  expect(allowed.out).toContain("● bash echo hi > made.txt  [no output]\n");
  expect(await readFile(join(work, "made.txt"), "utf8")).toBe("hi\n");
});

test("a failed turn is a failed command", async () => {
  const { run } = await sandbox();
  const { code, out } = await run(["run", "#status 400 the model is on holiday"]);
  expect(code).toBe(1);
  expect(out).toMatch(/✗ failed after .*: the model is on holiday/);
  expect(out).toContain("continue  mooring run --session ses_");
});

test("the prompt may come from standard input", async () => {
  const { run } = await sandbox();
  const [piped, dash] = await Promise.all([run(["run"], { input: "#say from a pipe\n" }), sandbox()]);
  expect(piped.out).toContain("\nfrom a pipe\n");
  expect((await dash.run(["run", "-", "--json"], { input: "#say dash" })).out).toContain("dash");
});

test("mistakes cost no data directory: exit status 2", async () => {
  const { run } = await sandbox();
  for (const args of [
    ["run", ""],
    ["run", "--bogus"],
    ["run", "x", "--session", "s", "--workspace", "."],
    ["run", "x", "--session", "s", "--agent", "demo"],
  ]) {
    const { code, out, err } = await run(args);
    expect([code, out, err.startsWith("mooring: ")]).toEqual([2, "", true]);
  }
});

test("what the host refuses is one line and what to do; --debug adds the stack", async () => {
  const { run, work } = await sandbox();
  const id = sessionIn((await run(["run", "#say x"])).out);
  const partial = await run(["run", "--session", id.slice(0, 12), "next"]);
  expect([partial.code, partial.err]).toEqual([
    1,
    `mooring: There is no session "${id.slice(0, 12)}".\nmooring sessions ls lists them; a part of an id is not taken.\n`,
  ]);
  const gone = await run(["run", "x", "--workspace", join(work, "gone"), "--debug"]);
  expect(gone.code).toBe(1);
  expect(gone.err).toMatch(/mooring: .*gone" is not an existing directory/);
  expect(gone.err).toMatch(/\n {4}at /);
});

test("bare `mooring` prints the help and a first command", async () => {
  const { run } = await sandbox();
  const { code, out } = await run([]);
  expect(code).toBe(0);
  expect(out).toContain('mooring run "Show me how a session works"');
});
