/**
 * One assistant message as a chat client sees it: the agent's chunks, and its questions as chunks. Pure: the same events
 * give the same chunks, so a response that goes on where another ended knows what that one showed.
 *
 * Invariants: the frame of the message (`start`, `finish`, `abort`, `error`) is the response's own and never comes from
 * the agent; a type of chunk that a client of version 6 does not know is left out; a question is shown when it is stored,
 * and not when it is known to be answered.
 */
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { SessionEvent } from "../../protocol/events.ts";
import type { ApprovalId, Seq } from "../../protocol/ids.ts";
import { type FileUrl, shownUrl } from "./chat-files.ts";
import { HeldCalls } from "./held-calls.ts";

type Chunks = readonly UIMessageChunk[];
type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

/** What is known of questions when a response begins: of those asked up to this event, these are open. */
export type OpenQuestions = { readonly upTo: Seq; readonly open: ReadonlySet<ApprovalId> };

/** Version 6 knows none of these, and dies of what it does not know. */
const unknownToSix: ReadonlySet<string> = new Set([
  "steering-message",
  "reset-step",
  "custom",
  "reasoning-file",
  "tool-approval-response",
]);
const frame: ReadonlySet<string> = new Set(["start", "finish", "abort", "error"]);

export class MessageView {
  readonly #fileUrl: FileUrl;
  readonly #questions: OpenQuestions;
  readonly #calls = new HeldCalls();
  /** Texts and reasonings that have no end yet. */
  readonly #texts = new Set<string>();
  /** Questions without an answer so far, by tool call. */
  readonly #asked = new Map<string, ApprovalId>();
  /** Those of them whose answer is still to come in the events, and is known to. */
  readonly #past = new Set<ApprovalId>();

  constructor(fileUrl: FileUrl, questions: OpenQuestions) {
    this.#fileUrl = fileUrl;
    this.#questions = questions;
  }

  /** Everything shown that is not over is a question, and the agent says nothing meanwhile. */
  get wasAsking(): boolean {
    const { shown } = this.#calls;
    return this.#texts.size === 0 && shown.length > 0 && shown.every((id) => this.#asked.has(id));
  }
  /** The same, and it is for a person to answer. */
  get isAsking(): boolean {
    return this.#past.size === 0 && this.wasAsking;
  }
  /** Calls wait for that question: no event will say that the turn waits. */
  get isKeeping(): boolean {
    return this.#calls.isKeepingWhole;
  }
  hasAsked(id: ApprovalId): boolean {
    return [...this.#asked.values()].includes(id);
  }

  chunk(chunk: UIMessageChunk): Chunks {
    if (frame.has(chunk.type)) return this.#metadata(chunk);
    this.#noteText(chunk);
    // To version 6 the end of a step is the end of its texts: it dies of what comes of them later.
    if (chunk.type === "finish-step" && this.#texts.size > 0) return [];
    const isQuestion = chunk.type === "tool-approval-request" && chunk.isAutomatic !== true;
    if (isQuestion || unknownToSix.has(chunk.type)) return [];
    return this.#calls.take(chunk.type === "file" ? { ...chunk, url: shownUrl(chunk.url, this.#fileUrl) } : chunk);
  }
  requested({ toolCallId, approvalId }: Of<"approval.requested">, seq: Seq): Chunks {
    if (!this.#calls.knows(toolCallId)) return []; // no part of the message shows the call
    this.#asked.set(toolCallId, approvalId);
    const begun = this.#calls.begin(toolCallId);
    const { upTo, open } = this.#questions;
    if (seq > upTo || open.has(approvalId))
      return [...begun, { type: "tool-approval-request", approvalId, toolCallId }];
    this.#past.add(approvalId);
    return begun;
  }
  answered(approvalId: ApprovalId): void {
    this.#past.delete(approvalId);
    for (const [toolCallId, id] of this.#asked) if (id === approvalId) this.#asked.delete(toolCallId);
  }
  /** The message is over: what was kept back. */
  rest(): Chunks {
    return this.#calls.releaseAll();
  }

  /** An agent's own frame may carry metadata of the message. */
  #metadata(chunk: UIMessageChunk): Chunks {
    if ((chunk.type !== "start" && chunk.type !== "finish") || chunk.messageMetadata == null) return [];
    return this.#calls.take({ type: "message-metadata", messageMetadata: chunk.messageMetadata });
  }
  #noteText(chunk: UIMessageChunk): void {
    switch (chunk.type) {
      case "text-start":
      case "reasoning-start":
        this.#texts.add(`${chunk.type.slice(0, 4)}:${chunk.id}`);
        return;
      case "text-end":
      case "reasoning-end":
        this.#texts.delete(`${chunk.type.slice(0, 4)}:${chunk.id}`);
        return;
      default:
    }
  }
}
