import { expect, test } from "vitest";
import { countingIds } from "./counting-ids.ts";

test("each kind counts from one, and another instance repeats it", () => {
  const ids = countingIds();
  expect([ids.make("ses"), ids.make("ses"), ids.make("trn")]).toEqual(["ses_0001", "ses_0002", "trn_0001"]);
  expect(countingIds().make("ses")).toBe("ses_0001");
});

test("UUIDs are valid, distinct and repeatable", () => {
  const ids = countingIds();
  const made = Array.from({ length: 20 }, () => ids.uuid());
  expect(made[0]).toBe("00000000-0000-4000-8000-000000000001");
  expect(new Set(made).size).toBe(20);
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
