import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Store } from "../ports/store.ts";
import type { Part } from "../protocol/input.ts";
import { Records } from "../testing/records.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../testing/test-host.ts";

import { silentLog } from "./silent-log.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}): Promise<string> => {
  world = await testHost(options);
  return world.session();
};
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image: Part = {
  type: "file",
  mediaType: "image/png",
  filename: "pixel.png",
  url: `data:image/png;base64,${pixel}`,
};
const text = (words: string): Part => ({ type: "text", text: words });
const named = { ...image, url: "mooring:file/fil_0001" };

/** Everything stored and published of a session, as text. */
async function everything(id: string, reader: Reader): Promise<string> {
  const { host, store } = world;
  const found = await store.query.session(id);
  const rows = found && (await store.query.branch(found.no));
  return JSON.stringify([
    rows,
    await host.messages(id),
    await host.inputs(id).list(),
    await host.snapshot(id),
    reader.seen,
  ]);
}

test("a data URL is kept as a file: rows and events name it, the agent is given it whole", async () => {
  const id = await start();
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { parts: [text("look"), image] });
  const agent = await world.driver.connections.next();
  const { turnId, parts } = await agent.sends.next();
  expect(parts).toEqual([text("look"), image]);
  agent.say(turnId, "seen");
  agent.complete(turnId);
  await reader.until("turn.settled");
  expect(reader.of("input.accepted")).toMatchObject([{ parts: [text("look"), named] }]);
  expect((await world.host.messages(id)).messages[0]?.parts).toEqual([text("look"), named]);
  expect(await everything(id, reader)).not.toContain(pixel.slice(0, 20));
  expect(await world.host.file("fil_0001")).toMatchObject({
    name: "pixel.png",
    mediaType: "image/png",
    bytes: Buffer.from(pixel, "base64"),
  });
  await reader.stop();
});

test("later turns and another host give it again from the history", async () => {
  const id = await start({ driver: { mode: "echo" } });
  const reader = new Reader(world.host, id);
  await world.host.submit(id, { parts: [image] });
  await reader.until("turn.settled");
  const shown = async (): Promise<readonly Part[] | undefined> => {
    const entry = (await world.driver.connects.all.at(-1)?.history())?.[0];
    return entry?.kind === "message" ? entry.message.parts : undefined;
  };
  expect(await shown()).toEqual([image]);
  await reader.stop();
  await world.restart();
  await world.host.submit(id, { text: "again" });
  await world.driver.connections.next();
  await world.driver.connections.next();
  expect(await shown()).toEqual([image]);
  await rm(join(world.dataDir, "files"), { recursive: true });
  expect(await shown()).toEqual([
    text("[Attached file: pixel.png (image/png, 70 bytes) is no longer on this host's disk]"),
  ]);
});

test("a file that was put before is named by its id, with the type it was stored with", async () => {
  const id = await start();
  const bytes = Buffer.from(pixel, "base64");
  const stored = await world.host.putFile({ name: "pixel.png", mediaType: "image/png", bytes });
  await world.host.submit(id, { parts: [{ type: "file", mediaType: "text/plain", url: `mooring:file/${stored.id}` }] });
  const agent = await world.driver.connections.next();
  expect((await agent.sends.next()).parts).toEqual([image]);
  expect(await readdir(join(world.dataDir, "files"))).toHaveLength(1);
});

test.each([
  ["a file nobody has", { ...image, url: "mooring:file/fil_9" }, "bad-input"],
  ["a malformed data URL", { ...image, url: "data:image/png;base64,*" }, "bad-input"],
  ["too large a file", { ...image, url: `data:image/png;base64,${"A".repeat(40)}` }, "file-too-large"],
  ["no media type", { ...image, mediaType: "png" }, "bad-file"],
])("%s is refused, and no input is stored", async (_, part, code) => {
  const id = await start({ limits: { fileBytes: 20 } });
  await expect(world.host.submit(id, { parts: [part] })).rejects.toMatchObject({ code });
  expect(await world.host.inputs(id).list()).toEqual([]);
  expect(await world.host.cursor(id)).toMatch(/\.0$/);
});

