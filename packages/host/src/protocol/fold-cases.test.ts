/** `fold.ts` by hand: what each chunk does, what malformed streams cannot do, and what `snapshot` and `liveParts` say. */
import { asSchema, uiMessageChunkSchema } from "ai";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { chunkTypes, type UIMessage, type UIMessageChunk, type UIMessagePart } from "./chunks.ts";
import { type Fold, foldChunk, liveParts, snapshot, startFold } from "./fold.ts";

function folded(...chunks: UIMessageChunk[]): Fold {
  const fold = startFold("m");
  for (const chunk of chunks) foldChunk(fold, chunk);
  return fold;
}

/** The parts the chunks make, when none of them is left out. */
function partsOf(...chunks: UIMessageChunk[]): UIMessagePart[] {
  const fold = folded(...chunks);
  expect(fold.issues).toEqual([]);
  return fold.message.parts;
}

const call = { toolCallId: "c", toolName: "run" } as const;
const providerMetadata = { openai: { id: "x" } };
const available: UIMessageChunk = { type: "tool-input-available", ...call, input: { n: 1 } };
const request: UIMessageChunk = { type: "tool-approval-request", approvalId: "a", toolCallId: "c" };
const approved: UIMessageChunk = { type: "tool-approval-response", approvalId: "a", approved: true };

type Case = [name: string, chunks: UIMessageChunk[], parts: object[]];

const textCases: Case[] = [
  [
    "text is streamed and ends",
    [
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "Hel" },
      { type: "text-delta", id: "1", delta: "lo", providerMetadata },
      { type: "text-end", id: "1", citations: [] },
    ],
    [{ type: "text", text: "Hello", state: "done", providerMetadata, citations: [] }],
  ],
  [
    "reasoning keeps its id, and is apart from text of the same id",
    [
      { type: "reasoning-start", id: "1", providerMetadata },
      { type: "text-start", id: "1" },
      { type: "reasoning-delta", id: "1", delta: "hm" },
      { type: "reasoning-end", id: "1" },
      { type: "text-delta", id: "1", delta: "so" },
    ],
    [
      { type: "reasoning", id: "1", text: "hm", state: "done", providerMetadata },
      { type: "text", text: "so", state: "streaming" },
    ],
  ],
  [
    "an id may be used again",
    [
      { type: "text-start", id: "1" },
      { type: "text-end", id: "1" },
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "b" },
    ],
    [
      { type: "text", text: "", state: "done" },
      { type: "text", text: "b", state: "streaming" },
    ],
  ],
];

const wholeCases: Case[] = [
  ...(
    [
      { type: "custom", kind: "openai.thing", providerMetadata },
      { type: "source-url", sourceId: "s", url: "u", title: "t" },
      { type: "source-document", sourceId: "s", mediaType: "text/plain", title: "t", filename: "f" },
      { type: "file", url: "u", mediaType: "image/png" },
      { type: "reasoning-file", url: "u", mediaType: "image/png", providerMetadata },
      { type: "steering-message", id: "i", parts: [{ type: "text", text: "stop that" }] },
    ] satisfies UIMessageChunk[]
  ).map((chunk): Case => [`${chunk.type} is a part as it is`, [chunk], [chunk]]),
  [
    "data is replaced by type and id, kept without id, and never kept when transient",
    [
      { type: "data-a", id: "1", data: 1 },
      { type: "data-b", id: "1", data: 2 },
      { type: "data-a", data: 3 },
      { type: "data-a", id: "1", data: 4 },
      { type: "data-a", id: "1", data: 5, transient: true },
      { type: "data-a", data: 6 },
    ],
    [
      { type: "data-a", id: "1", data: 4 },
      { type: "data-b", id: "1", data: 2 },
      { type: "data-a", data: 3 },
      { type: "data-a", data: 6 },
    ],
  ],
  [
    "a reset takes back the current step only, and what was open",
    [
      { type: "data-a", id: "1", data: 1 },
      { type: "start-step" },
      { type: "data-a", id: "2", data: 2 },
      { type: "text-start", id: "1" },
      available,
      { type: "reset-step" },
      { type: "data-a", id: "2", data: 3 },
      { type: "finish-step" },
    ],
    [{ type: "data-a", id: "1", data: 1 }, { type: "step-start" }, { type: "data-a", id: "2", data: 3 }],
  ],
];

