import { expect, test } from "vitest";
import { StderrTail } from "./stderr-tail.ts";

const tailOf = (limit: number, secrets: readonly string[], ...chunks: readonly (string | Buffer)[]): string => {
  const tail = new StderrTail(limit, secrets);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.text();
};

test("keeps the last bytes over many chunks", () => {
  expect(tailOf(8, [], "a".repeat(100_000), "12345", "678")).toBe("12345678");
  expect(tailOf(8, [], "short")).toBe("short");
});

test("never shows half a character, at the start, at the end, or between chunks", () => {
  const euro = Buffer.from("€");
  expect(tailOf(7, [], "€€€€")).toBe("€€");
  expect(tailOf(100, [], "ab", euro.subarray(0, 2))).toBe("ab");
  expect(tailOf(100, [], "ab", euro.subarray(0, 2), euro.subarray(2))).toBe("ab€");
  const cut = tailOf(2_048, [], "€".repeat(10_000));
  expect(cut).toBe("€".repeat(682));
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(2_048);
});

test("a secret that the cut would split is redacted first", () => {
  const secret = "s3cret-value-".repeat(20);
  const text = tailOf(100, [secret], "x".repeat(5_000), secret, "y".repeat(50));
  expect(text).toBe(`${"x".repeat(40)}[redacted]${"y".repeat(50)}`);
});
