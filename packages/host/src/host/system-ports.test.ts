import { expect, test } from "vitest";
import { silentLog } from "./silent-log.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";

test("a timer fires once, after its time", async () => {
  const from = systemClock.monotonic();
  await new Promise<void>((fired) => systemClock.after(5, fired));
  expect(systemClock.monotonic() - from).toBeGreaterThanOrEqual(4);
});

test("a cancelled timer does not fire", async () => {
  const fired: string[] = [];
  systemClock.after(1, () => fired.push("cancelled"))();
  await new Promise<void>((done) => systemClock.after(10, done));
  expect(fired).toEqual([]);
});

test("ids carry their kind and rise with time", () => {
  const ids = Array.from({ length: 1000 }, () => systemIds.make("ses"));
  expect(ids[0]).toMatch(/^ses_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(1000);
});

test("an agent key is a random UUID", () => {
  expect(systemIds.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("the silent log takes everything and says nothing", () => {
  expect(silentLog.error("boom", { session: "ses_1" })).toBeUndefined();
});
