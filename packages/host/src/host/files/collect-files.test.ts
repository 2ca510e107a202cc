import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FileRow } from "../../protocol/rows.ts";
import { inputRow, newOwner } from "../../stores/contract/fixtures.ts";
import { createMemoryStore } from "../../stores/memory.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { type Collected, collectFiles } from "./collect-files.ts";
import { fileUrl } from "./data-url.ts";
import { Files } from "./files.ts";

const [day, limits] = [86_400_000, { fileKeepMs: 86_400_000, filesLookedAt: 3 }];
let dataDir = "";
let clock: VirtualClock;
let store: ReturnType<typeof createMemoryStore>;
let files: Files;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-collect-"));
  const ids = countingIds();
  clock = new VirtualClock();
  store = createMemoryStore({ ids, clock });
  files = new Files({ store, ids, clock, dataDir, maxBytes: 1_000 });
});
afterEach(() => rm(dataDir, { recursive: true }));

const put = (text: string): Promise<FileRow> => files.put({ mediaType: "text/plain", bytes: Buffer.from(text) });
const collect = (after: string | null = null): Promise<Collected> =>
  collectFiles({ store, files, clock, limits, dataDir }, after);
const onDisk = async (): Promise<string[]> =>
  (await readdir(files.directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
async function named(...rows: readonly FileRow[]): Promise<void> {
  const owner = await newOwner(store, "ses_1");
  const parts = rows.map(({ id }) => ({ type: "file", url: fileUrl(id), mediaType: "text/plain" }) as const);
  await owner.write({ write: "input", row: inputRow("inp_1", { input: { ...inputRow("inp_1").input, parts } }) });
}

test("what nothing names goes after a day, with the copies agents were given; what is named stays", async () => {
  const [kept, lost] = [await put("kept"), await put("lost")];
  await named(kept);
  const copy = join(dataDir, "homes", "agt_1", "attachments", lost.id);
  await mkdir(copy, { recursive: true });
  await writeFile(join(copy, "a.txt"), "lost");
  clock.advance(day);
  const young = await put("young");
  expect(await collect()).toEqual({ removed: 0, next: null });
  clock.advance(1);
  expect(await collect()).toEqual({ removed: 1, next: null });
  expect(await files.find(lost.id)).toBeNull();
  expect(await Promise.all([kept, young].map(({ id }) => files.find(id)))).toEqual([kept, young]);
  expect((await onDisk()).sort()).toEqual([kept.hash, young.hash].sort());
  expect(await readdir(join(dataDir, "homes", "agt_1", "attachments"))).toEqual([]);
});

test("a removed session's files go with it, but for those another session names", async () => {
  const [own, shared] = [await put("own"), await put("shared")];
  await named(own, shared);
  const other = await newOwner(store, "ses_2");
  await other.write({
    write: "input",
    row: inputRow("inp_2", {
      input: { ...inputRow("inp_2").input, parts: [{ type: "text", text: fileUrl(shared.id) }] },
    }),
  });
  clock.advance(day + 1);
  expect(await collect()).toEqual({ removed: 0, next: null });
  await store.change([{ write: "session-remove", id: "ses_1" }]);
  expect(await collect()).toEqual({ removed: 1, next: null });
  expect(await onDisk()).toEqual([shared.hash]);
});

test("bytes stay as long as another file has the same", async () => {
  const [one, two] = [await put("same"), await put("same")];
  await named(two);
  clock.advance(day + 1);
  expect(await collect()).toEqual({ removed: 1, next: null });
  expect((await files.bytes(two))?.toString()).toBe("same");
  expect(await files.find(one.id)).toBeNull();
});

test("what is asked for, or stored again, while the search is on stays", async () => {
  const [asked, again] = [await put("asked"), await put("again")];
  clock.advance(day + 1);
  const searched = store.query.namedFiles.bind(store.query);
  let stored: Promise<FileRow> | null = null;
  store.query.namedFiles = async function* () {
    yield* searched();
    expect(await files.find(asked.id)).toEqual(asked);
    stored = put("again");
  };
  expect(await collect()).toEqual({ removed: 1, next: null });
  expect((await files.bytes(asked))?.toString()).toBe("asked");
  expect(await files.find(again.id)).toBeNull();
  const row = await stored;
  expect(row && (await files.bytes(row))?.toString()).toBe("again");
});

test("a search looks at so many files, and the next one goes on behind them", async () => {
  for (const text of ["a", "b", "c", "d"]) await put(text);
  clock.advance(day + 1);
  const { removed, next } = await collect();
  expect([removed, next]).toEqual([3, expect.stringMatching(/^fil_/)]);
  expect(await collect(next)).toEqual({ removed: 1, next: null });
  expect(await onDisk()).toEqual([]);
});
