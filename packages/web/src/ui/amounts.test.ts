import { expect, test } from "vitest";
import { ago, duration, money, tokens } from "./amounts.ts";

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_500, "1.5 s"],
  [61_000, "1 min 1 s"],
  [3_660_000, "1 h 1 min"],
])("%i ms are %s", (ms, text) => expect(duration(ms)).toBe(text));
test.each([
  [59_999, "now"],
  [60_000, "1 min"],
  [3_600_000, "1 h"],
  [90_000_000, "1 d"],
])("%i ms ago is %s", (ms, text) => expect(ago(1_000, 1_000 + ms)).toBe(text));
test("tokens and money are short, and small money is not nothing", () => {
  expect([tokens(999), tokens(1_234), tokens(2_345_678)]).toEqual(["999", "1.2k", "2.35M"]);
  expect([0, 0.0042, 1.5].map((amount) => money({ currency: "USD", amount }))).toEqual([
    "0.00 USD",
    "0.0042 USD",
    "1.50 USD",
  ]);
});
