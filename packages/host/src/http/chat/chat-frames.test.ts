import fc from "fast-check";
import { expect, test } from "vitest";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import { type Frame, framesOf, textOf } from "./chat-frames.ts";

const at = (cursor: string | null, ...chunks: UIMessageChunk[]): readonly Frame[] => framesOf(chunks, cursor);
const delta = (id: string, text: string): UIMessageChunk => ({ type: "text-delta", id, delta: text });

test("a frame is one line of data, with its cursor; what is stored has none", () => {
  const text = textOf([...at("a.1.5", { type: "start-step" }), ...at(null, delta("0", "two\nlines \u2028"))]);
  expect(text).toBe(
    'id: a.1.5\ndata: {"type":"start-step"}\n\ndata: {"type":"text-delta","id":"0","delta":"two\\nlines \u2028"}\n\n',
  );
  expect(textOf([])).toBe("");
});

test("neighbouring deltas of one part are one, under the last cursor", () => {
  const said = { providerMetadata: { p: {} } };
  const frames = [
    ...at("a.1.1", delta("0", "a")),
    ...at("a.1.2", delta("0", "b"), delta("1", "c")),
    ...at("a.1.3", { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{" }),
    ...at("a.1.4", { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "}" }),
    ...at("a.1.5", { type: "reasoning-delta", id: "1", delta: "d" }),
    ...at("a.1.6", { ...delta("1", "e"), ...said }, delta("1", "f")),
  ];
  const lines = textOf(frames).split("\n");
  expect(lines.filter((line) => line.startsWith("id: "))).toEqual([2, 2, 4, 5, 6, 6].map((n) => `id: a.1.${n}`));
  expect(lines.flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []))).toEqual([
    delta("0", "ab"),
    delta("1", "c"),
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{}" },
    { type: "reasoning-delta", id: "1", delta: "d" },
    { ...delta("1", "e"), ...said },
    delta("1", "f"),
  ]);
});

test("merging loses no text and mixes no parts", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("0", "1"), fc.string())), (said) => {
      const lines = textOf(said.map(([id, text]) => ({ chunk: delta(id, text), cursor: null }))).split("\n");
      const chunks = lines.flatMap((line) =>
        line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as { id: string; delta: string }] : [],
      );
      for (const id of ["0", "1"])
        expect(
          chunks
            .filter((chunk) => chunk.id === id)
            .map((chunk) => chunk.delta)
            .join(""),
        ).toBe(
          said
            .filter(([part]) => part === id)
            .map(([, text]) => text)
            .join(""),
        );
    }),
  );
});
