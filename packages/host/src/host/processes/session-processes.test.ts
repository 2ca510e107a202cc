import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { silentLog } from "../silent-log.ts";
import { systemClock } from "../system-clock.ts";
import { SessionProcesses } from "./session-processes.ts";
import { createSupervisor } from "./supervisor.ts";

const record = { started: async () => {}, ended: async () => {} };
const supervisor = createSupervisor({ clock: systemClock, log: silentLog, record });
afterEach(() => supervisor.stop(0));

test("ends the children of one session that run now, and no other", async () => {
  const processes = new SessionProcesses(supervisor);
  const spawn = (session: string) =>
    processes.spawn({
      command: process.execPath,
      args: ["-e", "setInterval(() => {}, 1000)"],
      cwd: tmpdir(),
      env: {},
      purpose: "test",
      session,
    });
  const [mine, other] = [await spawn("ses_1"), await spawn("ses_2")];
  await processes.endOf("ses_1");
  expect((await mine.exited).signal).toBe("SIGTERM");
  expect(processes.list().map((child) => child.pid)).toEqual([other.pid]);
  await processes.endOf("ses_1");
  await processes.endOf("ses_none");
});
