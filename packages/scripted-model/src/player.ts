/**
 * One instance of the model behind every protocol: plans a conversation, gives the calls their ids, counts the
 * failures that were served and logs the request.
 * Invariants: ids are unique in an instance, and within one conversation across restarts, because they hold the
 * number of messages so far; the failure counts are the only state that changes an answer, and are bounded.
 */
import type { Answer, Ending, PlannedBlock } from "./answer.ts";
import { type Conversation, promptChars, tokensFor } from "./conversation.ts";
import { type KeyedFailure, type Plan, plan } from "./plan.ts";
import { type LoggedRequest, RequestLog } from "./request-log.ts";

export type ReplyBlock =
  | Exclude<PlannedBlock, { readonly type: "call" }>
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: string };

interface ReplyUsage {
  readonly input: number;
  readonly output: number;
  /** The part of `output` that is reasoning. */
  readonly reasoning: number;
}

export interface Reply {
  readonly type: "answer";
  readonly id: string;
  readonly blocks: readonly ReplyBlock[];
  readonly ending: Ending;
  /** In tokens. */
  readonly usage: ReplyUsage;
}

/** An HTTP error to answer with; `retryAfter` in seconds. */
export interface FailedReply {
  readonly type: "failure";
  readonly status: number;
  readonly message: string;
  readonly retryAfter?: number;
}

export interface PlayerOptions {
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
  /** Called with every request. */
  readonly log?: (entry: LoggedRequest) => void;
}

const maxCounted = 10_000;

const charsOf = (block: PlannedBlock): number =>
  block.type === "call" ? block.name.length + block.input.length : block.text.length;

function usageOf(conversation: Conversation, answer: Answer): ReplyUsage {
  const chars = (blocks: readonly PlannedBlock[]): number => blocks.reduce((sum, block) => sum + charsOf(block), 0);
  const input = answer.usage?.input ?? tokensFor(promptChars(conversation));
  const output = answer.usage?.output ?? tokensFor(chars(answer.blocks));
  const reasoning = tokensFor(chars(answer.blocks.filter((block) => block.type === "reasoning")));
  return { input, output, reasoning: Math.min(reasoning, output) };
}

export class Player {
  readonly requests: RequestLog;
  readonly #served = new Map<string, number>();
  #replies = 0;
  #calls = 0;

  constructor(options: PlayerOptions = {}) {
    this.requests = new RequestLog(options.now ?? Date.now, options.log);
  }

  /** The reply to a conversation; counts and logs it. */
  reply(protocol: LoggedRequest["protocol"], model: string, conversation: Conversation): Reply | FailedReply {
    const planned = plan(conversation);
    const failure = planned.failures.find((candidate) => this.#serves(candidate));
    this.requests.add({
      protocol,
      model,
      system: conversation.system,
      prompt: conversation.messages,
      tools: conversation.tools.map((tool) => tool.name),
      step: { source: planned.source, index: planned.index, kind: failure ? `status ${failure.status}` : planned.kind },
    });
    if (failure === undefined) return this.#answer(conversation, planned);
    const { status, message = `scripted failure ${status}`, retryAfter } = failure;
    return { type: "failure", status, message, ...(retryAfter !== undefined && { retryAfter }) };
  }

  #serves({ key, times }: KeyedFailure): boolean {
    if (times === Number.POSITIVE_INFINITY) return true;
    const served = this.#served.get(key) ?? 0;
    if (served >= times) return false;
    this.#served.set(key, served + 1);
    const oldest = this.#served.keys().next();
    if (this.#served.size > maxCounted && !oldest.done) this.#served.delete(oldest.value);
    return true;
  }

  #answer(conversation: Conversation, { answer }: Plan): Reply {
    const messages = conversation.messages.length;
    const blocks = answer.blocks.map((block): ReplyBlock => {
      if (block.type !== "call") return block;
      return { type: "call", id: `call_${messages}_${++this.#calls}`, name: block.name, input: block.input };
    });
    const id = `msg_${messages}_${++this.#replies}`;
    return { type: "answer", id, blocks, ending: answer.ending, usage: usageOf(conversation, answer) };
  }
}
