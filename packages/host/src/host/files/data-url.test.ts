import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOfDataUrl, dataUrl, fileIdOf, fileUrl, isDataUrl } from "./data-url.ts";

test("bytes survive the way there and back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      const url = dataUrl("image/png", Buffer.from(bytes));
      expect(isDataUrl(url)).toBe(true);
      expect(bytesOfDataUrl(url)).toEqual(Buffer.from(bytes));
    }),
  );
});

test.each([
  ["data:text/plain,a%20b", "a b"],
  ["data:,%E2%82%AC", "€"],
  ["DATA:text/plain;charset=utf-8;base64,YWI", "ab"],
  ["data:text/plain;BASE64,YWI=", "ab"],
  ["data:text/plain;base64,", ""],
])("%s", (url, text) => {
  expect(isDataUrl(url)).toBe(true);
  expect(bytesOfDataUrl(url)?.toString()).toBe(text);
});

test.each([
  "data:",
  "data:text/plain;base64",
  "data:;base64,a",
  "data:;base64,YW I=",
  "data:;base64,Y*Wi",
  "data:,%E2%82",
])("%s is malformed", (url) => {
  expect(bytesOfDataUrl(url)).toBeNull();
});

test("a stored file has a URL of its own", () => {
  expect(fileIdOf(fileUrl("fil_1"))).toBe("fil_1");
  expect(fileIdOf("https://example.com/mooring:file/fil_1")).toBeNull();
  expect(isDataUrl(fileUrl("fil_1"))).toBe(false);
});
