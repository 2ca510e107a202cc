/**
 * The messages of a model request, from the host's history. The host owns the history: it is read at the start of each
 * turn and nothing of it is kept between turns, so a turn that failed, stopped or was rewound reads as it is stored, and
 * every older message has the id that a compaction names. Invariant: every tool call in a conversation has a result,
 * save those a waiting turn is about to make.
 */
import type { HistoryEntry, Part, UIMessage, Waiting } from "@mooring/host/driver";
import { convertToModelMessages, type ModelMessage } from "ai";
import { pendingParts, settledPart } from "./settled-parts.ts";
import { userMessage, visibleParts } from "./user-message.ts";

export type Conversation = {
  readonly messages: readonly ModelMessage[];
  /** How many of `messages` are older than the turn; a compaction replaces these. */
  readonly older: number;
  /** Id of the last stored message among the older ones; null: none is stored. */
  readonly newest: string | null;
};

/** What is stored, without a turn. */
export async function storedConversation(entries: readonly HistoryEntry[]): Promise<Conversation> {
  return join(branchOf(entries), []);
}

/** What a new turn is asked with; `entries` do not have its message yet. Without parts it answers the last one again. */
export async function conversationOf(entries: readonly HistoryEntry[], parts: readonly Part[]): Promise<Conversation> {
  const asked = await userMessage(parts);
  return join(branchOf(entries), asked === null ? [] : [asked]);
}

/**
 * What a turn that waited goes on with. Its calls are marked as approved, so that the AI SDK makes them before it asks
 * the model; what a person decides about each is awaited in the call itself (`ToolGate`).
 */
export async function conversationWaiting(
  entries: readonly HistoryEntry[],
  waiting: Waiting,
  isKnown: (toolName: string) => boolean,
): Promise<Conversation> {
  const { summary, messages } = branchOf(entries);
  const last = messages.at(-1);
  const open: UIMessage = last?.role === "assistant" ? last : { id: "", role: "assistant", parts: [] };
  const closed = last === open ? messages.slice(0, -1) : messages;
  const start = closed.findLastIndex(({ role }) => role === "user");
  const older = closed.slice(0, Math.max(0, start));
  const ofTurn = closed.slice(Math.max(0, start));
  const parts = pendingParts(open.parts, waiting.approvals, isKnown);
  const current = [...(await modelMessages(ofTurn)), ...(await convertToModelMessages([{ role: "assistant", parts }]))];
  return join({ summary, messages: older }, current);
}

export const summaryMessage = (summary: string): ModelMessage => ({
  role: "user",
  content: `The conversation up to here was summarised:\n<summary>\n${summary}\n</summary>`,
});

type StoredBranch = { readonly summary: string | null; readonly messages: readonly UIMessage[] };

/** The newest summary, and the messages it does not cover. */
function branchOf(entries: readonly HistoryEntry[]): StoredBranch {
  const at = entries.findLastIndex((entry) => entry.kind === "compaction" && entry.done.summary !== null);
  const compaction = entries[at];
  if (compaction?.kind !== "compaction") return { summary: null, messages: messagesOf(entries) };
  const { summary, covers } = compaction.done;
  if (covers === null) return { summary, messages: messagesOf(entries.slice(at)) };
  const messages = messagesOf(entries);
  return { summary, messages: messages.slice(messages.findLastIndex(({ id }) => id === covers) + 1) };
}

const messagesOf = (entries: readonly HistoryEntry[]): UIMessage[] =>
  entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));

async function join({ summary, messages }: StoredBranch, current: readonly ModelMessage[]): Promise<Conversation> {
  const older = [...(summary === null ? [] : [summaryMessage(summary)]), ...(await modelMessages(messages))];
  return { messages: [...older, ...current], older: older.length, newest: messages.at(-1)?.id ?? null };
}

const modelMessages = (messages: readonly UIMessage[]): Promise<ModelMessage[]> =>
  convertToModelMessages(messages.map(({ role, parts }) => ({ role, parts: repaired(role, parts) })));

const repaired = (role: UIMessage["role"], parts: readonly Part[]): Part[] =>
  visibleParts(role === "assistant" ? parts.flatMap(settledPart) : parts);
