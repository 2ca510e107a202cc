import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { describe, expect, test } from "vitest";
import { formatCursor } from "../../protocol/cursor.ts";
import { codes, message, messageRow, newOwner, Owner } from "../contract/fixtures.ts";
import type { OpenedSqliteStore } from "./index.ts";
import { openTestStore, tempDir } from "./test-store.ts";

const ownVersion: unknown = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;
const newPath = (): string => join(tempDir(), "a.db");
const nextMigration: Record<string, Migration> = {
  "9999-next": { up: async (db) => void (await sql`CREATE TABLE next (x)`.execute(db)) },
};

async function filled(path: string, limits = {}): Promise<{ store: OpenedSqliteStore; owner: Owner }> {
  const store = await openTestStore({ path, limits });
  const owner = await newOwner(store, "ses_1");
  await owner.write(message(messageRow("msg_1")), owner.notice("1"), owner.delta("msg_1", "a"));
  return { store, owner };
}

describe("reopening", () => {
  test("finds all that was there, under the same id", async () => {
    const path = newPath();
    const { store, owner } = await filled(path);
    const before = [await store.load(owner.no), await owner.journal()];
    await store.close();
    const again = await openTestStore({ path });
    expect(again.id).toBe(store.id);
    expect([await again.load(owner.no), await again.events(owner.no, 0, 100)]).toEqual(before);
    const written = await again.write(owner.no, owner.epoch, [owner.delta("msg_1", "b")]);
    expect(written.first).toBe(3);
    await again.close();
    expect(readdirSync(join(path, ".."))).toEqual(["a.db"]);
  });

  test("by two at once is safe: the newer owner fences the older, whichever connection it has", async () => {
    const path = newPath();
    const { store, owner } = await filled(path);
    const other = await openTestStore({ path });
    const epoch = await other.claim(owner.no);
    expect(await codes([owner.write(owner.notice("old"))])).toEqual(["lease-lost"]);
    const newer = new Owner(other, owner.id, owner.no, epoch);
    expect((await newer.write(owner.notice("new"))).first).toBe(3);
    await Promise.all([store.close(), other.close()]);
  });
});

describe("a file that is refused is left as it was", () => {
  const refusedAs = async (path: string, code: string, says: string): Promise<void> => {
    const before = readFileSync(path);
    const refused = expect.objectContaining({ code, message: expect.stringContaining(says) });
    await expect(openTestStore({ path })).rejects.toEqual(refused);
    expect(readFileSync(path).equals(before)).toBe(true);
  };

  test("one with a newer schema, naming who wrote it and what to do", async () => {
    const path = newPath();
    await (await openTestStore({ path, migrations: nextMigration })).close();
    await refusedAs(path, "schema-newer", `Install Mooring ${ownVersion} or newer`);
  });

  test("one with a newer schema that was not closed", async () => {
    const path = newPath();
    const newer = await openTestStore({ path, migrations: nextMigration });
    await newOwner(newer, "ses_1");
    await refusedAs(path, "schema-newer", path);
    await newer.close();
  });

  test("one that is no database", async () => {
    const path = newPath();
    writeFileSync(path, "these are my notes\n".repeat(500));
    await refusedAs(path, "database-corrupt", path);
  });

  test("one whose first page is damaged", async () => {
    const path = newPath();
    await (await openTestStore({ path })).close();
    writeFileSync(path, readFileSync(path).fill(0xff, 100, 4_000));
    await refusedAs(path, "database-corrupt", path);
  });

  test("one of another program", async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec("CREATE TABLE recipes (name)");
    db.close();
    await refusedAs(path, "database-foreign", path);
  });

  test("one whose migration fails", async () => {
    const path = newPath();
    await (await openTestStore({ path })).close();
    const failing = { "9999-bad": { up: async () => Promise.reject(new RangeError("no such thing")) } };
    await expect(openTestStore({ path, migrations: failing })).rejects.toMatchObject({
      code: "migration-failed",
      message: expect.stringContaining("no such thing"),
    });
    await (await openTestStore({ path })).close();
  });
});

describe("a disk that is full", () => {
  test("refuses the whole flush with `full`, keeps what was acknowledged, and goes on when there is room", async () => {
    const path = newPath();
    await (await openTestStore({ path })).close();
    const { store, owner } = await filled(path, { databaseBytes: statSync(path).size + 100_000 });
    const other = await newOwner(store, "ses_2");
    const big = owner.notice("x".repeat(200_000));
    const refused = [other.write(other.notice("small")), owner.write(big), owner.write(owner.notice("after"))];
    expect(await codes(refused)).toEqual(["full", "full", "full"]);
    expect(await codes([other.write(other.notice("again"))])).toEqual([null]);
    expect([(await owner.journal()).length, (await other.journal()).length]).toEqual([2, 1]);
    await store.close();
    const roomy = await openTestStore({ path });
    expect((await roomy.write(owner.no, owner.epoch, [big])).first).toBe(3);
    await roomy.close();
  });
});

describe("another process that is writing", () => {
  test("is waited for no longer than the limit, then `busy`", async () => {
    const path = newPath();
    const { store, owner } = await filled(path, { lockWaitMs: 1 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    expect(await codes([owner.write(owner.notice("2"))])).toEqual(["busy"]);
    other.exec("COMMIT");
    other.close();
    expect((await owner.write(owner.notice("2"))).first).toBe(3);
    await store.close();
  });
});

describe("a value that is not JSON", () => {
  test("is refused as a broken rule, with what its owner wrote after it", async () => {
    const { store, owner } = await filled(newPath());
    const bad = owner.event({ type: "context", usage: 1n });
    expect(await codes([owner.write(bad), owner.write()])).toEqual(["constraint", "constraint"]);
    expect(await codes([owner.write()])).toEqual([null]);
    await store.close();
  });
});

describe("a backup", () => {
  test("is taken while writing goes on, is whole, and is told apart from the original", async () => {
    const path = newPath();
    const { store, owner } = await filled(path);
    const directory = tempDir();
    const target = join(directory, basename(path));
    let copying = true;
    const copied = store.backup(directory).finally(() => {
      copying = false;
    });
    while (copying) await owner.write(owner.notice("x".repeat(500)), owner.notice("y"));
    await copied;
    const copy = await openTestStore({ path: target });
    expect(copy.id).not.toBe(store.id);
    const [events, original] = [await copy.events(owner.no, 0, 1_000_000), await owner.journal()];
    expect(events.length).toBeGreaterThanOrEqual(2);
    expect(events).toEqual(original.slice(0, events.length));
    expect((await copy.load(owner.no)).open).toHaveLength(1);
    expect(formatCursor({ store: copy.id, session: owner.no, seq: 2 })).not.toBe(
      formatCursor({ store: store.id, session: owner.no, seq: 2 }),
    );
    await copy.close();
    const reopened = await openTestStore({ path: target });
    expect(reopened.id).toBe(copy.id);
    await Promise.all([store.close(), reopened.close()]);
    expect(readdirSync(join(target, ".."))).toEqual([basename(target)]);
  });

  test("onto the database itself, or where nothing can be written, is refused", async () => {
    const path = newPath();
    const { store } = await filled(path);
    const refused = [store.backup(dirname(path)), store.backup(join(path, "no", "such", "directory"))];
    expect(await codes(refused)).toEqual(["backup-failed", "backup-failed"]);
    await store.close();
  });
});
