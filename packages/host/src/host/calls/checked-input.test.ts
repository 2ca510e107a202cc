import { expect, test } from "vitest";
import { createFakeDriver } from "../../testing/fake-driver.ts";
import { hashOf } from "./body-hash.ts";
import { checkBranch, checkInput, partsOf } from "./checked-input.ts";

const text = (value: string) => [{ type: "text", text: value }];
const limit = 1_000;

test("text becomes one part; parts pass as they are", () => {
  expect(partsOf({ text: "hi" }, limit)).toEqual(text("hi"));
  expect(partsOf({ parts: [{ type: "text", text: "hi" }] }, limit)).toEqual(text("hi"));
});

test.each([
  [{}, "bad-input"],
  [{ text: " \n" }, "bad-input"],
  [{ parts: [] }, "bad-input"],
  [{ text: "a", parts: [] }, "bad-input"],
  [{ text: "x".repeat(2_000) }, "input-too-large"],
])("%j is refused", (input, code) => {
  expect(() => partsOf(input, limit)).toThrow(expect.objectContaining({ code }));
});

test("an input that answers a message again needs no parts", () => {
  expect(partsOf({ branch: { messageId: "msg_1", position: "at" } }, limit)).toEqual([]);
  expect(() => partsOf({ branch: { messageId: "msg_1", position: "before" } }, limit)).toThrow();
});

test("lone surrogates are replaced, whole ones kept", () => {
  expect(partsOf({ text: "a\ud800b😀" }, limit)).toEqual(text("a\ufffdb😀"));
});

test.each(["", "a b", "a\u0000", "x".repeat(129), "ä"])("%j is no input id", (id) => {
  expect(() => checkInput({ id, text: "hi" })).toThrow(expect.objectContaining({ code: "bad-input" }));
});

test("going back needs host history or the capability", () => {
  const native = createFakeDriver({ capabilities: { history: "native", rewind: false } }).driver;
  const branch = { messageId: "msg_1", position: "before" } as const;
  expect(() => checkBranch(branch, native)).toThrow(expect.objectContaining({ code: "rewind-unsupported" }));
  expect(() => checkBranch(branch, createFakeDriver().driver)).not.toThrow();
});

test("a hash depends on values, not on the order of keys", () => {
  expect(hashOf({ a: 1, b: { c: 2, d: 3 } })).toBe(hashOf({ b: { d: 3, c: 2 }, a: 1 }));
  expect(hashOf({ a: [1, 2] })).not.toBe(hashOf({ a: [2, 1] }));
  expect(hashOf({ a: "1" })).not.toBe(hashOf({ a: 1 }));
});
