/** `fold.ts` against the SDK's reader: the same message after every chunk, of streams that are generated here. */
import { readUIMessageStream } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JSONObject, UIMessage, UIMessageChunk } from "./chunks.ts";
import { chunkTypes } from "./chunks.ts";
import { foldChunk, snapshot, startFold } from "./fold.ts";

// ------------------------------------------------------------------------------------------------- both readers

/** Closes every stream here: it makes the SDK show its message once more, with what it had not shown yet. */
const closing: UIMessageChunk = { type: "custom", kind: "test.end" };

async function readByAi(chunks: readonly UIMessageChunk[]): Promise<{ messages: unknown[]; errors: string[] }> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of structuredClone(chunks)) controller.enqueue(chunk);
      controller.close();
    },
  });
  const errors: string[] = [];
  const messages: unknown[] = [];
  const message = { id: "m", role: "assistant" as const, parts: [] };
  for await (const state of readUIMessageStream({ message, stream, onError: (e) => errors.push(String(e)) })) {
    messages.push(state);
  }
  return { messages, errors };
}

/** Our message after each chunk after which the SDK shows its own, and the chunks that were accepted. */
function readByUs(chunks: readonly UIMessageChunk[]): { messages: UIMessage[]; rejected: number[] } {
  const fold = startFold("m");
  const messages: UIMessage[] = [];
  const rejected: number[] = [];
  for (const [at, chunk] of chunks.entries()) {
    const before = fold.message.parts.length;
    if (foldChunk(fold, chunk) !== undefined) rejected.push(at);
    else if (isShownByAi(chunk, before !== fold.message.parts.length)) messages.push(snapshot(fold));
  }
  return { messages, rejected };
}

const neverShown: ReadonlySet<string> = new Set(["start-step", "finish-step", "abort", "error"]);

function isShownByAi(chunk: UIMessageChunk, changedParts: boolean): boolean {
  if (neverShown.has(chunk.type) || ("transient" in chunk && chunk.transient === true)) return false;
  if (chunk.type === "reset-step") return changedParts;
  if (chunk.type === "start") return chunk.messageId !== undefined || chunk.messageMetadata != null;
  return !("messageMetadata" in chunk || chunk.type === "finish") || chunk.messageMetadata != null;
}