test("the same submit again is the same input, and stores nothing twice", async () => {
  const id = await start();
  const input = { id: "mine", parts: [image] };
  const [first, twin] = await Promise.all([world.host.submit(id, input), world.host.submit(id, input)]);
  expect(twin).toEqual(first);
  expect(await world.host.submit(id, input)).toMatchObject({ inputId: "mine" });
  await expect(world.host.file("fil_0002")).rejects.toMatchObject({ code: "no-such-file" });
});

test("steers and edits give and keep files the same way", async () => {
  const id = await start();
  await world.host.submit(id, { text: "one" });
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "working");
  await world.host.submit(id, { parts: [image], delivery: "steer" });
  expect((await agent.steers.next()).parts.at(-1)).toEqual(image);
  const { inputId } = await world.host.submit(id, { text: "later", delivery: "queue" });
  await world.host.inputs(id).edit(inputId, [text("changed"), image]);
  expect((await world.host.inputs(id).get(inputId)).input.parts).toEqual([
    text("changed"),
    { ...named, url: "mooring:file/fil_0002" },
  ]);
});

test("an agent that takes no images is told of them in words, and its turn goes on", async () => {
  const id = await start({ driver: { mode: "echo", capabilities: { images: false } } });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { parts: [text("look"), image] })).cursor);
  expect(await reader.until("turn.settled")).toMatchObject({ outcome: "completed" });
  expect((await world.host.messages(id)).messages[1]?.parts).toMatchObject([
    { text: "look[Attached file: pixel.png (image/png, 70 bytes) cannot be shown: this agent sees no images]" },
  ]);
  await reader.stop();
});

test("a stop that comes while files are read is heard by the agent after its turn", async () => {
  const id = await start();
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  const agent = await world.driver.connections.next();
  agent.complete((await agent.sends.next()).turnId);
  await reader.until("turn.settled");
  const heard: string[] = [];
  agent.behaviour.send = async () => void heard.push("send");
  const { abortTurn } = agent.behaviour;
  agent.behaviour.abortTurn = (turn) => {
    heard.push("abort");
    return abortTurn(turn);
  };
  await world.host.submit(id, { parts: [image] });
  const { turnId } = await reader.until("turn.started", 2);
  await world.host.stop(id, turnId);
  expect(await reader.until("turn.settled", 2)).toMatchObject({ outcome: "stopped" });
  expect(heard).toEqual(["send", "abort"]);
  await reader.stop();
});

test("a turn whose files are still read when its connection is closed is never sent", async () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = (store: Store): Store => {
    const query = { ...store.query, file: (id: string) => opened.then(() => store.query.file(id)) };
    return new Proxy(store, { get: (target, key) => (key === "query" ? query : boundOf(target, key)) });
  };
  const warned = new Records<string>();
  const log = { ...silentLog, warn: (what: string) => warned.add(what) };
  const id = await start({ driver: { mode: "echo" }, store: slow, log });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  await reader.until("turn.settled");
  const agent = await world.driver.connections.next();
  await world.host.submit(id, { parts: [image] });
  const { turnId } = await reader.until("turn.started", 2);
  await world.host.stop(id, turnId);
  world.clock.advance(5_000);
  expect(await agent.closes.next()).toBe("stop");
  expect(await reader.until("turn.settled", 2)).toMatchObject({ outcome: "stopped" });
  open();
  expect([await warned.next(), await warned.next()]).toEqual(["driver-call-failed", "driver-call-failed"]); // send, abort
  await reader.stop();
  expect(agent.sends.all).toHaveLength(1);
  expect(agent.aborts.all).toEqual([]);
});
function boundOf(target: Store, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === "function" ? value.bind(target) : value;
}

test("what an agent draws is kept as a file too, in its place; what cannot be kept is told in a notice", async () => {
  const id = await start({ limits: { fileBytes: 100 } });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "draw" })).cursor);
  const agent = await world.driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.say(turnId, "before");
  agent.chunk(turnId, { type: "file", mediaType: "image/png", url: `data:image/png;base64,${pixel}` });
  agent.chunk(turnId, { type: "file", mediaType: "image/png", url: `data:image/png;base64,${"A".repeat(400)}` });
  agent.say(turnId, "after");
  agent.complete(turnId);
  await reader.until("turn.settled");
  expect((await world.host.messages(id)).messages[1]?.parts).toMatchObject([
    { type: "text", text: "before" },
    { type: "file", mediaType: "image/png", url: "mooring:file/fil_0001" },
    { type: "text", text: "after" },
  ]);
  expect(reader.of("notice")).toMatchObject([{ code: "file-lost", text: expect.stringContaining("300 bytes") }]);
  expect(await everything(id, reader)).not.toContain(pixel.slice(0, 20));
  await reader.stop();
});

