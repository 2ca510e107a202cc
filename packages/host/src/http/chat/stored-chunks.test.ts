import fc from "fast-check";
import { expect, test } from "vitest";
import type { UIMessage, UIMessageChunk } from "../../protocol/chunks.ts";
import { foldChunk, snapshot, startFold } from "../../protocol/fold.ts";
import { chunksBehind, chunksOf } from "./stored-chunks.ts";
import { shown } from "./test-chat.ts";

const fold = (chunks: readonly UIMessageChunk[]): UIMessage => {
  const folding = startFold("m");
  for (const chunk of chunks) expect(foldChunk(folding, chunk)).toBeUndefined();
  return snapshot(folding);
};
const metadata = { providerMetadata: { p: { a: 1 } } };
const call = fc.record({
  toolName: fc.constantFrom("bash", "read"),
  title: fc.option(fc.string(), { nil: undefined }),
  dynamic: fc.boolean(),
  outcome: fc.constantFrom("tool-output-available", "tool-output-error", "tool-output-denied", "tool-input-error"),
  asked: fc.boolean(),
  value: fc.jsonValue(),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

function callChunks({ toolName, title, dynamic, outcome, asked, value }: Call, n: number): UIMessageChunk[] {
  const toolCallId = `c${n}`;
  const named = { toolCallId, toolName, ...(title === undefined ? {} : { title }), ...(dynamic ? { dynamic } : {}) };
  if (outcome === "tool-input-error") return [{ type: outcome, ...named, input: value, errorText: "bad" }];
  const question: UIMessageChunk[] =
    asked || outcome === "tool-output-denied"
      ? [{ type: "tool-approval-request", approvalId: `p${n}`, toolCallId }]
      : [];
  const end: UIMessageChunk =
    outcome === "tool-output-available"
      ? { type: outcome, toolCallId, output: value, ...metadata }
      : outcome === "tool-output-error"
        ? { type: outcome, toolCallId, errorText: "no" }
        : { type: outcome, toolCallId };
  return [{ type: "tool-input-available", ...named, input: value, ...metadata }, ...question, end];
}
const piece = fc.oneof(
  fc.record({ kind: fc.constantFrom("text", "reasoning"), text: fc.string(), marked: fc.boolean() }).map(
    ({ kind, text, marked }) =>
      (n: number): UIMessageChunk[] =>
        [
          { type: `${kind}-start`, id: `t${n}`, ...(marked ? metadata : {}) },
          { type: `${kind}-delta`, id: `t${n}`, delta: text },
          { type: `${kind}-end`, id: `t${n}` },
        ] as UIMessageChunk[],
  ),
  call.map((one) => (n: number) => callChunks(one, n)),
  fc.constant((): UIMessageChunk[] => [{ type: "start-step" }]),
  fc.constant((): UIMessageChunk[] => [{ type: "source-url", sourceId: "s", url: "https://a.example", title: "t" }]),
  fc.constant((): UIMessageChunk[] => [{ type: "source-document", sourceId: "s", mediaType: "a/b", title: "t" }]),
  fc.constant((n: number): UIMessageChunk[] => [{ type: "data-x", id: `d${n}`, data: { n } }]),
  fc.constant((): UIMessageChunk[] => [{ type: "file", mediaType: "a/b", url: "mooring:file/fil_1", ...metadata }]),
);
const message = fc.array(piece, { maxLength: 8 }).map((pieces) => fold(pieces.flatMap((make, n) => make(n))));
function same(a: UIMessage, b: UIMessage): void {
  expect(shown([a])).toEqual(shown([b]));
}

test("folded, the chunks of a message are the message", () => {
  fc.assert(fc.property(message, (whole) => same(fold(chunksOf(whole, (id) => id)), whole)));
});

test("a client that has a part of a message, with calls that were not over, gets the rest", () => {
  fc.assert(
    fc.property(message, fc.nat(8), (whole, cut) => {
      const has = Math.min(cut, whole.parts.length);
      const open = chunksOf({ parts: whole.parts.slice(0, has) }, (id) => id).filter(
        ({ type }) => !type.startsWith("tool-output"),
      );
      same(fold([...open, ...chunksBehind(whole, has, (id) => id)]), whole);
    }),
  );
});

test("files are named by an address, and what version 6 does not know is left out", () => {
  const parts: UIMessage["parts"] = [
    { type: "file", mediaType: "a/b", url: "mooring:file/fil_1" },
    { type: "custom", kind: "a.b" },
    { type: "reasoning-file", mediaType: "a/b", url: "data:," },
    { type: "steering-message", id: "s", parts: [] },
  ];
  expect(chunksOf({ parts }, (id) => `/f/${id}`)).toEqual([{ type: "file", mediaType: "a/b", url: "/f/fil_1" }]);
});
