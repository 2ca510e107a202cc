/** `sessions resume` with an agent that lost its session: what was given back starts, and is followed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, ResumeFailed, type SessionHost, silentLog, systemClock, systemIds } from "@mooring/host";
import { openSqliteStore } from "@mooring/host/sqlite";
import { createFakeDriver } from "@mooring/host/testing";
import { expect, onTestFinished, test } from "vitest";
import type { OpenHost } from "../command-host.ts";
import { testTerminal } from "../testing/test-terminal.ts";
import { resumeSession } from "./sessions-resume.ts";

/** A host with an agent that says what it is told, and cannot go on with a session it had. */
async function forgetful(): Promise<{ readonly host: SessionHost; readonly dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-resume-"));
  const driver = createFakeDriver({
    capabilities: { history: "native", resume: "resume" },
    connecting: async ({ resumeToken }) => {
      if (resumeToken) throw new ResumeFailed("missing", "It is not there any more.");
    },
    mode: "echo",
  });
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const host = await createHost({ store, drivers: [driver.factory], dataDir, roots: [] });
  onTestFinished(async () => {
    await host.shutdown({ graceMs: 0 });
    await rm(dataDir, { recursive: true, force: true });
  });
  await host.agents.add({ name: "agent", driver: "fake", model: "m" });
  void driver.connections.next().then((connection) => connection.emit({ type: "resume-token", token: "t1" }));
  return { host, dataDir };
}
async function settled(host: SessionHost, id: string, text: string): Promise<string> {
  const { cursor } = await host.submit(id, { text });
  for await (const { event } of host.events(id, { after: cursor })) {
    if (event.type === "turn.settled") return event.error?.code ?? event.outcome;
  }
  return "never";
}

test("the input a lost session gave back is answered, begun anew", async () => {
  const { host, dataDir } = await forgetful();
  const { id } = await host.create({});
  expect(await settled(host, id, "one")).toBe("completed");
  await host.close(id);
  expect(await settled(host, id, "two")).toBe("resume-failed");
  const opened: OpenHost = { host, dataDir, server: null, leave: async () => {} };
  const terminal = testTerminal({ cwd: dataDir, env: {} }, "");
  const command = { kind: "sessions resume", session: id, choice: "fresh", json: false } as const;
  const status = await resumeSession(command, { terminal, debug: false, withHost: (_, work) => work(opened) });
  expect([status, terminal.printed.out]).toEqual([0, expect.stringMatching(/two\n✓ completed/)]);
});
