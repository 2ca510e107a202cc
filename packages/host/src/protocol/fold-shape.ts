/**
 * Whether something has the shape its chunk type promises, as far as folding relies on it.
 *
 * Invariants: accepts every chunk that the AI SDK's schema accepts. Fields typed `unknown` are not looked at, nor are
 * fields that folding does not know. Provider metadata is checked two levels deep, which is as deep as anyone reads.
 */
import { type FixedChunkType, isDataChunkType, type UIMessageChunk } from "./chunks.ts";
import { type FoldIssue, issue } from "./fold-state.ts";

type Check = (value: unknown) => boolean;
type Shape = readonly (readonly [field: string, check: Check])[];

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const object: Check = isObject;
const metadata: Check = (value) => isObject(value) && Object.values(value).every(isObject);
const encoding: Check = (value) => value === "json" || value === "text";
const list: Check = (value) => Array.isArray(value) && value.every(isObject);
const steeringParts: Check = (value) => Array.isArray(value) && value.every(isSteeringPart);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const providerMetadata = ["providerMetadata", maybe(metadata)] as const;
const start: Shape = [["id", text], providerMetadata];
const delta: Shape = [["delta", text], ...start];
const toolCall: Shape = [["toolCallId", text]];
const toolExtra: Shape = [
  ["providerExecuted", maybe(flag)],
  ["toolMetadata", maybe(object)],
  ["dynamic", maybe(flag)],
  providerMetadata,
];
const toolInput: Shape = [...toolCall, ["toolName", text], ["title", maybe(text)], ...toolExtra];
const file: Shape = [["url", text], ["mediaType", text], providerMetadata];
const data: Shape = [
  ["id", maybe(text)],
  ["transient", maybe(flag)],
];

const shapes: Readonly<Record<FixedChunkType, Shape>> = {
  "text-start": start,
  "text-delta": delta,
  "text-end": [...start, ["citations", maybe(list)]],
  "reasoning-start": start,
  "reasoning-delta": delta,
  "reasoning-end": start,
  "reasoning-file": file,
  "tool-input-start": [...toolInput, ["inputEncoding", maybe(encoding)]],
  "tool-input-delta": [...toolCall, ["inputTextDelta", text]],
  "tool-input-available": toolInput,
  "tool-input-error": [...toolInput, ["errorText", text]],
  "tool-approval-request": [
    ...toolCall,
    ["approvalId", text],
    ["reason", maybe(text)],
    ["isAutomatic", maybe(flag)],
    ["signature", maybe(text)],
  ],
  "tool-approval-response": [
    ["approvalId", text],
    ["approved", flag],
    ["reason", maybe(text)],
    ["providerExecuted", maybe(flag)],
    providerMetadata,
  ],
  "tool-output-available": [...toolCall, ["preliminary", maybe(flag)], ...toolExtra],
  "tool-output-error": [...toolCall, ["errorText", text], ...toolExtra],
  "tool-output-denied": toolCall,
  custom: [["kind", text], providerMetadata],
  "source-url": [["sourceId", text], ["url", text], ["title", maybe(text)], providerMetadata],
  "source-document": [
    ["sourceId", text],
    ["mediaType", text],
    ["title", text],
    ["filename", maybe(text)],
    providerMetadata,
  ],
  file,
  "steering-message": [
    ["id", text],
    ["parts", steeringParts],
  ],
  start: [["messageId", maybe(text)]],
  "start-step": [],
  "finish-step": [],
  "reset-step": [],
  "message-metadata": [],
  finish: [["finishReason", maybe(text)]],
  abort: [["reason", maybe(text)]],
  error: [["errorText", text]],
};
const shapeOf: ReadonlyMap<string, Shape> = new Map(Object.entries(shapes));

/** Undefined when the chunk may be folded. */
export function shapeIssue(chunk: UIMessageChunk): FoldIssue | undefined {
  const given: unknown = chunk;
  if (!isObject(given)) return issue("malformed-chunk", "", "not an object");
  const type: unknown = Reflect.get(given, "type");
  if (typeof type !== "string") return issue("malformed-chunk", "", "no type");
  const shape = isDataChunkType(type) ? data : shapeOf.get(type);
  if (shape === undefined) return issue("unknown-chunk-type", type, "unknown type");
  const bad = shape.find(([field, check]) => !check(Reflect.get(given, field)));
  return bad === undefined ? undefined : issue("malformed-chunk", type, `field ${bad[0]}`);
}

function isSteeringPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  const type: unknown = Reflect.get(value, "type");
  const fields = type === "text" ? ["text"] : type === "file" ? ["url", "mediaType"] : undefined;
  return fields?.every((field) => text(Reflect.get(value, field))) ?? false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
