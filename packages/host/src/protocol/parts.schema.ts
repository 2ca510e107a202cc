/**
 * Parts of messages from outside, checked by their type: what every reader of a stored message relies on. What a part
 * carries beside that is kept as it came.
 */
import { z } from "zod";
import type { UIMessagePart } from "./chunks.ts";

const metadata = z.record(z.string(), z.record(z.string(), z.unknown())).optional();
/** A file on the host's own disk is named by nobody but the host. */
const address = z.string().refine((url) => !/^\s*file:/i.test(url), "it names a file on this computer");
const state = z.enum(["streaming", "done"]).optional();
const text = z.looseObject({
  text: z.string(),
  state,
  providerMetadata: metadata,
  citations: z.array(z.unknown()).optional(),
});
const file = z.looseObject({
  mediaType: z.string(),
  url: address,
  filename: z.string().optional(),
  providerMetadata: metadata,
  providerReference: z.record(z.string(), z.string()).optional(),
});

/** Every type with a fixed name but the tools'. */
const fixed: Readonly<Record<string, z.ZodType>> = {
  text,
  reasoning: z.looseObject({ text: z.string(), state, id: z.string().optional(), providerMetadata: metadata }),
  file,
  "reasoning-file": z.looseObject({ mediaType: z.string(), url: address, providerMetadata: metadata }),
  custom: z.looseObject({ kind: z.string().regex(/^[^.]+\../, "it has a dot"), providerMetadata: metadata }),
  "source-url": z.looseObject({
    sourceId: z.string(),
    url: z.string(),
    title: z.string().optional(),
    providerMetadata: metadata,
  }),
  "source-document": z.looseObject({
    sourceId: z.string(),
    mediaType: z.string(),
    title: z.string(),
    filename: z.string().optional(),
    providerMetadata: metadata,
  }),
  "step-start": z.looseObject({}),
  "steering-message": z.looseObject({
    id: z.string(),
    parts: z.array(
      z.discriminatedUnion("type", [
        text.extend({ type: z.literal("text") }),
        file.extend({ type: z.literal("file") }),
      ]),
    ),
  }),
};
const data = z.looseObject({ id: z.string().optional() });

const approval = z.looseObject({ id: z.string(), reason: z.string().optional() });
const answered = approval.extend({ approved: z.boolean() });
const call = {
  toolCallId: z.string().min(1),
  title: z.string().optional(),
  toolMetadata: z.record(z.string(), z.unknown()).optional(),
  providerExecuted: z.boolean().optional(),
  callProviderMetadata: metadata,
  resultProviderMetadata: metadata,
};
const toolCall = z.discriminatedUnion("state", [
  z.looseObject({ ...call, state: z.enum(["input-streaming", "input-available"]) }),
  z.looseObject({ ...call, state: z.literal("approval-requested"), approval }),
  z.looseObject({ ...call, state: z.literal("approval-responded"), approval: answered }),
  z.looseObject({
    ...call,
    state: z.literal("output-available"),
    preliminary: z.boolean().optional(),
    approval: approval.extend({ approved: z.literal(true) }).optional(),
  }),
  z.looseObject({
    ...call,
    state: z.literal("output-error"),
    errorText: z.string(),
    approval: approval.extend({ approved: z.literal(true) }).optional(),
  }),
  z.looseObject({
    ...call,
    state: z.literal("output-denied"),
    approval: approval.extend({ approved: z.literal(false) }),
  }),
]);
const dynamicTool = z.intersection(toolCall, z.looseObject({ toolName: z.string().min(1) }));

function schemaOf(type: string): z.ZodType | null {
  if (Object.hasOwn(fixed, type)) return fixed[type] ?? null;
  if (type === "dynamic-tool") return dynamicTool;
  if (/^tool-./.test(type)) return toolCall;
  return /^data-./.test(type) ? data : null;
}

const typed = z.looseObject({ type: z.string() });
/** One part; its issues name the field. */
const part = typed.transform((value, context): UIMessagePart => {
  const schema = schemaOf(value.type);
  if (schema === null) {
    context.issues.push({ code: "custom", message: "no such type of part", path: ["type"], input: value.type });
    return z.NEVER;
  }
  const { error } = schema.safeParse(value);
  for (const { message, path } of error?.issues ?? [])
    context.issues.push({ code: "custom", message, path: [...path], input: value });
  return value as unknown as UIMessagePart; // the schema of its type says so
});
export const parts = z.array(part);
/** Of an entry: kept, never shown to an agent. */
export const anyParts = z.array(typed).transform((values) => values as unknown as UIMessagePart[]);
