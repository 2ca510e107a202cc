import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryStore } from "../../stores/memory.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { Files } from "./files.ts";

let dataDir = "";
let files: Files;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-files-"));
  files = open(dataDir);
});
afterEach(() => rm(dataDir, { recursive: true }));
function open(directory: string): Files {
  const [ids, clock] = [countingIds(), new VirtualClock()];
  return new Files({ store: createMemoryStore({ ids, clock }), ids, clock, dataDir: directory, maxBytes: 10 });
}
/** SHA-256 of `hello`. */
const hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const hello = { mediaType: "text/plain", bytes: Buffer.from("hello") };
const onDisk = async (): Promise<string[]> =>
  (await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

test("bytes lie under their hash, for the owner alone, and come back by id", async () => {
  const row = await files.put({ ...hello, name: "a.txt" });
  expect(row).toMatchObject({ id: "fil_0001", hash, name: "a.txt", mediaType: "text/plain", size: 5 });
  const path = join(dataDir, "files", "2c", hash);
  expect(files.pathOf(row)).toBe(path);
  expect(await readFile(path, "utf8")).toBe("hello");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await files.find(row.id)).toEqual(row);
  expect((await files.bytes(row))?.toString()).toBe("hello");
  expect(await files.find("fil_9")).toBeNull();
});

test("the same bytes are kept once, whatever they are called and however many come at once", async () => {
  const rows = await Promise.all(["a", "b", "c"].map((name) => files.put({ ...hello, name })));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
  expect(await onDisk()).toEqual([hash]);
});

test("too many bytes, and what is no media type, are refused and leave nothing behind", async () => {
  const refused = (bytes: number, mediaType: string) => files.put({ mediaType, bytes: Buffer.alloc(bytes) });
  await expect(refused(11, "text/plain")).rejects.toMatchObject({
    code: "file-too-large",
    detail: { bytes: 11, maxBytes: 10 },
  });
  await expect(refused(1, "text")).rejects.toMatchObject({ code: "bad-file" });
  await expect(refused(1, "a/b\nc")).rejects.toMatchObject({ code: "bad-file" });
  expect((await refused(10, "Text/Plain; charset=UTF-8")).mediaType).toBe("text/plain; charset=utf-8");
  expect(await onDisk()).toHaveLength(1);
});

test("a file that was cut short on the disk is no file; storing it again repairs it", async () => {
  const row = await files.put(hello);
  await writeFile(files.pathOf(row), "hel");
  expect(await files.bytes(row)).toBeNull();
  await files.put(hello);
  expect((await files.bytes(row))?.toString()).toBe("hello");
  await rm(files.pathOf(row));
  expect(await files.bytes(row)).toBeNull();
});

test("a directory that cannot be written to is an error that says so", async () => {
  await writeFile(join(dataDir, "files"), "in the way");
  await expect(files.put(hello)).rejects.toMatchObject({ code: "file-not-stored", retry: "later" });
});

test("a copy is another file: what is done to it stays there", async () => {
  const row = await files.put(hello);
  const path = join(dataDir, "home", "deep", "a.txt");
  expect(await files.copy(row, path)).toBe(true);
  await writeFile(path, "HELLO");
  expect((await files.bytes(row))?.toString()).toBe("hello");
  expect(await files.copy(row, path)).toBe(true); // there already
  expect(await readFile(path, "utf8")).toBe("HELLO");
  await rm(files.pathOf(row));
  expect(await files.copy(row, join(dataDir, "other"))).toBe(false);
});
