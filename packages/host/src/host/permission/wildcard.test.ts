import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../testing/cpu-ms.ts";
import { hasStar, literalPattern, matchesPath, matchesText, matchesWide, wideCharacters } from "./wildcard.ts";

test.each<[string, string, boolean]>([
  ["git status*", "git status", true],
  ["git status*", "git status -s", true],
  ["git status*", "git stash", false],
  ["git status *", "git status", false],
  ["*.ts", "a.b.ts", true],
  ["*a*b*", "xxaxxbxx", true],
  ["*a*b*", "xxbxxaxx", false],
  ["a*a", "a", false],
  ["**", "", true],
  ["a.c", "abc", false],
  ["[ab]", "a", false],
  ["a\\*b", "a*b", true],
  ["a\\*b", "axb", false],
  ["a\\\\b", "a\\b", true],
  ["a\\b", "a\\b", true], // a backslash before anything else is itself
  ["Git*", "git status", false],
])("text: %s matches %s: %s", (pattern, text, expected) => {
  expect(matchesText(pattern, text, "exact")).toBe(expected);
});

test.each<[string, string, boolean]>([
  ["src/**", "src/a/b.ts", true],
  ["src/**", "src", true],
  ["src/**", "srcs/a", false],
  ["src/*", "src/a/b", false],
  ["src/*.ts", "src/a.ts", true],
  ["**/test/**", "a/b/test/c", true],
  ["**/test/**", "test", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "a/x/y/c", false],
  ["/w/a", "/w/a", true],
  ["a/", "a", true],
])("path: %s matches %s: %s", (pattern, path, expected) => {
  expect(matchesPath(pattern, path, "exact")).toBe(expected);
});

test.each<[string, string]>([
  [".ENV", ".env"],
  ["caf\u00e9", "cafe\u0301"],
  [".env", ".e\u200bnv"],
  ["rm *", "\uff52\uff4d -rf"],
])("wide: %s is %s, and exactly it is not", (pattern, text) => {
  expect([matchesText(pattern, text, "wide"), matchesText(pattern, text, "exact")]).toEqual([true, false]);
  expect(matchesWide(pattern, wideCharacters(text))).toBe(true);
});

const text = fc.string({ unit: fc.constantFrom("a", "b", "*", "\\", "/", " ", "é", "😀"), maxLength: 12 });

test("the literal pattern of a text matches it and nothing else", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(hasStar(literalPattern(one))).toBe(false);
      expect(matchesText(literalPattern(one), other, "exact")).toBe(one === other);
    }),
  );
});

test("matching agrees with a regular expression made of the same pattern", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", ".", " "), maxLength: 10 });
  fc.assert(
    fc.property(pattern, text, (given, on) => {
      const source = given.replace(/[.]/g, "\\.").replace(/\*+/g, "[^]*");
      expect(matchesText(given, on, "exact")).toBe(new RegExp(`^${source}$`, "u").test(on));
      expect(matchesText(given, on, "exact") && !matchesText(given, on, "wide")).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("a pattern made to be slow is not", () => {
  let matched = true;
  const spent = cpuMs(() => {
    matched = matchesText(`${"*a".repeat(200)}b`, "a".repeat(20_000), "exact");
  });
  expect(matched).toBe(false);
  expect(spent).toBeLessThan(2_000);
});