/** Equal as on the wire, where a key with no value does not exist. */
function isSame(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const others = Object.keys(b).filter((key) => b[key] !== undefined);
  return keys.length === others.length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

async function expectSameAsAi(chunks: readonly UIMessageChunk[]): Promise<void> {
  const ours = readByUs([...chunks, closing]);
  const theirs = await readByAi([...chunks, closing]);
  expect(ours.rejected).toEqual([]);
  const errorsInStream = chunks.filter((chunk) => chunk.type === "error").length;
  expect(theirs.errors).toHaveLength(errorsInStream);
  const same = isSame(ours.messages, theirs.messages);
  // For its report only, which shows the difference; it is far slower.
  if (!same) expect({ chunks, messages: ours.messages }).toEqual({ chunks, messages: theirs.messages });
  expect(same).toBe(true);
}

// ------------------------------------------------------------------------------------------- generated streams

/** The chunks of one thing in their order. Streams are several of these, interleaved. */
type Script = UIMessageChunk[];

const json = fc.jsonValue({ maxDepth: 2 });
const jsonObject = fc.dictionary(fc.constantFrom("a", "b", "c"), json, { maxKeys: 2 }) as fc.Arbitrary<JSONObject>;
const words = fc.string({ maxLength: 6 });
const optional = fc.constantFrom(true, false);
const metadata = fc.record({ openai: jsonObject, anthropic: jsonObject }, { requiredKeys: [] });
/** `values` with some of `extra`: an optional key is there or not, and never there without a value. */
function withSome<T extends object>(values: Record<keyof T & string, fc.Arbitrary<unknown>>, required: string[] = []) {
  return fc.record(values, { requiredKeys: required as never }) as fc.Arbitrary<T>;
}
type Extra = { providerMetadata?: Record<string, JSONObject> };
const providerExtra = withSome<Extra>({ providerMetadata: metadata });
type CallExtra = Extra & { providerExecuted?: boolean; toolMetadata?: JSONObject; title?: string };
const callExtra = withSome<CallExtra>({
  providerMetadata: metadata,
  providerExecuted: optional,
  toolMetadata: jsonObject,
  title: words,
});

function chunksOf(...chunks: fc.Arbitrary<object>[]): fc.Arbitrary<Script> {
  return fc.tuple(...chunks) as unknown as fc.Arbitrary<Script>;
}
function chunk(type: string, values: Record<string, fc.Arbitrary<unknown>>, extra: fc.Arbitrary<object>) {
  return fc.tuple(fc.record(values), extra).map(([own, more]) => ({ type, ...own, ...more }));
}

function streamedScript(kind: "text" | "reasoning", id: string): fc.Arbitrary<Script> {
  const own = { id: fc.constant(id) };
  const citation = fc.record({
    source: fc.constant({ type: "source", sourceType: "url", id: "s", url: "u" }),
    startIndex: fc.nat(),
  });
  const endExtra =
    kind === "text" ? withSome<object>({ providerMetadata: metadata, citations: fc.array(citation) }) : providerExtra;
  const deltas = fc.array(chunk(`${kind}-delta`, { ...own, delta: words }, providerExtra), { maxLength: 5 });
  return fc
    .tuple(chunk(`${kind}-start`, own, providerExtra), deltas, chunk(`${kind}-end`, own, endExtra))
    .map(([start, middle, end]) => [start, ...middle, end] as Script);
}

/** Cuts text at the given places, anywhere in it: the deltas of a tool input respect no token. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((end, at) => text.slice(places[at], end));
}

function inputScript(toolCallId: string, dynamic: boolean): fc.Arbitrary<Script> {
  const own = { toolCallId: fc.constant(toolCallId), toolName: fc.constantFrom("read", "run-it") };
  const kind = dynamic ? { dynamic: fc.constant(true) } : {};
  const start = chunk("tool-input-start", { ...own, ...kind }, callExtra);
  const encoding = fc.constantFrom({}, { inputEncoding: "json" }, { inputEncoding: "text" });
  const end = fc.oneof(
    chunk("tool-input-available", { ...own, ...kind, input: json }, callExtra),
    chunk("tool-input-error", { ...own, ...kind, input: json, errorText: words }, callExtra),
  );
  const text = fc
    .tuple(json, fc.constantFrom(undefined, 1))
    .map(([value, indent]) => JSON.stringify(value, null, indent));
  return fc
    .tuple(start, encoding, text, fc.array(fc.nat(), { maxLength: 5 }), optional, end)
    .map(([first, encoded, input, cuts, isStreamed, last]) => {
      const deltas = pieces(input, cuts).map((inputTextDelta) => ({
        type: "tool-input-delta",
        toolCallId,
        inputTextDelta,
      }));
      return (isStreamed ? [{ ...first, ...encoded }, ...deltas, last] : [last]) as Script;
    });
}

function approvalScript(toolCallId: string): fc.Arbitrary<Script> {
  const approvalId = fc.constant(`approval of ${toolCallId}`);
  const request = chunk(
    "tool-approval-request",
    { approvalId, toolCallId: fc.constant(toolCallId) },
    withSome<object>({
      approvalDescriptor: json,
      inputSchemaInput: json,
      reason: words,
      isAutomatic: optional,
      signature: words,
    }),
  );
  const response = chunk(
    "tool-approval-response",
    { approvalId, approved: optional },
    withSome<object>({ reason: words, providerExecuted: optional, providerMetadata: metadata }),
  );
  return chunksOf(request, response);
}

function outputScript(toolCallId: string): fc.Arbitrary<Script> {
  const own = { toolCallId: fc.constant(toolCallId) };
  const extra = withSome<object>({ providerMetadata: metadata, providerExecuted: optional, toolMetadata: jsonObject });
  const preliminary = chunk("tool-output-available", { ...own, output: json, preliminary: fc.constant(true) }, extra);
  const last = fc.oneof(
    chunk("tool-output-available", { ...own, output: json }, extra),
    chunk("tool-output-error", { ...own, errorText: words }, extra),
    chunk("tool-output-denied", own, fc.constant({})),
  );
  return fc.tuple(fc.array(preliminary, { maxLength: 2 }), last).map(([some, end]) => [...some, end] as Script);
}

function toolScript(id: string): fc.Arbitrary<Script> {
  const maybe = (script: fc.Arbitrary<Script>) => fc.oneof(fc.constant([]), script);
  return optional
    .chain((dynamic) => fc.tuple(inputScript(id, dynamic), maybe(approvalScript(id)), maybe(outputScript(id))))
    .map((scripts) => scripts.flat());
}

const dataChunk = chunk(
  "",
  { type: fc.constantFrom("data-a", "data-b", "data-"), data: json },
  withSome<object>({ id: fc.constantFrom("1", "2"), transient: optional }),
);
const mediaType = fc.constantFrom("image/png", "text/plain");
const wholePart = fc.oneof(
  chunk("source-url", { sourceId: words, url: words }, withSome<object>({ title: words, providerMetadata: metadata })),
  chunk(
    "source-document",
    { sourceId: words, mediaType, title: words },
    withSome<object>({ filename: words, providerMetadata: metadata }),
  ),
  chunk("file", { url: words, mediaType }, withSome<object>({ providerMetadata: metadata, filename: words })),
  chunk("reasoning-file", { url: words, mediaType }, providerExtra),
  chunk("custom", { kind: fc.constant("openai.thing") }, providerExtra),
  chunk(
    "steering-message",
    { id: words, parts: fc.array(fc.record({ type: fc.constant("text"), text: words })) },
    fc.constant({}),
  ),
);
/** `start` here keeps to the message or names none: one that names another is in the soup below. */
const messageChunk = fc.oneof(
  chunk("start", {}, withSome<object>({ messageId: fc.constant("m"), messageMetadata: jsonObject })),
  chunk("message-metadata", { messageMetadata: jsonObject }, fc.constant({})),
  chunk(
    "finish",
    {},
    withSome<object>({ finishReason: fc.constantFrom("stop", "error"), messageMetadata: jsonObject }),
  ),
  chunk("error", { errorText: words }, fc.constant({})),
  chunk("abort", {}, withSome<object>({ reason: words })),
);

function scriptOf(at: number): fc.Arbitrary<Script> {
  const id = `${at}`;
  return fc.oneof(
    streamedScript("text", id),
    streamedScript("reasoning", id),
    { arbitrary: toolScript(id), weight: 3 },
    chunksOf(dataChunk, dataChunk),
    chunksOf(fc.oneof(wholePart, messageChunk)),
  );
}

/** Takes turns among the scripts as `picks` says. Steps begin anywhere; a reset ends whatever was going on. */
function interleave(scripts: readonly Script[], picks: readonly number[]): UIMessageChunk[] {
  let waiting = scripts.map((script) => [...script]).filter((script) => script.length > 0);
  let begun = new Set<Script>();
  const stream: UIMessageChunk[] = [];
  for (let turn = 0; waiting.length > 0; turn++) {
    const pick = picks[turn % picks.length] ?? 0;
    if (turn < picks.length && pick % 11 === 0) stream.push({ type: "finish-step" }, { type: "start-step" });
    if (turn < picks.length && pick % 41 === 1) {
      stream.push({ type: "reset-step" });
      waiting = waiting.filter((script) => !begun.has(script));
      begun = new Set();
    }
    const script = waiting[pick % Math.max(waiting.length, 1)];
    const next = script?.shift();
    if (script === undefined || next === undefined) continue;
    begun.add(script);
    stream.push(next);
    waiting = waiting.filter(({ length }) => length > 0);
  }
  return stream;
}

const validStream = fc
  .tuple(
    fc
      .integer({ min: 0, max: 6 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => scriptOf(at)))),
    fc.array(fc.nat({ max: 10_000 }), { minLength: 1, maxLength: 30 }),
  )
  .map(([scripts, picks]) => interleave(scripts, picks));