const streaming: UIMessageChunk[] = [
  { type: "tool-input-start", ...call, title: "Run", providerMetadata },
  { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"path":"a' },
];
const shown = { toolCallId: "c", title: "Run", callProviderMetadata: providerMetadata };

const toolCases: Case[] = [
  [
    "a tool input is readable while it arrives",
    streaming,
    [{ type: "tool-run", ...shown, state: "input-streaming", input: { path: "a" }, rawInput: '{"path":"a' }],
  ],
  [
    "a text input is its text",
    [
      { type: "tool-input-start", ...call, inputEncoding: "text" },
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "ls" },
    ],
    [
      {
        type: "tool-run",
        toolCallId: "c",
        state: "input-streaming",
        input: "ls",
        rawInput: "ls",
        inputEncoding: "text",
      },
    ],
  ],
  [
    "the whole input replaces its text",
    [...streaming, available],
    [{ type: "tool-run", ...shown, state: "input-available", input: { n: 1 } }],
  ],
  [
    "a refused input is an error",
    [...streaming, { type: "tool-input-error", ...call, input: "?", errorText: "no" }],
    [{ type: "tool-run", ...shown, state: "output-error", input: "?", errorText: "no" }],
  ],
  [
    "an output that comes before the whole input keeps what there was of it",
    [...streaming, { type: "tool-output-available", toolCallId: "c", output: 1 }],
    [{ type: "tool-run", ...shown, state: "output-available", input: { path: "a" }, output: 1 }],
  ],
  [
    "a failure keeps the text of a static input",
    [...streaming, { type: "tool-output-error", toolCallId: "c", errorText: "no" }],
    [
      {
        type: "tool-run",
        ...shown,
        state: "output-error",
        input: { path: "a" },
        rawInput: '{"path":"a',
        errorText: "no",
      },
    ],
  ],
  [
    "a failure drops the text of a dynamic input",
    [
      { type: "tool-input-start", ...call, dynamic: true },
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "[1" },
      { type: "tool-output-error", toolCallId: "c", errorText: "no" },
    ],
    [{ type: "dynamic-tool", ...call, state: "output-error", input: [1], errorText: "no" }],
  ],
  [
    "outputs replace preliminary ones, and their metadata is apart from the call's",
    [
      { ...available, dynamic: true, providerExecuted: true, toolMetadata: { v: 1 } },
      { type: "tool-output-available", toolCallId: "c", output: 1, preliminary: true },
      { type: "start-step" },
      { type: "tool-output-available", toolCallId: "c", output: 2, providerMetadata },
    ],
    [
      {
        type: "dynamic-tool",
        ...call,
        state: "output-available",
        input: { n: 1 },
        output: 2,
        providerExecuted: true,
        toolMetadata: { v: 1 },
        resultProviderMetadata: providerMetadata,
      },
      { type: "step-start" },
    ],
  ],
];

const answered = { id: "a", requestReason: "risky", signature: "s", isAutomatic: true, descriptor: 1 };
const approvalCases: Case[] = [
  [
    "an approval is asked for and given",
    [
      available,
      {
        ...request,
        approvalDescriptor: 1,
        reason: "risky",
        isAutomatic: true,
        signature: "s",
        inputSchemaInput: null,
      },
      { ...approved, reason: "fine", providerExecuted: false, providerMetadata },
    ],
    [
      {
        type: "tool-run",
        toolCallId: "c",
        state: "approval-responded",
        input: { n: 1 },
        approval: { ...answered, inputSchemaInput: null, approved: true, reason: "fine" },
        providerExecuted: false,
        callProviderMetadata: providerMetadata,
      },
    ],
  ],
  [
    "a denial",
    [available, request, { ...approved, approved: false }, { type: "tool-output-denied", toolCallId: "c" }],
    [
      {
        type: "tool-run",
        toolCallId: "c",
        state: "output-denied",
        input: { n: 1 },
        approval: { id: "a", approved: false },
      },
    ],
  ],
];

test.each([...textCases, ...wholeCases, ...toolCases, ...approvalCases])("%s", (_name, chunks, parts) => {
  expect(partsOf(...chunks)).toStrictEqual(parts);
});

test("metadata is merged field by field, and lists are replaced", () => {
  const fold = folded(
    { type: "start", messageId: "n", messageMetadata: { usage: { in: 1, tags: [1, 2] } } },
    { type: "message-metadata", messageMetadata: { usage: { out: 2, tags: [3] } } },
    { type: "finish", finishReason: "stop", messageMetadata: { done: true } },
    { type: "abort", reason: "r" },
    { type: "error", errorText: "e" },
  );
  const metadata = { usage: { in: 1, out: 2, tags: [3] }, done: true };
  expect(fold.message).toStrictEqual({ id: "n", role: "assistant", parts: [], metadata });
  const polluting: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"usage":{"prototype":1}}');
  foldChunk(fold, { type: "message-metadata", messageMetadata: polluting });
  expect(fold.message.metadata).toStrictEqual(metadata);
  expect(Object.getPrototypeOf(fold.message.metadata)).toBe(Object.prototype);
});

