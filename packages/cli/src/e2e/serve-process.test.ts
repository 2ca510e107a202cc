/** A server as a process of its own: what signals do to it, and to the commands that talk to it. */
import { expect, test } from "vitest";
import { main } from "../run-main.ts";
import { sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";
import { testTerminal } from "../testing/test-terminal.ts";

const ctrlC = "\u0003";
const slow = `#slow 100 ${Array.from({ length: 300 }, (_, n) => `w${n}`).join(" ")}`;

test("Ctrl-C stops the turn in the server; whoever leaves does not; what a killed server leaves is interrupted", async () => {
  const { start, startOnTerminal, run } = await sandbox();
  const server = start(["serve", "--port", "0"]);
  await server.until(/stop +Ctrl-C/);
  const stopped = startOnTerminal(["run", slow]);
  await stopped.until(/w3/);
  stopped.write(ctrlC);
  expect(await stopped.ended).toMatchObject({ code: 130, out: expect.stringMatching(/■ stopped after/) });

  const left = start(["run", slow]);
  left.end();
  const session = sessionIn(await left.until(/w3 /));
  const gone = await left.kill("SIGTERM");
  expect([gone.code, gone.err]).toEqual([143, "What runs goes on in the server.\n"]);
  expect((await run(["sessions", "ls"])).out).toMatch(new RegExp(`${session} .* working`));
  await server.kill("SIGKILL");
  expect((await run(["sessions", "show", session])).out).toMatch(/assistant \(interrupted: [^)]+\)[^\n]*\nw0 w1 w2 w3/);
  const again = await run(["run", "--session", session, "#say back"]);
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/The last turn was interrupted[\s\S]*\nback\n/)]);
});

test("SIGTERM ends it with the status 0, although a stream is open, and the next one starts on what it left", async () => {
  const { start, run, serve } = await sandbox();
  const server = start(["serve", "--port", "0"]);
  await server.until(/stop +Ctrl-C/);
  const follower = start(["run", "#read begun\n#hang"]);
  follower.end();
  const session = sessionIn(await follower.until(/read begun/));
  server.signal("SIGTERM");
  await server.until(/Stopping: what runs has 30 s/);
  server.signal("SIGINT");
  expect((await server.ended).code).toBe(0);
  expect((await follower.ended).code).toBe(1);
  await serve();
  expect((await run(["sessions", "show", session])).out).toMatch(/assistant \(interrupted: [^)]+\)[\s\S]*read begun/);
});

test("`npm start` without a word is the server", async () => {
  const terminal = { ...testTerminal({ cwd: "/", env: {} }, ""), command: "npm start --" };
  expect([await main([], terminal), terminal.printed.err]).toEqual([
    2,
    expect.stringContaining("no place for the data"),
  ]);
});
