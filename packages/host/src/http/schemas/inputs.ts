/** Inputs: what people send, and what becomes of it. */
import { z } from "zod";
import type { NewInput, Receipt } from "../../host/api.ts";
import type { Part } from "../../protocol/input.ts";
import type { InputRow } from "../../protocol/rows.ts";
import { named } from "./named.ts";
import { anyRecord, count, cursor, id, idOrNull, parts, textOrNull, time } from "./values.ts";

const text = z.string();
const delivery = z.enum(["steer", "queue", "interrupt", "reject"]);
const states = ["queued", "held", "offered", "taken", "started", "answered", "unanswered", "cancelled"] as const;
export const inputState = z.enum(states);
export const inputReason = z.enum(["failed", "stopped", "interrupted", "uncertain"]);
const branch = z.strictObject({ messageId: id, position: z.enum(["before", "at"]) });

/** What a person may say. Everything else in a conversation is an agent's. */
const url = z
  .string()
  .regex(/^(data:|https?:\/\/|mooring:file\/)/i, "use a data: or http: URL, or mooring:file/<id> of a stored file");
const metadata = z.record(z.string(), anyRecord).exactOptional();
export const newPart = named(
  "NewPart",
  z.union([
    z.looseObject({ type: z.literal("text"), text, providerMetadata: metadata }),
    z.looseObject({
      type: z.literal("file"),
      mediaType: text,
      url,
      filename: text.exactOptional(),
      providerMetadata: metadata,
    }),
    z.looseObject({ type: z.templateLiteral(["data-", z.string()]), id: text.exactOptional(), data: z.unknown() }),
  ]) as unknown as z.ZodType<Part>,
  "Text, a file (a data URL is stored as a file), or data of your own.",
);
export const newInput = named(
  "NewInput",
  z.strictObject({
    text: text.exactOptional().meta({ description: "Instead of `parts`." }),
    parts: z.array(newPart).exactOptional(),
    delivery: delivery.exactOptional(),
    id: id.exactOptional().meta({ description: "The idempotency key; else the header `Idempotency-Key`." }),
    model: text.exactOptional(),
    effort: text.exactOptional(),
    headless: z.boolean().exactOptional().meta({ description: "Nobody can answer questions during its turn." }),
    branch: branch.exactOptional(),
  }) satisfies z.ZodType<NewInput>,
);
export const receipt = named(
  "Receipt",
  z.object({
    inputId: id,
    disposition: z.enum(["started", "offered", "queued", "held", "handled", "ended"]),
    state: z.enum([...states, "handled"]),
    reason: inputReason.exactOptional(),
    turnId: id.exactOptional(),
    cursor,
  }) satisfies z.ZodType<Receipt>,
);
export const input = named(
  "Input",
  z.object({
    id,
    input: z.object({
      id,
      agentKey: text,
      delivery,
      parts,
      model: textOrNull,
      effort: textOrNull,
      headless: z.boolean(),
      branch: branch.nullable(),
      author: textOrNull,
      origin: z.enum(["user", "hook", "continue"]),
      client: z.object({ id, hash: text }).exactOptional(),
    }),
    state: inputState,
    reason: inputReason.nullable(),
    turnId: idOrNull,
    messageId: idOrNull,
    position: count.nullable(),
    bodyHash: text,
    createdAt: time,
    updatedAt: time,
  }) satisfies z.ZodType<InputRow>,
);
export const inputList = named("InputList", z.object({ items: z.array(input) }));
export const inputPatch = named(
  "InputPatch",
  z.union([
    z.strictObject({ parts: z.array(newPart) }),
    z.strictObject({ text }),
    z.strictObject({ before: idOrNull.meta({ description: "Another waiting input, or null for the end." }) }),
  ]),
  "New contents, or a new place in the queue.",
);
export const cancelled = named("Cancelled", z.object({ state: z.enum(["cancelled", "withdrawing"]) }));
export const release = named("Release", z.strictObject({ inputId: id.exactOptional() }), "One held input, or all.");
export const stopOutcome = named("StopOutcome", z.object({ outcome: z.enum(["stopping", "not-running"]) }));
