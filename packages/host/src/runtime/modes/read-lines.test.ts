import { expect, test } from "vitest";
import { readLines } from "./read-lines.ts";

async function* pieces(...given: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* given;
}
const all = async (most: number, ...given: (string | Uint8Array)[]): Promise<(string | null)[]> => {
  const lines: (string | null)[] = [];
  for await (const line of readLines(pieces(...given), most)) lines.push(line);
  return lines;
};

test("lines end at line feeds only, across pieces and inside characters", async () => {
  const euro = Buffer.from("€");
  expect(await all(100, "a\u2028b", "c\nd\r\n", euro.subarray(0, 1), euro.subarray(1), "\n\nlast")).toEqual([
    "a\u2028bc",
    "d",
    "€",
    "",
    "last",
  ]);
});

test("one that is too long is said once and passed over", async () => {
  expect(await all(4, "12345", "6789\n1234\n", "12345")).toEqual([null, "1234", null]);
});
