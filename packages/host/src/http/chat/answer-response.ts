/**
 * The response to a POST: one assistant message, the one that answers an input, or one that is known already. Pure.
 *
 * Invariants: at most one `start`, for a client copies the parts of a first message into a second; until the message
 * opens nothing is told but what becomes of the input; a message that goes on where the client has it is told from the
 * place on where the client's ends, its end always.
 */
import type { SessionEvent } from "../../protocol/events.ts";
import type { ApprovalId, InputId, MessageId, Seq, SessionId, TurnId } from "../../protocol/ids.ts";
import type { FileUrl } from "./chat-files.ts";
import { type Frame, framesOf } from "./chat-frames.ts";
import { MessageView, type OpenQuestions } from "./message-view.ts";
import { type ChatResponse, endOf, finish, opensIn, pauseAt, startOf, type Told, withPlace } from "./response.ts";
import type { WaitingInput } from "./waiting-input.ts";

/**
 * How far the client has the message: up to an event, or to where it first paused with these questions before that.
 * `cursor`: of that event, when the client knows it.
 */
export type Shown = {
  readonly upTo: Seq;
  readonly cursor: string | null;
  readonly asking: readonly ApprovalId[] | null;
};
export type AnswerTo =
  | { readonly kind: "input"; readonly waiting: WaitingInput }
  | {
      readonly kind: "message";
      readonly messageId: MessageId;
      readonly turnId: TurnId | null;
      readonly inputId: InputId | null;
      /** Null: the client has nothing of it. */
      readonly shown: Shown | null;
    };
type AnswerParts = {
  readonly sessionId: SessionId;
  readonly fileUrl: FileUrl;
  readonly questions: OpenQuestions;
  readonly to: AnswerTo;
  /** Where the response begins to read. */
  readonly cursor: string;
};
type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;
type Chunks = readonly Frame["chunk"][];

export class AnswerResponse implements ChatResponse {
  readonly again = null;
  readonly #parts: AnswerParts;
  readonly #view: MessageView;
  /** Of the message, once it is known. */
  #messageId: MessageId | null;
  #turnId: TurnId | null;
  #phase: "waiting" | "open" | "closed" | "over" = "waiting";
  #isStarted = false;
  /** The turn waits for a person. */
  #rests = false;
  /** What the client has already; null: it has to be told all. */
  #shown: Shown | null;
  /** Inputs that the agent took after the message. */
  #taken: readonly InputId[] = [];
  #told: string | null = null;
  #cursor: string;

  constructor(parts: AnswerParts) {
    const { to } = parts;
    this.#parts = parts;
    this.#view = new MessageView(parts.fileUrl, parts.questions);
    this.#messageId = to.kind === "message" ? to.messageId : null;
    this.#turnId = to.kind === "message" ? to.turnId : to.waiting.turnId;
    this.#shown = to.kind === "message" ? to.shown : null;
    this.#cursor = parts.cursor;
  }

