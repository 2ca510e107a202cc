import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newOwner } from "../contract/fixtures.ts";
import { heard, startChild } from "./children/start-child.ts";
import type { OpenedSqliteStore } from "./index.ts";
import { openTestStore, tempDir } from "./test-store.ts";

/** Runs the writing process until it has acknowledged `count` writes, kills it, and gives the newest seq of each session. */
async function writeUntilKilled(path: string, count: number): Promise<Map<number, number>> {
  const child = startChild("writer", path);
  const acknowledged = new Map<number, number>();
  let heardOf = 0;
  let killing: Promise<void> | null = null;
  for await (const line of child.lines) {
    const [no = 0, last = 0] = line.split(" ").map(Number);
    acknowledged.set(no, Math.max(last, acknowledged.get(no) ?? 0));
    heardOf += 1;
    if (heardOf >= count) killing ??= child.kill();
  }
  await (killing ?? child.kill());
  expect(heardOf).toBeGreaterThanOrEqual(count);
  return acknowledged;
}

async function expectStored(store: OpenedSqliteStore, acknowledged: ReadonlyMap<number, number>): Promise<void> {
  for (const [no, last] of acknowledged) {
    const events = await store.events(no, 0, 1_000_000);
    expect(events.length).toBeGreaterThanOrEqual(last);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
    const counted = events.flatMap(({ event }) =>
      event.type === "notice" && /^\d+$/.test(event.text) ? [event.text] : [],
    );
    expect(counted).toEqual(counted.map((_, n) => `${n + 1}`));
  }
}

test("kill -9 while writing, ten times over: nothing acknowledged is lost, and the file is whole", async () => {
  const path = join(tempDir(), "a.db");
  const everything = new Map<number, number>();
  for (let round = 0; round < 10; round += 1) {
    const acknowledged = await writeUntilKilled(path, 1 + Math.floor(Math.random() * 60));
    for (const [no, last] of acknowledged) everything.set(no, last);
    const store = await openTestStore({ path });
    await expectStored(store, everything);
    await store.close();
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    db.close();
  }
}, 120_000);

test("kill -9 in the middle of a migration leaves the schema it found, and a later open completes it", async () => {
  const path = join(tempDir(), "a.db");
  const before = await openTestStore({ path });
  await newOwner(before, "ses_1", { title: "whole" });
  await before.close();

  const child = startChild("migrator", path);
  await heard(child, "middle");
  await child.kill();

  const same = await openTestStore({ path });
  expect((await same.query.session("ses_1"))?.row.title).toBe("whole");
  await same.close();
  expect(tablesOf(path)).not.toContain("half");
  expect(tablesOf(path)).not.toContain("whole");

  const migrations = { "9999-half": { up: async (db: Parameters<typeof createHalf>[0]) => createHalf(db) } };
  const after = await openTestStore({ path, migrations });
  expect((await after.query.session("ses_1"))?.row.title).toBe("whole");
  await after.close();
  expect(tablesOf(path)).toContain("half");
});

async function createHalf(db: Parameters<ReturnType<typeof sql>["execute"]>[0]): Promise<void> {
  await sql`CREATE TABLE half AS SELECT * FROM sessions`.execute(db);
}

function tablesOf(path: string): unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map((row) => row["name"]);
  db.close();
  return names;
}