test("a date in metadata is a value, not fields", () => {
  const [old, later] = [new Date(1), new Date(2)];
  const fold = folded(
    { type: "start", messageMetadata: { at: old, was: { a: 1 } } },
    { type: "finish", messageMetadata: { at: later, was: old } },
  );
  expect(fold.message.metadata).toStrictEqual({ at: later, was: old });
});

test("metadata that is no object cannot be merged into", () => {
  const fold = folded(
    { type: "message-metadata", messageMetadata: "text" },
    { type: "message-metadata", messageMetadata: { a: 1 } },
  );
  expect(fold.message.metadata).toBe("text");
  expect(fold.issues.map(({ code }) => code)).toEqual(["unmergeable-metadata"]);
});

test("a start for another message begins that message", () => {
  const fold = folded(available, { type: "text-start", id: "1" }, { type: "start", messageId: "n" });
  expect(fold.message).toStrictEqual({ id: "n", role: "assistant", parts: [] });
  expect(liveParts(fold)).toEqual({ texts: [], tools: [] });
});

test("a chunk that does not fit changes nothing and says why", () => {
  const cases: [unknown, string][] = [
    [{ type: "text-delta", id: "9", delta: "x" }, "no-open-part"],
    [{ type: "reasoning-end", id: "9" }, "no-open-part"],
    [{ type: "tool-input-delta", toolCallId: "9", inputTextDelta: "" }, "no-open-part"],
    [{ type: "tool-output-available", toolCallId: "9", output: 1 }, "no-tool-call"],
    [{ type: "tool-output-error", toolCallId: "__proto__", errorText: "" }, "no-tool-call"],
    [{ type: "tool-output-denied", toolCallId: "constructor" }, "no-tool-call"],
    [{ type: "tool-approval-request", toolCallId: "9", approvalId: "b" }, "no-tool-call"],
    [{ type: "tool-approval-response", approvalId: "9", approved: true }, "no-approval"],
    [{ type: "text-start" }, "malformed-chunk"],
    [{ type: "text-delta", id: "1", delta: 5 }, "malformed-chunk"],
    [{ type: "data-x", id: 5, data: 1 }, "malformed-chunk"],
    [{ type: "custom", kind: "a.b", providerMetadata: { openai: 1 } }, "malformed-chunk"],
    [{ type: "steering-message", id: "1", parts: [{ type: "image" }] }, "malformed-chunk"],
    [{ type: "constructor" }, "unknown-chunk-type"],
    [{ type: "from-the-future" }, "unknown-chunk-type"],
    [{}, "malformed-chunk"],
    [null, "malformed-chunk"],
    [[{ type: "start-step" }], "malformed-chunk"],
  ];
  const fold = folded({ type: "text-start", id: "1" }, available);
  const before = snapshot(fold);
  for (const [chunk, code] of cases) {
    expect(foldChunk(fold, chunk as UIMessageChunk), JSON.stringify(chunk)).toMatchObject({ code });
    expect(fold.message).toStrictEqual(before);
  }
});

test("issues do not fill the memory", () => {
  const fold = startFold("m");
  const chunk = { type: "x".repeat(10_000) } as unknown as UIMessageChunk;
  for (let count = 0; count < 1_000; count++) foldChunk(fold, chunk);
  expect(JSON.stringify(fold.issues).length).toBeLessThan(10_000);
});

const states: ReadonlySet<unknown> = new Set([
  "input-streaming",
  "input-available",
  "approval-requested",
  "approval-responded",
  "output-available",
  "output-error",
  "output-denied",
]);

/** What readers rely on without looking. */
function isWellFormed({ type, ...part }: Record<string, unknown>): boolean {
  if (typeof type !== "string" || Object.values(part).includes(undefined)) return false;
  if (type === "text" || type === "reasoning") return typeof part["text"] === "string";
  if (type !== "dynamic-tool" && !type.startsWith("tool-")) return true;
  const isNamed = type !== "dynamic-tool" || typeof part["toolName"] === "string";
  return isNamed && typeof part["toolCallId"] === "string" && states.has(part["state"]);
}

const id = fc.constantFrom("1", "2", "__proto__");
const fields = {
  ...{ id, toolCallId: id, toolName: id, approvalId: id, sourceId: id, kind: fc.string(), url: fc.string() },
  ...{ delta: fc.string(), inputTextDelta: fc.string(), mediaType: fc.string(), title: fc.string() },
  ...{ errorText: fc.string(), approved: fc.boolean(), dynamic: fc.boolean(), parts: fc.constant([]) },
  ...{ data: fc.jsonValue(), input: fc.jsonValue(), output: fc.jsonValue(), messageMetadata: fc.jsonValue() },
};
const optionalField = fc.constantFrom(
  "providerMetadata",
  "transient",
  "preliminary",
  "citations",
  "reason",
  "messageId",
);
const anyField = fc.oneof(fc.constantFrom(...Object.keys(fields)), optionalField);
/** Chunks with all the fields any chunk needs, and sometimes one that is anything. */
const nearlyChunk = fc
  .tuple(
    fc.constantFrom(...chunkTypes, "data-a"),
    fc.record(fields),
    fc.dictionary(anyField, fc.anything(), { maxKeys: 1 }),
  )
  .map(([type, right, wrong]) => ({ type, ...right, ...wrong }));

