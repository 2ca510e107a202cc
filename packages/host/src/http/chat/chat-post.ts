/**
 * The body of a POST. Read: `id`, `trigger`, `messageId` and one message, the last, or the assistant's that `messageId`
 * names. Earlier messages are not looked at: a client sends its whole history again.
 */
import { z } from "zod";
import type { ApprovalId } from "../../protocol/ids.ts";
import type { Decision, Part } from "../../protocol/input.ts";
import { bytesOf, wellFormed } from "../body.ts";
import { checked } from "../check.ts";
import type { HttpLimits } from "../limits.ts";
import { httpError } from "../problem.ts";
import { newPart } from "../schemas/inputs.ts";
import { namedPart } from "./chat-files.ts";
import { hashOf } from "./parts-hash.ts";

export type UserMessage = {
  readonly role: "user";
  readonly id: string;
  /** Stored files named as the host does. */
  readonly parts: readonly Part[];
  /** Of the parts. */
  readonly hash: string;
};
export type ApprovalAnswer = {
  readonly id: ApprovalId;
  readonly decision: Decision;
  readonly reason: string | null;
};
export type AssistantMessage = {
  readonly role: "assistant";
  readonly id: string;
  /** How many parts the client has. */
  readonly parts: number;
  readonly answers: readonly ApprovalAnswer[];
  /** Questions the client shows without an answer. */
  readonly asking: readonly ApprovalId[];
  /** How far the client has the message. */
  readonly cursor: string | null;
};
export type ChatPost = {
  readonly chatId: string;
  readonly trigger: "submit-message" | "regenerate-message";
  readonly messageId: string | null;
  readonly message: UserMessage | AssistantMessage;
};
type Limits = Pick<HttpLimits, "jsonDepth" | "jsonValues" | "problemFields" | "chatAnswers">;

const id = z.string().min(1).max(128);
const envelope = z.object({
  id,
  trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
  messageId: z.string().nullish(),
  messages: z.array(z.unknown()).min(1, "send at least one message"),
});
const clientId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, "1 to 128 letters, digits, dots, colons, dashes, underscores");
const user = z.object({
  id: clientId,
  role: z.literal("user"),
  parts: z.array(z.preprocess(namedPart, newPart)).min(1, "say something"),
});
const toolPart = z.object({
  state: z.string(),
  approval: z.object({ id, approved: z.boolean().optional(), reason: z.string().nullish() }),
});
const assistant = z.object({
  id,
  role: z.literal("assistant"),
  parts: z.array(z.unknown()),
  metadata: z.unknown().optional(),
});
const roles = z.object({
  role: z.enum(["user", "assistant"], "only a user's or an assistant's message can be the last"),
});
const place = z.object({ cursor: z.string() });

/** Rejects with `body-incomplete`, `bad-json` or `bad-request`. */
export async function readChatPost(request: Request, limits: Limits): Promise<ChatPost> {
  const body = parsed(new TextDecoder().decode(await bytesOf(request)));
  const { id: chatId, trigger, messageId = null, messages } = checked(envelope, body, "body", limits.problemFields);
  const at = placeOf(messages, messageId);
  return { chatId, trigger, messageId, message: messageOf(messages[at], at, limits) };
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw httpError("bad-json", "The body is not JSON.");
  }
}
/** A client answers questions of a message that others follow already by naming it. */
function placeOf(messages: readonly unknown[], messageId: string | null): number {
  const named = z.object({ id: z.literal(messageId ?? ""), role: z.literal("assistant") });
  const at = messageId === null ? -1 : messages.findLastIndex((message) => named.safeParse(message).success);
  return at === -1 ? messages.length - 1 : at;
}

/** Of an assistant's message, however large, only the answers are read. */
function messageOf(message: unknown, at: number, limits: Limits): ChatPost["message"] {
  const inPlace = <T>(schema: z.ZodType<T>, value: unknown): T => {
    const body = { messages: { [at]: value } };
    return checked(z.object({ messages: z.object({ [at]: schema }) }), body, "body", limits.problemFields).messages[
      at
    ] as T;
  };
  if (inPlace(roles, message).role === "assistant") {
    const answered = assistantMessage(inPlace(assistant, message));
    if (answered.answers.length <= limits.chatAnswers) return wellFormed(answered, limits) as AssistantMessage;
    throw httpError("bad-request", `At most ${limits.chatAnswers} answers are taken at once.`, { field: "messages" });
  }
  const { id, parts } = inPlace(user, wellFormed(message, limits));
  return { role: "user", id, parts, hash: hashOf(parts) };
}
function assistantMessage({ id, parts, metadata }: z.infer<typeof assistant>): AssistantMessage {
  const asked = parts.flatMap((part) => toolPart.safeParse(part).data ?? []);
  return {
    role: "assistant",
    id,
    parts: parts.length,
    answers: asked.flatMap(({ state, approval }) =>
      state === "approval-responded" && approval.approved !== undefined
        ? [{ id: approval.id, decision: approval.approved ? "allow" : "deny", reason: approval.reason ?? null }]
        : [],
    ),
    asking: asked.flatMap(({ state, approval }) => (state === "approval-requested" ? [approval.id] : [])),
    cursor: place.safeParse(metadata).data?.cursor ?? null,
  };
}