/** Chunks of every type with few ids and no plan, so that most orders are wrong and every collision happens. */
const soup = fc.array(
  fc
    .oneof(
      streamedScript("text", "1"),
      streamedScript("reasoning", "1"),
      toolScript("1"),
      toolScript("2"),
      chunksOf(dataChunk),
      chunksOf(fc.oneof(wholePart, messageChunk)),
      chunksOf(chunk("message-metadata", { messageMetadata: json }, fc.constant({}))),
      chunksOf(chunk("start", { messageId: fc.constantFrom("m", "n") }, withSome<object>({ messageMetadata: json }))),
      fc.constant<Script>([{ type: "start-step" }]),
      fc.constant<Script>([{ type: "reset-step" }]),
    )
    .chain((script) => fc.constantFrom(...script)),
  { maxLength: 25 },
);

/** As the store may keep a stream: neighbouring deltas of one part as one. */
function mergeDeltas(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const merged: UIMessageChunk[] = [];
  for (const chunk of chunks) {
    const last = merged.at(-1);
    const one = last === undefined ? undefined : asOneDelta(last, chunk);
    if (one === undefined) merged.push(chunk);
    else merged[merged.length - 1] = one;
  }
  return merged;
}

function asOneDelta(first: UIMessageChunk, next: UIMessageChunk): UIMessageChunk | undefined {
  if (first.type === "tool-input-delta" && next.type === first.type && first.toolCallId === next.toolCallId) {
    return { ...first, inputTextDelta: first.inputTextDelta + next.inputTextDelta };
  }
  if (!("delta" in first && "delta" in next) || first.type !== next.type || first.id !== next.id) return undefined;
  return { ...first, ...next, delta: first.delta + next.delta };
}