test("no sequence of anything throws or leaves a message that is not well-formed", () => {
  const anything = fc.array(fc.oneof({ arbitrary: nearlyChunk, weight: 9 }, fc.anything()), { maxLength: 20 });
  const property = fc.property(anything, (chunks) => {
    const { message } = folded(...(chunks as UIMessageChunk[]));
    expect(typeof message.id).toBe("string");
    expect(message.parts.filter((part) => !isWellFormed(part))).toEqual([]);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("no chunk that the SDK's schema accepts is malformed", async () => {
  const schema = asSchema(uiMessageChunkSchema);
  let accepted = 0;
  const property = fc.asyncProperty(nearlyChunk, async (chunk) => {
    const result = await schema.validate?.(chunk);
    if (result?.success !== true) return;
    accepted++;
    expect(foldChunk(startFold("m"), chunk as UIMessageChunk)?.code).not.toBe("malformed-chunk");
  });
  await fc.assert(property, { numRuns: 2_000 });
  expect(accepted).toBeGreaterThan(1_000);
});

test("folding leaves its chunks and its snapshots as they are", () => {
  const chunks: UIMessageChunk[] = [
    ...streaming,
    { type: "text-start", id: "1" },
    { type: "data-a", id: "1", data: { v: 1 } },
    { type: "message-metadata", messageMetadata: { a: { b: 1 } } },
    { type: "text-delta", id: "1", delta: "x" },
    { type: "data-a", id: "1", data: { v: 2 } },
    { type: "message-metadata", messageMetadata: { a: { c: 2 } } },
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: 'bc"}' },
    available,
    request,
    approved,
    { type: "text-end", id: "1" },
    { type: "start-step" },
    { type: "start", messageId: "n" },
  ];
  const given = structuredClone(chunks);
  const fold = startFold("m");
  const taken: { live: UIMessage; copy: UIMessage }[] = [];
  for (const chunk of chunks) {
    foldChunk(fold, chunk);
    taken.push({ live: snapshot(fold), copy: structuredClone(snapshot(fold)) });
  }
  expect(chunks).toStrictEqual(given);
  for (const { live, copy } of taken) expect(live).toStrictEqual(copy);
});

test("a tool input is parsed when somebody looks, once", () => {
  const parse = vi.spyOn(JSON, "parse");
  try {
    const fold = folded(...streaming);
    for (let count = 0; count < 100; count++) {
      foldChunk(fold, { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "b" });
    }
    expect(parse).not.toHaveBeenCalled();
    expect(snapshot(fold).parts).toMatchObject([{ input: { path: `a${"b".repeat(100)}` } }]);
    const calls = parse.mock.calls.length;
    snapshot(fold);
    expect(parse).toHaveBeenCalledTimes(calls);
    foldChunk(fold, { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "b" });
    foldChunk(fold, { type: "reset-step" });
    snapshot(fold);
    expect(parse).toHaveBeenCalledTimes(calls);
  } finally {
    parse.mockRestore();
  }
});

test("liveParts lists what a later chunk could finish", () => {
  const fold = folded(
    { type: "text-start", id: "t" },
    { type: "reasoning-start", id: "r" },
    { type: "text-start", id: "done" },
    { type: "text-end", id: "done" },
    ...streaming,
    { ...available, toolCallId: "d", toolName: "two-words", dynamic: true },
    { ...available, toolCallId: "e", toolName: "two-words" },
    { ...request, toolCallId: "e" },
    { ...available, toolCallId: "f" },
    { type: "tool-output-available", toolCallId: "f", output: 1 },
    { ...available, toolCallId: "g" },
    { type: "start-step" },
    { ...available, toolCallId: "g" },
  );
  expect(liveParts(fold)).toEqual({
    texts: [
      { id: "t", kind: "text" },
      { id: "r", kind: "reasoning" },
    ],
    tools: [
      { toolCallId: "c", toolName: "run", state: "input-streaming" },
      { toolCallId: "d", toolName: "two-words", state: "input-available" },
      { toolCallId: "e", toolName: "two-words", state: "approval-requested", approvalId: "a" },
      { toolCallId: "g", toolName: "run", state: "input-available" },
    ],
  });
  foldChunk(fold, { ...approved });
  expect(liveParts(fold).tools[2]).toMatchObject({ state: "approval-responded", approvalId: "a" });
});
