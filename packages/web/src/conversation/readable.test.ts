import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines, readableInput, summaryOf } from "./readable.ts";

test.each([
  [{ command: "ls -l" }, { kind: "terminal", command: "ls -l" }],
  [
    { file_path: "a.ts", content: "x" },
    { kind: "file", path: "a.ts", text: "x" },
  ],
  [
    { path: "a.ts", oldText: "b", newText: "c" },
    { kind: "diff", path: "a.ts" },
  ],
  [{ pattern: "x*" }, { kind: "values", text: '{\n  "pattern": "x*"\n}' }],
  [undefined, { kind: "values", text: "" }],
  ["words", { kind: "values", text: "words" }],
])("%o is read as it is meant", (input, readable) => {
  expect(readableInput(input)).toMatchObject(readable);
});

test("a summary is one short line", () => {
  expect(summaryOf({ command: `echo one\necho two` })).toBe("echo one");
  expect(summaryOf({ path: "x".repeat(500) })).toHaveLength(120);
  expect(summaryOf({})).toBe("");
});

test("a diff has every old line and every new one, in their order, and what they share once", () => {
  const line = fc.constantFrom("a", "b", "c", "");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
      const lines = diffLines(before.join("\n"), after.join("\n"));
      const side = (sign: "+" | "-"): string =>
        lines.flatMap((one) => (one.sign === " " || one.sign === sign ? [one.text] : [])).join("\n");
      expect([side("-"), side("+")]).toEqual([before.join("\n"), after.join("\n")]);
    }),
    { seed: 1 },
  );
  expect(diffLines("a\nb\nc", "a\nx\nc").map(({ sign, text }) => sign + text)).toEqual([" a", "-b", "+x", " c"]);
});