// --------------------------------------------------------------------------------------------------- properties

test("gives the SDK's message after every chunk of a valid stream", async () => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(validStream, async (chunks) => {
    for (const { type } of chunks) seen.add(type);
    await expectSameAsAi(chunks);
  });
  await fc.assert(property, { numRuns: 1_500 });
  expect(chunkTypes.filter((type) => !seen.has(type))).toEqual([]);
});

test("gives the SDK's message wherever the stream is cut", async () => {
  const property = fc.asyncProperty(validStream, fc.nat(), (chunks, cut) =>
    expectSameAsAi(chunks.slice(0, cut % (chunks.length + 1))),
  );
  await fc.assert(property, { numRuns: 500 });
});

test("leaves out just those chunks that the SDK fails on", async () => {
  const property = fc.asyncProperty(soup, async (chunks) => {
    const { rejected } = readByUs(chunks);
    const accepted = chunks.filter((_, at) => !rejected.includes(at));
    await expectSameAsAi(accepted);
    const [first] = rejected;
    if (first === undefined) return;
    const beforeIt = await readByAi(chunks.slice(0, first));
    const withIt = await readByAi(chunks.slice(0, first + 1));
    expect(withIt.errors).toHaveLength(beforeIt.errors.length + 1);
  });
  await fc.assert(property, { numRuns: 1_000 });
});

test("gives the same message for merged deltas", () => {
  const property = fc.property(validStream, (chunks) => {
    expect(withoutInputText(mergeDeltas(chunks))).toEqual(withoutInputText(chunks));
  });
  fc.assert(property, { numRuns: 500 });
});

/**
 * The SDK shows the text of a dynamic input from its second delta on if a step began since its start, so there, and
 * only there, the number of deltas can be seen in the message.
 */
function withoutInputText(chunks: readonly UIMessageChunk[]): unknown {
  const message = readByUs([...chunks, closing]).messages.at(-1);
  return message?.parts.map((part) => (part.type === "dynamic-tool" ? { ...part, rawInput: undefined } : part));
}