test("files of what a hook goes on with are kept as well", async () => {
  let asked = 0;
  const beforeSettle = async () => (asked++ === 0 ? { continueWith: [image] } : undefined);
  const id = await start({ driver: { mode: "echo" }, hooks: { beforeSettle } });
  const reader = new Reader(world.host, id, (await world.host.submit(id, { text: "one" })).cursor);
  await reader.until("turn.settled", 2);
  expect(reader.of("input.accepted")[1]?.parts).toEqual([named]);
  await reader.stop();
});

test("an agent that reads files finds a copy in its home", async () => {
  const id = await start({ driver: { capabilities: { filePaths: true, fileTypes: ["application/pdf"] } } });
  const file = (mediaType: string, filename: string): Part => ({
    type: "file",
    mediaType,
    filename,
    url: `data:${mediaType};base64,aGVsbG8=`,
  });
  await world.host.submit(id, { parts: [file("application/pdf", "a.pdf"), file("text/csv", "b.csv")] });
  const agent = await world.driver.connections.next();
  const { home } = agent.input;
  expect((await agent.sends.next()).parts).toEqual([
    file("application/pdf", "a.pdf"),
    text(`[Attached file: b.csv (text/csv, 5 bytes) at ${join(home, "attachments", "fil_0002", "b.csv")}]`),
  ]);
});

/** A store that tells when a session is gone for good. */
function tellingStore(gone: Records<string>): (store: Store) => Store {
  return (inner) => {
    const change: Store["change"] = async (writes) => {
      await inner.change(writes);
      for (const write of writes) if (write.write === "session-remove") gone.add(write.id);
    };
    return new Proxy(inner, { get: (target, key) => (key === "change" ? change : boundOf(target, key)) });
  };
}

test("files of a removed session are gone from the disk after a while, without a word from anyone", async () => {
  const [told, gone] = [new Records<unknown>(), new Records<string>()];
  const log = { ...silentLog, info: (what: string, detail?: unknown) => told.add([what, detail]) };
  const limits = { removeAfterMs: 10_000, fileKeepMs: 3_600_000 };
  const id = await start({ log, store: tellingStore(gone), limits });
  await world.host.submit(id, { parts: [text("look"), image] });
  const { turnId } = await (await world.driver.connections.next()).sends.next();
  await world.host.stop(id, turnId);
  await world.host.remove(id);
  world.clock.advance(30_000);
  expect(await gone.next()).toBe(id);
  expect(await world.host.file("fil_0001")).toMatchObject({ name: "pixel.png" });
  world.clock.advance(21_600_000);
  expect(await told.next()).toEqual(["files-removed", { removed: 1 }]);
  await expect(world.host.file("fil_0001")).rejects.toMatchObject({ code: "no-such-file" });
  const left = await readdir(join(world.dataDir, "files"), { recursive: true });
  expect(left).toEqual([expect.stringMatching(/^..$/)]);
});

test("the directory made for a removed session goes when nothing is in it and nobody else works there", async () => {
  const gone = new Records<string>();
  const last = await start({ store: tellingStore(gone), limits: { removeAfterMs: 10_000 } });
  const { host, clock } = world;
  const made = async (): Promise<{ id: string; workspace: string }> => host.create({});
  const [empty, full, shared] = [await made(), await made(), await made()];
  await writeFile(join(full.workspace, "work.txt"), "work");
  const other = await host.create({ workspace: shared.workspace });
  for (const { id } of [empty, full, shared]) await host.remove(id);
  await host.remove(last); // the oldest goes last
  clock.advance(30_000);
  for (const { id } of [shared, full, empty]) expect(await gone.next()).toBe(id);
  expect(await gone.next()).toBe(last);
  expect(await readdir(full.workspace)).toEqual(["work.txt"]);
  expect(await readdir((await host.get(other.id)).workspace)).toEqual([]);
  await expect(readdir(empty.workspace)).rejects.toMatchObject({ code: "ENOENT" });
});
