import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { StoredEvent } from "../../protocol/events.ts";
import { message, messageRow, newOwner, type Owner } from "../contract/fixtures.ts";
import { freshSegments } from "../limits.ts";
import { openTestStore, tempDir } from "./test-store.ts";

const sessions = 100;
const rounds = Math.ceil((1.5 * freshSegments) / sessions);

function rowsIn(path: string, ...tables: readonly string[]): number[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const counts = tables.map((table) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]));
  db.close();
  return counts;
}

test("a journal reads the same when part of it was settled, before and after a restart", async () => {
  const path = join(tempDir(), "a.db");
  const store = await openTestStore({ path });
  const owners = await Promise.all(Array.from({ length: sessions }, (_, n) => newOwner(store, `ses_${n}`)));
  await Promise.all(owners.map((owner) => owner.write(message(messageRow("msg_1")), owner.chunk("msg_1", start))));
  const published = new Map<Owner, StoredEvent[]>(owners.map((owner) => [owner, []]));
  for (let round = 1; round < rounds; round += 1)
    await Promise.all(
      owners.map(async (owner) => {
        const { events } = await owner.write(owner.delta("msg_1", `${round} `));
        published.get(owner)?.push(...events);
      }),
    );
  const [settled = 0, fresh = 0] = rowsIn(path, "events", "fresh_events");
  expect(settled).toBeGreaterThanOrEqual(freshSegments);
  expect(fresh).toBeGreaterThan(0);
  expect(settled + fresh).toBe(sessions * rounds);
  await store.close();

  const again = await openTestStore({ path });
  const text = Array.from({ length: rounds - 1 }, (_, n) => `${n + 1} `).join("");
  for (const [owner, events] of published) {
    for (const after of [1, rounds - 2, Math.floor(rounds / 2)])
      expect(await again.events(owner.no, after, 1_000)).toEqual(events.slice(after - 1));
    expect(await again.load(owner.no)).toMatchObject({ nextSeq: rounds + 1, open: [{ opened: 1 }] });
    expect(await again.snapshot(owner.no)).toMatchObject({ seq: rounds, open: [{ parts: [{ text }] }] });
  }
  await again.close();
});
const start = { type: "text-start", id: "0" } as const;

test("what a session leaves behind is nothing, though it wrote in the flush that removed it", async () => {
  const path = join(tempDir(), "a.db");
  const store = await openTestStore({ path });
  const owner = await newOwner(store, "ses_1");
  await owner.write(owner.notice("before"));
  await Promise.all([owner.write(owner.notice("x")), store.change([{ write: "session-remove", id: "ses_1" }])]);
  expect(rowsIn(path, "sessions", "events", "fresh_events")).toEqual([0, 0, 0]);
  await store.close();
});

test("the row of a dropped message goes with the last of its events", async () => {
  const path = join(tempDir(), "a.db");
  const store = await openTestStore({ path });
  const owner = await newOwner(store, "ses_1");
  await owner.write(message(messageRow("msg_1")), owner.chunk("msg_1", start, 100));
  await owner.write(owner.chunk("msg_1", { type: "text-end", id: "0" }, 300), { write: "message-drop", id: "msg_1" });
  await store.fold(200, 1);
  expect(rowsIn(path, "events", "messages")).toEqual([1, 1]);
  await store.fold(400, 1);
  expect(rowsIn(path, "events", "messages")).toEqual([0, 0]);
  await store.close();
});
