/** A picture from a person to a model: stored beside the database and named in it, given whole to the model each turn. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost } from "@mooring/host";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLog } from "../../packages/host/src/host/silent-log.ts";
import { systemClock } from "../../packages/host/src/host/system-clock.ts";
import { systemIds } from "../../packages/host/src/host/system-ids.ts";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-files-e2e-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Every picture the model was asked with, one list for each request. */
function seeingModel() {
  const model = scriptedModel();
  const pictures: Buffer[][] = [];
  const doStream: typeof model.doStream = (options) => {
    const files = options.prompt.flatMap(({ role, content }) => (role === "user" ? content : []));
    pictures.push(files.flatMap((part) => (part.type === "file" ? [bytesOf(part.data)] : [])));
    return model.doStream(options);
  };
  return {
    pictures,
    make: () => new Proxy(model, { get: (target, key) => (key === "doStream" ? doStream : Reflect.get(target, key)) }),
  };
}
function bytesOf(data: unknown): Buffer {
  const plain: unknown = typeof data === "object" && data !== null && "data" in data ? data.data : data;
  return plain instanceof Uint8Array ? Buffer.from(plain) : Buffer.from(String(plain), "base64");
}
async function say(host: SessionHost, id: string, parts: Parameters<SessionHost["submit"]>[1]["parts"]): Promise<void> {
  const events = host.events(id);
  await host.submit(id, { parts: parts ?? [] });
  for await (const { event } of events) {
    if (event.type !== "turn.settled") continue;
    expect(event).toMatchObject({ outcome: "completed" });
    return;
  }
}

test("the model gets the very bytes, now and in later turns; the database has none of them", async () => {
  const { pictures, make } = seeingModel();
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const drivers = [loopDriver({ models: { scripted: make } })];
  const host = await createHost({ store, drivers, dataDir, roots: [] });
  await host.agents.add({ name: "agent", driver: "loop", model: "scripted" });
  const { id } = await host.create({});
  const picture = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), randomBytes(50_000)]);
  const url = `data:image/png;base64,${picture.toString("base64")}`;
  const image = { type: "file", mediaType: "image/png", filename: "a.png", url } as const;
  await say(host, id, [{ type: "text", text: "#say seen" }, image]);
  await say(host, id, [{ type: "text", text: "#say again" }]);
  expect(pictures.map((some) => some.length)).toEqual([1, 1]);
  for (const some of pictures) expect(some[0]?.equals(picture)).toBe(true);
  await host.shutdown({ graceMs: 0 });
  const names = (await readdir(dataDir)).filter((name) => name.startsWith("mooring.db"));
  expect(names).toContain("mooring.db");
  for (const name of names) {
    const file = await readFile(join(dataDir, name));
    expect(file.includes(picture.toString("base64").slice(100, 200))).toBe(false);
    expect(file.length).toBeLessThan(1_000_000);
  }
});
