import { expect, test } from "vitest";
import { LineReader } from "./line-reader.ts";

/** What a reader makes of these reads; `null` where it says that a line is too long. */
function linesOf(reads: readonly (string | Buffer)[], maxBytes = 1_000) {
  const lines: (string | null)[] = [];
  const reader = new LineReader(maxBytes, { line: (text) => lines.push(text), tooLong: () => lines.push(null) });
  for (const bytes of reads) reader.read(Buffer.from(bytes));
  return { lines, waiting: reader.waiting };
}

test("C37: a line ends at 0x0A and at no other character that ends lines elsewhere", () => {
  const text = '{"a":"one\u2028two\u2029three\u0085four\\rfive\\u0000"}';
  expect(linesOf([`${text}\r\n`, "\n\n", "Debugger attached\n"]).lines).toEqual([text, "Debugger attached"]);
});

test("C37: two lines come in one read, and one line comes in three", () => {
  expect(linesOf(["one\ntwo\nth", "re", "e\nrest"])).toEqual({ lines: ["one", "two", "three"], waiting: 4 });
});

test("C36: a read may end inside a character of four bytes", () => {
  const bytes = Buffer.from("a 🙂 b\n");
  const cut = [...bytes].map((byte) => Buffer.from([byte]));
  expect(linesOf(cut).lines).toEqual(["a 🙂 b"]);
});

test("C36: a line above the limit is told once, its bytes are not kept, and the next line is read", () => {
  expect(linesOf(["12345\n", "123456", "789", "\nnext\n123456789"], 5)).toEqual({
    lines: ["12345", null, "next", null],
    waiting: 0,
  });
});
