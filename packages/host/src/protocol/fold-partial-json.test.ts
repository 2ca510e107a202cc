/** `fold-partial-json.ts` against the SDK's own function: same value for whole, cut, and broken text. */
import { parsePartialJson as parsePartialJsonOfAi } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePartialJson } from "./fold-partial-json.ts";

async function expectSame(text: string): Promise<void> {
  expect(parsePartialJson(text), JSON.stringify(text)).toEqual((await parsePartialJsonOfAi(text)).value);
}

const written = fc
  .record({ value: fc.jsonValue({ maxDepth: 4 }), indent: fc.constantFrom(undefined, 1, "\t") })
  .map(({ value, indent }) => JSON.stringify(value, null, indent));

describe("parsePartialJson", () => {
  test("of every beginning of valid JSON", async () => {
    const property = fc.asyncProperty(written, async (text) => {
      for (let end = 0; end <= Math.min(text.length, 80); end++) await expectSame(text.slice(0, end));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test("of broken text", async () => {
    const nonsense = fc.string({
      unit: fc.constantFrom(...'{}[]",:\\u0aF9eE+-. tfnrulasx\n', "true", "null", '{"a":', '","', "[1"),
      maxLength: 24,
    });
    const damaged = fc
      .record({ text: written, at: fc.nat(60), cut: fc.nat(3), put: nonsense })
      .map(({ text, at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut));
    await fc.assert(fc.asyncProperty(fc.oneof(nonsense, damaged), expectSame), { numRuns: 10_000 });
  });

  test("of inputs as models write them", () => {
    const cases: [string, unknown][] = [
      ["", undefined],
      ["{", {}],
      ['{"pa', {}],
      ['{"path":', {}],
      ['{"path":"src/in', { path: "src/in" }],
      ['{"path":"a\\u00e', { path: "a" }],
      ['{"path":"a\\', { path: "a" }],
      ['{"lines":[1,2', { lines: [1, 2] }],
      ['{"lines":[1,-', { lines: [1] }],
      ['{"n":1.5e', { n: 1.5 }],
      ['{"all":tr', { all: true }],
      ['{"all":true}', { all: true }],
      ['{"a":{"b":[{"c":nul', { a: { b: [{ c: null }] } }],
      ["nonsense", undefined],
      ['{"a":1} and more', { a: 1 }],
    ];
    for (const [text, value] of cases) expect(parsePartialJson(text), text).toEqual(value);
  });

  test("refuses keys that reach a prototype, as the SDK does", async () => {
    const refused = [
      '{"__proto__":{"x":1}}',
      '{"a":[{"\\u005f_proto__":{"x":1',
      '{"constructor":{"prototype":{}}}',
      '{"a":{"constructor":{"prototype":1',
    ];
    for (const text of [...refused, '{"constructor":1}', '{"prototype":1}', '"__proto__"', '["constructor"']) {
      await expectSame(text);
    }
    for (const text of refused) expect(parsePartialJson(text)).toBeUndefined();
  });

  test("survives nesting that no recursion would", () => {
    expect(parsePartialJson("[".repeat(100_000))).toBeInstanceOf(Array);
    expect(parsePartialJson('{"a":'.repeat(100_000))).toBeInstanceOf(Object);
  });
});
