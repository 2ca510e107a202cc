/**
 * The chunks of everything but tool calls: text, reasoning, whole parts, data, steps, and the message's metadata.
 *
 * Invariants: a delta is appended in constant time, whatever the length of the part. A data part is replaced by the
 * next one of its type and id, wherever in the message it is. Merged metadata shares nothing that is changed later.
 */
import type { DataUIMessageChunk, ReasoningUIPart, TextUIPart, UIMessageChunk, UIMessagePart } from "./chunks.ts";
import { addPart, type FoldIssue, type FoldState, type Indexed, issue, truncate } from "./fold-state.ts";

type ChunkOf<Type extends UIMessageChunk["type"]> = Extract<UIMessageChunk, { type: Type }>;
type TextChunk = ChunkOf<"text-delta" | "text-end">;
type ReasoningChunk = ChunkOf<"reasoning-delta" | "reasoning-end">;
type WholePart = ChunkOf<"custom" | "source-url" | "source-document" | "file" | "reasoning-file" | "steering-message">;

export function startText(state: FoldState, chunk: ChunkOf<"text-start">): undefined {
  const part: TextUIPart = { type: "text", text: "", state: "streaming" };
  if (chunk.providerMetadata !== undefined) part.providerMetadata = chunk.providerMetadata;
  state.openTexts.set(chunk.id, addPart(state, part));
}

export function startReasoning(state: FoldState, chunk: ChunkOf<"reasoning-start">): undefined {
  const part: ReasoningUIPart = { type: "reasoning", id: chunk.id, text: "", state: "streaming" };
  if (chunk.providerMetadata !== undefined) part.providerMetadata = chunk.providerMetadata;
  state.openReasonings.set(chunk.id, addPart(state, part));
}

export function continueText(state: FoldState, chunk: TextChunk): FoldIssue | undefined {
  const part = state.openTexts.get(chunk.id)?.part;
  if (part === undefined) return notOpen(chunk);
  continuePart(part, chunk, state.openTexts);
  if (chunk.type === "text-end" && chunk.citations !== undefined) part.citations = chunk.citations;
  return undefined;
}

export function continueReasoning(state: FoldState, chunk: ReasoningChunk): FoldIssue | undefined {
  const part = state.openReasonings.get(chunk.id)?.part;
  if (part === undefined) return notOpen(chunk);
  continuePart(part, chunk, state.openReasonings);
  return undefined;
}

function continuePart(
  part: TextUIPart | ReasoningUIPart,
  chunk: TextChunk | ReasoningChunk,
  open: Map<string, Indexed<TextUIPart | ReasoningUIPart>>,
): void {
  if (chunk.providerMetadata !== undefined) part.providerMetadata = chunk.providerMetadata;
  if ("delta" in chunk) {
    part.text += chunk.delta;
    return;
  }
  part.state = "done";
  open.delete(chunk.id);
}

function notOpen(chunk: TextChunk | ReasoningChunk): FoldIssue {
  return issue("no-open-part", chunk.type, `no open part ${chunk.id}`);
}

/** Parts that arrive whole. Only their own fields are taken: the wire allows others beside them. */
export function addWholePart(state: FoldState, chunk: WholePart): undefined {
  const part: Record<string, unknown> = { type: chunk.type };
  for (const field of wholePartFields[chunk.type]) {
    const value: unknown = Reflect.get(chunk, field);
    if (value !== undefined) part[field] = value;
  }
  addPart(state, part as unknown as UIMessagePart);
}

const wholePartFields: Readonly<Record<WholePart["type"], readonly string[]>> = {
  custom: ["kind", "providerMetadata"],
  "source-url": ["sourceId", "url", "title", "providerMetadata"],
  "source-document": ["sourceId", "mediaType", "title", "filename", "providerMetadata"],
  file: ["mediaType", "url", "providerMetadata"],
  "reasoning-file": ["mediaType", "url", "providerMetadata"],
  "steering-message": ["id", "parts"],
};

export function setData(state: FoldState, chunk: DataUIMessageChunk): undefined {
  if (chunk.transient === true) return;
  const known = chunk.id === undefined ? undefined : state.data.get(chunk.type)?.get(chunk.id);
  if (known !== undefined) {
    if (chunk.data === undefined) Reflect.deleteProperty(known.part, "data");
    else known.part.data = chunk.data;
    return;
  }
  // Copied, because the next chunk with this id changes the part. Like the SDK, with whatever else the chunk carries.
  const part = { ...chunk };
  for (const [key, value] of Object.entries(part)) if (value === undefined) Reflect.deleteProperty(part, key);
  const added = addPart(state, part);
  if (chunk.id === undefined) return;
  const byId = state.data.get(chunk.type) ?? new Map<string, Indexed<DataUIMessageChunk>>();
  byId.set(chunk.id, added);
  state.data.set(chunk.type, byId);
}

export function startStep(state: FoldState): undefined {
  state.stepFrom = addPart(state, { type: "step-start" }).at + 1;
}

/** The step itself stays, empty. Parts of earlier steps stay too, but none of them can be continued any more. */
export function resetStep(state: FoldState): undefined {
  truncate(state, state.stepFrom);
}

/** A start that names another message begins that message: nothing of the one before is left. */
export function startMessage(state: FoldState, chunk: ChunkOf<"start">): FoldIssue | undefined {
  const { message } = state;
  const isOther = chunk.messageId !== undefined && chunk.messageId !== message.id;
  const metadata = mergeMetadata(isOther ? undefined : message.metadata, chunk.messageMetadata);
  if (metadata === unmergeable) return issue("unmergeable-metadata", chunk.type, "the metadata is no object");
  if (isOther) {
    truncate(state, 0);
    state.stepFrom = 0;
    message.id = chunk.messageId ?? message.id;
  }
  setMetadata(state, metadata);
  return undefined;
}

export function addMetadata(state: FoldState, chunk: ChunkOf<"message-metadata" | "finish">): FoldIssue | undefined {
  const metadata = mergeMetadata(state.message.metadata, chunk.messageMetadata);
  if (metadata === unmergeable) return issue("unmergeable-metadata", chunk.type, "the metadata is no object");
  setMetadata(state, metadata);
  return undefined;
}

function setMetadata(state: FoldState, metadata: unknown): void {
  if (metadata === undefined) delete state.message.metadata;
  else state.message.metadata = metadata;
}

const unmergeable = Symbol("unmergeable");

function mergeMetadata(base: unknown, change: unknown): unknown {
  if (change === undefined || change === null) return base;
  if (base === undefined) return change;
  if (typeof base !== "object" && settable(change).length > 0) return unmergeable;
  try {
    return merged(base, change);
  } catch (error) {
    // Nested deeper than the stack reaches.
    if (error instanceof RangeError) return unmergeable;
    throw error;
  }
}

/** Field by field, objects within objects too; anything else of `change` replaces what was there. */
function merged(base: unknown, change: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = { ...Object(base) };
  for (const [key, value] of settable(change)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined;
    result[key] = isFieldwise(old) && isFieldwise(value) ? merged(old, value) : value;
  }
  return result;
}

function settable(change: unknown): [string, unknown][] {
  return Object.entries(Object(change)).filter(([key, value]) => value !== undefined && !reserved.has(key));
}

/** Keys that reach a prototype when they are set. */
const reserved: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function isFieldwise(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return !(Array.isArray(value) || value instanceof Date || value instanceof RegExp);
}
