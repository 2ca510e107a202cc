/** What becomes of a session when its process ends in the middle, and of a second process that comes meanwhile. */
import { expect, test } from "vitest";
import { sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";

const slow = `#slow 100 ${Array.from({ length: 300 }, (_, n) => `w${n}`).join(" ")}`;

test("kill -9 in the middle of a turn: the text is kept, the turn is interrupted, the session goes on", async () => {
  const { start, run } = await sandbox();
  const mooring = start(["run", slow]);
  mooring.end();
  const session = sessionIn(await mooring.until(/w5 /));
  await mooring.kill("SIGKILL");
  const listed = await run(["sessions", "ls"]);
  expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(new RegExp(`${session} .* demo +interrupted`))]);
  const shown = await run(["sessions", "show", session]);
  expect(shown.out).toMatch(/assistant \(interrupted: [^)]+\)[^\n]*\nw0 w1 w2 w3/);
  const again = await run(["run", "--session", session, "#say back again"]);
  expect([again.code, again.out.includes("back again")]).toEqual([0, true]);
});

test("SIGTERM ends the turn in order", async () => {
  const { start, run } = await sandbox();
  const mooring = start(["run", "#read begun\n#hang"]);
  mooring.end();
  const session = sessionIn(await mooring.until(/begun/));
  mooring.signal("SIGTERM");
  expect((await mooring.ended).code).toBe(143);
  const shown = await run(["sessions", "show", session]);
  expect(shown.out).toMatch(/assistant \(interrupted: [^)]+\)[\s\S]*begun/);
});

test("a second process is told who has the data directory, and waits for nobody", async () => {
  const { start, run, data } = await sandbox();
  const mooring = start(["run", "#read begun\n#hang"]);
  mooring.end();
  await mooring.until(/begun/);
  const second = await run(["sessions", "ls"]);
  expect([second.code, second.out]).toEqual([1, ""]);
  expect(second.err).toBe(
    `mooring: ${data} is in use by pid ${mooring.pid} (mooring run). Wait until it ends, or choose another directory.\n` +
      "Commands share one host while mooring serve runs.\n",
  );
  const doctor = await run(["doctor"]);
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`in use by pid ${mooring.pid}`)]);
  await mooring.kill("SIGKILL");
  expect((await run(["sessions", "ls"])).code).toBe(0);
});

test("a reader that goes away ends the command", async () => {
  const { start, run } = await sandbox();
  const mooring = start(["run", slow]);
  mooring.end();
  await mooring.until(/w3 /);
  mooring.closeOutput();
  expect((await mooring.ended).code).toBe(141);
  expect((await run(["sessions", "ls"])).code).toBe(0);
});
