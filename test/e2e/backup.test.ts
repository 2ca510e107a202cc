/** A backup taken while a turn runs opens as a data directory of its own, with what was stored by then. */
import { mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost, silentLog, systemClock, systemIds } from "@mooring/host";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";
import { afterEach, beforeEach, expect, test } from "vitest";

let place = "";
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "mooring-backup-e2e-"));
});
afterEach(() => rm(place, { recursive: true }));

async function open(dataDir: string): Promise<SessionHost> {
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  return createHost({ store, drivers: [loopDriver({ models: { scripted: scriptedModel } })], dataDir, roots: [] });
}
const text = async (host: SessionHost, id: string): Promise<string[]> => {
  const { messages } = await host.messages(id);
  return messages.map(({ role, status, parts }) => `${role} ${status}: ${JSON.stringify(parts)}`);
};

test("it holds sessions and files as of one moment, no keys, and what ran is interrupted in it", async () => {
  const host = await open(join(place, "data"));
  await host.agents.add({ name: "agent", driver: "loop", model: "scripted", provider: { apiKey: "sk-secret" } });
  const file = await host.putFile({ mediaType: "text/plain", bytes: Buffer.from("keep me") });
  const { id } = await host.create({});
  const events = host.events(id);
  await host.submit(id, { text: "#slow 60000 heard more" });
  for await (const { event } of events) if (event.type === "chunk" && event.chunk.type === "text-delta") break;

  const copy = join(place, "copy");
  await host.backup(copy);
  await expect(host.backup(copy)).rejects.toMatchObject({ code: "backup-exists" });
  await expect(host.backup(join(place, "no", "such"))).rejects.toMatchObject({ code: "backup-failed" });
  expect((await readdir(place)).sort()).toEqual(["copy", "data"]);
  expect((await readdir(copy)).sort()).toEqual(["files", "mooring.db"]);
  expect((await stat(copy)).mode & 0o077).toBe(0);
  await host.shutdown({ graceMs: 0 });

  const restored = await open(copy);
  expect(Buffer.from((await restored.file(file.id)).bytes).toString()).toBe("keep me");
  expect(await text(restored, id)).toEqual([
    expect.stringMatching(/^user .*#slow/),
    expect.stringMatching(/^assistant interrupted: .*heard/),
  ]);
  await restored.shutdown({ graceMs: 0 });
});

test("put in the place of what it was taken from, a session without a directory of its own goes on in an empty one", async () => {
  const [data, copy] = [join(place, "data"), join(place, "copy")];
  const host = await open(data);
  await host.agents.add({ name: "agent", driver: "loop", model: "scripted", permissionMode: "bypassPermissions" });
  const { id, workspace } = await host.create({});
  await host.backup(copy);
  await host.shutdown({ graceMs: 0 });
  await rename(data, join(place, "aside"));
  await rename(copy, data);

  const restored = await open(data);
  const { cursor } = await restored.submit(id, { text: "#write note.txt works\n#say done" });
  for await (const { event } of restored.events(id, { after: cursor })) if (event.type === "turn.settled") break;
  expect(await readFile(join(workspace, "note.txt"), "utf8")).toBe("works");
  await restored.shutdown({ graceMs: 0 });
});
