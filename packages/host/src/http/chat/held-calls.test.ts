import fc from "fast-check";
import { expect, test } from "vitest";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import { HeldCalls } from "./held-calls.ts";

/** `s1` begins the input of call 1, `i1` completes it, `o1` is its output, `p1` a first output, `x1` a denial. `t`: text. */
const chunkOf = (code: string): UIMessageChunk => {
  const [kind, toolCallId] = [code[0], code.slice(1)];
  const input = { toolCallId, toolName: "bash" };
  switch (kind) {
    case "s":
      return { type: "tool-input-start", ...input };
    case "d":
      return { type: "tool-input-delta", toolCallId, inputTextDelta: "{" };
    case "i":
      return { type: "tool-input-available", ...input, input: {} };
    case "v":
      return { type: "tool-input-available", ...input, input: {}, providerExecuted: true };
    case "o":
      return { type: "tool-output-available", toolCallId, output: 1 };
    case "p":
      return { type: "tool-output-available", toolCallId, output: 1, preliminary: true };
    case "x":
      return { type: "tool-output-denied", toolCallId };
    case "S":
      return { type: "start-step" };
    default:
      return { type: "text-delta", id: "0", delta: code };
  }
};
const codeOf = (codes: readonly string[], chunk: UIMessageChunk): string =>
  codes.find((code) => JSON.stringify(chunkOf(code)) === JSON.stringify(chunk)) ?? "?";
/** What is shown at each code; `?1`: call 1 is asked about; `!`: the message is over. */
function shownAt(script: string): string {
  const codes = script.split(" ");
  const held = new HeldCalls();
  return codes
    .map((code) => {
      if (code === "!") return held.releaseAll();
      return code.startsWith("?") ? held.begin(code.slice(1)) : held.take(chunkOf(code));
    })
    .map((chunks) => chunks.map((chunk) => codeOf(codes, chunk)).join(","))
    .join(" ");
}

test.each([
  ["texts and a first call are shown at once", "ta S s1 d1 i1 o1 tb", "ta S s1 d1 i1 o1 tb"],
  ["a second call waits for the first", "i1 i2 o1 o2", "i1  o1,i2 o2"],
  ["a call that gave something has begun", "i1 i2 p2 o2 o1", "i1  i2,p2 o2 o1"],
  ["and so have those before it", "i1 i2 i3 o3", "i1   i2,i3,o3"],
  ["a call that is asked about is shown, and those before it", "i1 i2 i3 ?2", "i1   i2"],
  ["what comes behind a call that waits, waits", "i1 i2 ta ?1 o1", "i1    o1,i2,ta"],
  ["but not what is about a call that is shown", "i1 s2 p1 d2 i2 o1", "i1  p1   o1,s2,d2,i2"],
  ["a call that is shown goes on past one that waits", "i1 s2 s3 d2 ?2 i2 i3", "i1    s2,d2 i2 "],
  ["the next step shows all", "i1 i2 ta S", "i1   i2,ta,S"],
  ["the end shows all", "i1 i2 ta !", "i1   i2,ta"],
  ["what a provider runs has begun", "i1 v2", "i1 v2"],
  ["a denial is an outcome", "i1 i2 x1", "i1  x1,i2"],
])("%s", (_, script, shown) => {
  expect(shownAt(script)).toBe(shown);
});

test("it is known when nothing but whole calls is kept back", () => {
  const held = new HeldCalls();
  const after = (code: string): boolean => {
    held.take(chunkOf(code));
    return held.isKeepingWhole;
  };
  expect(["i1", "s2", "i2", "s3", "i3", "o1"].map(after)).toEqual([false, false, true, false, true, true]);
  expect(held.shown).toEqual(["2"]);
  held.begin("3");
  expect([held.isKeepingWhole, held.shown]).toEqual([false, ["2", "3"]]);
  expect([held.knows("3"), held.knows("4")]).toEqual([true, false]);
});

test("nothing is lost, doubled, or out of the order of its own call, and all new parts keep their order", () => {
  const code = fc.constantFrom(
    ..."sdiopx".split("").flatMap((kind) => ["1", "2", "3", "4"].map((n) => kind + n)),
    "ta",
    "S",
    "?2",
  );
  fc.assert(
    fc.property(fc.array(code, { maxLength: 30 }), (codes) => {
      const held = new HeldCalls();
      const given = codes.filter((one) => !one.startsWith("?")).map(chunkOf);
      let at = 0;
      const out: UIMessageChunk[] = [];
      for (const one of codes) {
        if (one.startsWith("?")) out.push(...held.begin(one.slice(1)));
        else out.push(...held.take(given[at++] as UIMessageChunk));
      }
      out.push(...held.releaseAll());
      const about = (chunks: readonly UIMessageChunk[], id: string) =>
        chunks.filter((chunk) => "toolCallId" in chunk && chunk.toolCallId === id);
      const firsts = (chunks: readonly UIMessageChunk[]) => {
        const seen = new Set<string>();
        return chunks.filter(
          (chunk) => !("toolCallId" in chunk) || (!seen.has(chunk.toolCallId) && seen.add(chunk.toolCallId)),
        );
      };
      expect(out).toHaveLength(given.length);
      for (const id of ["1", "2", "3", "4"]) expect(about(out, id)).toEqual(about(given, id));
      expect(firsts(out)).toEqual(firsts(given));
    }),
    { numRuns: 300 },
  );
});
