import fc from "fast-check";
import { expect, test } from "vitest";
import { carriable } from "./carriable.ts";

test("what is fine is given back itself", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(text.isWellFormed() && !/\\ud[89a-f]/i.test(text));
      expect(carriable(value)).toBe(value);
    }),
  );
});

test("half a pair becomes U+FFFD wherever it stands; a whole pair, and NUL, stay", () => {
  expect(carriable("a\ud83d")).toBe("a\uFFFD");
  expect(carriable({ "x\udc00": ["\ud83d\ude00\u0000", { y: "\ude00z" }] })).toEqual({
    "x\uFFFD": ["\ud83d\ude00\u0000", { y: "\uFFFDz" }],
  });
});

test("only what changes is copied", () => {
  const kept = { a: 1 };
  const value = { kept, broken: ["\ud800"] };
  const result = carriable(value);
  expect(result).toEqual({ kept: { a: 1 }, broken: ["\uFFFD"] });
  expect(result.kept).toBe(kept);
  expect(value.broken).toEqual(["\ud800"]);
});

test("what JSON cannot say, or only until the stack ends, becomes words", () => {
  const round: Record<string, unknown> = {};
  round["self"] = round;
  const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as unknown;
  for (const value of [round, deep, { big: 10n }]) expect(() => JSON.stringify(carriable(value))).not.toThrow();
  expect(JSON.stringify(carriable({ big: 10n }))).toBe('{"big":"10"}');
  expect(JSON.stringify(carriable(deep))).toContain("nested deeper than 200 levels");
});
