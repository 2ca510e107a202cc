/**
 * Makes a conversation shorter by a summary. Invariants: the messages of the turn stay, until there is nothing older
 * left to summarise: then its own earlier steps are summarised, for this turn only, and nothing is stored of it (a
 * completion without an entry). A call and its result are never parted. A failure leaves the conversation as it was.
 */

import { MooringError, messageOf, type TurnId } from "@mooring/host/driver";
import type { ModelMessage } from "ai";
import { type Conversation, summaryMessage } from "../conversation/conversation.ts";
import { summarise } from "../conversation/summarise.ts";
import { transcript } from "../conversation/transcript.ts";
import { limits } from "../limits.ts";
import type { LoopModel, ModelRequest } from "../models/retrying-model.ts";
import { reportUsage } from "./request-reports.ts";
import type { SessionContext } from "./session-context.ts";

type CompactionOrder = {
  readonly trigger: "auto" | "overflow" | "manual";
  readonly turnId: TurnId | null;
  /** Makes the model, which tells what its request took. */
  model(onAnswer: (request: ModelRequest) => void): LoopModel;
  readonly wishes: string | null;
  readonly signal: AbortSignal;
};

type CompactionEnd =
  | { readonly kind: "done"; readonly conversation: Conversation }
  /** It began; what went wrong has been told. */
  | { readonly kind: "failed" }
  | { readonly kind: "cancelled" | "nothing-to-do" };

/** Rejects only with the signal's reason. */
export async function compact(
  context: SessionContext,
  conversation: Conversation,
  order: CompactionOrder,
): Promise<CompactionEnd> {
  const cut = cutOf(conversation);
  if (cut === null) return { kind: "nothing-to-do" };
  if (!(await isAllowed(context))) return { kind: "cancelled" };
  order.signal.throwIfAborted();
  const { events, meter } = context;
  const turn = order.turnId === null ? {} : { turnId: order.turnId };
  const { trigger, signal } = order;
  events.push({ type: "compaction-start", ...turn, trigger });
  try {
    const text = await summaryOf(context, conversation.messages.slice(cut.from, cut.to), order);
    const done = cut.covers === null ? null : { trigger, summary: text, covers: cut.covers, data: null };
    events.push({ type: "compaction-complete", ...turn, done });
    meter.forget();
    return { kind: "done", conversation: shortened(conversation, cut, text) };
  } catch (cause) {
    const message = signal.aborted ? "The compaction was stopped." : messageOf(cause);
    events.push({ type: "compaction-error", ...turn, message });
    if (signal.aborted) throw signal.reason;
    return { kind: "failed" };
  }
}

/** A hook that fails forbids nothing. */
const isAllowed = ({ input, ports }: SessionContext): Promise<boolean> =>
  input.hooks.beforeCompaction().then(
    (answer) => answer === "go",
    (cause: unknown) => {
      ports.log.warn("loop.before-compaction-failed", { message: messageOf(cause) });
      return true;
    },
  );

/** Rejects with `nothing-to-compact` when no stored message could be summarised. */
export function checkCompactable({ newest }: Conversation): void {
  if (newest === null) throw new MooringError("nothing-to-compact", "There is nothing to compact yet.");
}

type Cut = {
  /** The messages summarised, as indices. */
  readonly from: number;
  readonly to: number;
  /** Id of the last stored message among them; null: none is stored. */
  readonly covers: string | null;
};

function cutOf({ messages, older, newest }: Conversation): Cut | null {
  if (newest !== null) return { from: 0, to: older, covers: newest };
  const from = messages.findIndex(({ role }, at) => at >= older && role === "assistant");
  const to = messages.findLastIndex(({ role }, at) => role === "assistant" && at <= messages.length - keptMessages);
  return from === -1 || to - from < leastMessages ? null : { from, to, covers: null };
}
/** The last steps of a turn stay whole; below two steps a summary gains nothing. */
const keptMessages = 4;
const leastMessages = 4;

function shortened({ messages, older }: Conversation, { from, to, covers }: Cut, text: string): Conversation {
  const kept: readonly ModelMessage[] = [...messages.slice(0, from), summaryMessage(text), ...messages.slice(to)];
  return { messages: kept, older: covers === null ? older : 1, newest: null };
}

async function summaryOf(
  context: SessionContext,
  messages: readonly ModelMessage[],
  order: CompactionOrder,
): Promise<string> {
  const maxChars = context.meter.window * limits.transcriptShare * limits.charsPerToken;
  const requests: ModelRequest[] = [];
  const model = order.model((request) => requests.push(request));
  const summary = await summarise(model, transcript(messages, maxChars), order.wishes, order.signal);
  for (const request of requests) reportUsage(context, order.turnId, request);
  return summary;
}