  get isOver(): boolean {
    return this.#phase === "over";
  }
  get isWaiting(): boolean {
    return this.#phase === "waiting" || this.#phase === "closed";
  }
  get mayPause(): boolean {
    const view = this.#view;
    return this.#phase === "open" && this.#shown === null && view.isAsking && (this.#rests || view.isKeeping);
  }
  pause(): readonly Frame[] {
    return this.#end(pauseAt(this.#cursor));
  }
  begin(): readonly Frame[] {
    const { to, cursor } = this.#parts;
    if (to.kind === "input") return framesOf(this.#inputChanged(to.waiting), cursor);
    return to.shown === null ? [] : framesOf([this.#start(to.messageId)], cursor);
  }

  take({ cursor, seq, event }: Told): readonly Frame[] {
    if (this.#shown !== null && seq > this.#shown.upTo) this.#shown = null;
    this.#cursor = cursor;
    const frames = this.#apply(event, seq);
    if (this.#shown === null || this.#phase !== "open") return frames;
    if (this.#isWhereItPaused(this.#shown)) this.#shown = null;
    return [];
  }
  #isWhereItPaused({ asking }: Shown): boolean {
    return asking !== null && this.#view.wasAsking && asking.every((id) => this.#view.hasAsked(id));
  }
  #apply(event: SessionEvent, seq: Seq): readonly Frame[] {
    switch (this.#phase) {
      case "waiting":
        return this.#beforeMessage(event);
      case "open":
        return this.#ofMessage(event, seq);
      case "closed":
        return this.#afterMessage(event);
      case "over":
        return [];
    }
  }

  // --- until the message opens ------------------------------------------------------------------------------------

  #beforeMessage(event: SessionEvent): readonly Frame[] {
    const { to } = this.#parts;
    if (to.kind === "input") return this.#beforeAnswer(event, to.waiting);
    if (event.type === "message.opened" && event.messageId === to.messageId) return this.#opened(event);
    return [];
  }
  #beforeAnswer(event: SessionEvent, waiting: WaitingInput): readonly Frame[] {
    waiting.take(event);
    this.#turnId = waiting.turnId ?? this.#turnId;
    const told = this.#inputChanged(waiting);
    if (waiting.state === "cancelled") return this.#end([...told, { type: "abort", reason: "cancelled" }]);
    if (waiting.turnId !== null && opensIn(event, waiting.turnId)) return this.#opened(event);
    if (event.type === "turn.settled" && event.turnId === this.#turnId && !isAgain(waiting))
      return this.#end(event.outcome === "completed" ? told : [...told, endOf(event)]); // merged into another's answer
    return this.#frames(told);
  }
  /** What became of the input, if anything did. */
  #inputChanged(waiting: WaitingInput): Chunks {
    const { place } = waiting;
    const told = JSON.stringify(place);
    if (told === this.#told) return [];
    this.#told = told;
    return [{ type: "data-input", transient: true, data: place }];
  }

  // --- the message ------------------------------------------------------------------------------------------------

  #opened({ messageId, turnId }: Of<"message.opened">): readonly Frame[] {
    this.#phase = "open";
    this.#messageId = messageId;
    this.#turnId = turnId ?? null;
    return this.#frames(this.#isStarted ? [] : [this.#start(messageId)]);
  }
  #start(messageId: MessageId): Frame["chunk"] {
    const { sessionId, to } = this.#parts;
    const inputId = to.kind === "input" ? to.waiting.id : to.inputId;
    const cursor = this.#shown === null ? this.#cursor : this.#shown.cursor;
    this.#isStarted = true;
    return startOf(messageId, {
      sessionId,
      ...(this.#turnId === null ? {} : { turnId: this.#turnId }),
      ...(inputId === null ? {} : { inputId }),
      ...(cursor === null ? {} : { cursor }),
    });
  }
  #ofMessage(event: SessionEvent, seq: Seq): readonly Frame[] {
    switch (event.type) {
      case "chunk":
        return event.messageId === this.#messageId ? this.#frames(this.#view.chunk(event.chunk)) : [];
      case "approval.requested":
        return event.messageId === this.#messageId ? this.#asked(this.#view.requested(event, seq)) : [];
      case "approval.closed":
        this.#view.answered(event.approvalId);
        return [];
      case "turn.waiting":
      case "turn.resumed":
        if (event.turnId === this.#turnId) this.#rests = event.type === "turn.waiting";
        return [];
      case "message.dropped":
      case "message.closed":
        return event.messageId === this.#messageId ? this.#closed() : [];
      default:
        return [];
    }
  }
  #asked(chunks: Chunks): readonly Frame[] {
    return this.#frames(withPlace(chunks, this.#cursor));
  }
  #closed(): readonly Frame[] {
    const rest = this.#frames(this.#view.rest());
    this.#phase = "closed";
    return this.#shown === null ? rest : [];
  }

  // --- until it is known how it goes on ---------------------------------------------------------------------------

  #afterMessage(event: SessionEvent): readonly Frame[] {
    if (event.type === "input.changed" && event.state === "taken" && event.turnId === this.#turnId)
      this.#taken = [...this.#taken, event.inputId];
    if (event.type === "turn.settled" && event.turnId === this.#turnId) return this.#end([endOf(event)]);
    if (this.#turnId === null || !opensIn(event, this.#turnId)) return [];
    const data = { messageId: event.messageId, inputIds: this.#taken };
    return this.#end([{ type: "data-continue", transient: true, data }, finish]);
  }

  #frames(chunks: Chunks): readonly Frame[] {
    return framesOf(chunks, this.#cursor);
  }
  #end(chunks: Chunks): readonly Frame[] {
    this.#phase = "over";
    return this.#frames(chunks);
  }
}

/** It is back in the queue: its next turn answers it. */
const isAgain = ({ state }: WaitingInput): boolean => state === "queued" || state === "held";
