import { expect, test } from "vitest";
import { agoText, countText, durationText, sizeText } from "./amounts.ts";
import { plainLook } from "./look.ts";
import { table } from "./table.ts";

test("durations, in ms", () => {
  expect([0, 999, 2_340, 200_000, 7_500_000].map(durationText)).toEqual([
    "0 ms",
    "999 ms",
    "2.3 s",
    "3 min 20 s",
    "2 h 5 min",
  ]);
});

test("sizes and counts", () => {
  expect([12, 2_100, 3_400_000].map(sizeText)).toEqual(["12 B", "2.1 kB", "3.4 MB"]);
  expect([countText(1, "line"), countText(1_234, "line")]).toEqual(["1 line", "1,234 lines"]);
});

test("how long ago", () => {
  const now = Date.UTC(2030, 0, 31);
  const ago = [1_000, 300_000, 7_200_000, 86_400_000, 40 * 86_400_000].map((ms) => agoText(now - ms, now));
  expect(ago).toEqual(["now", "5 min ago", "2 h ago", "1 day ago", "2029-12-22"]);
});

test("a table aligns its columns and keeps a row on its line", () => {
  const rows = [
    ["a", "first\nsecond", "x"],
    ["bbbb", "c", "\u001b[31my"],
  ];
  expect(table(["ID", "TITLE", "S"], rows, plainLook)).toBe(
    "ID    TITLE         S\na     first second  x\nbbbb  c             [31my\n",
  );
});
