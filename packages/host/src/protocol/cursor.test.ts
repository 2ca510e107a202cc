import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCursor, parseCursor } from "./cursor.ts";

const cursors = fc.record({
  store: fc.stringMatching(/^[a-z0-9]{8,64}$/),
  session: fc.integer({ min: 1, max: 2 ** 52 }),
  seq: fc.integer({ min: 0, max: 2 ** 52 }),
});

test("a cursor comes back as it was written", () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
    }),
  );
});

test.each([
  "",
  "abcdefgh",
  "abcdefgh.1",
  "abcdefgh.1.2.3",
  "short.1.2",
  "ABCDEFGH.1.2",
  "abc-defgh.1.2",
  "abcdefgh.0.2",
  "abcdefgh.1.-2",
  "abcdefgh.1.02",
  "abcdefgh.1.2 ",
  "abcdefgh.1.2\n",
  "abcdefgh.1.1e3",
  "abcdefgh.1.9999999999999999",
  `${"a".repeat(65)}.1.2`,
])("%j is refused with bad-cursor", (text) => {
  expect(() => parseCursor(text)).toThrow(expect.objectContaining({ code: "bad-cursor" }));
});

test("any other text is refused too", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/^[a-z0-9]{8,64}\.\d+\.\d+$/.test(text)),
      (text) => {
        expect(() => parseCursor(text)).toThrow(expect.objectContaining({ code: "bad-cursor" }));
      },
    ),
  );
});
