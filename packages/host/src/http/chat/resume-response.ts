/**
 * The response to a GET: the message that is open, from its start, and every one that follows until the run is over. Pure.
 *
 * Invariants: one message at a time, each with its `start`, at which a client that resumes begins it anew; so a message
 * that another interrupts is read again, whole, when the other is over.
 */
import type { SessionEvent } from "../../protocol/events.ts";
import type { InputId, MessageId, Seq, SessionId, TurnId } from "../../protocol/ids.ts";
import type { InputState } from "../../protocol/input.ts";
import type { InputRow } from "../../protocol/rows.ts";
import type { FileUrl } from "./chat-files.ts";
import { type Frame, framesOf } from "./chat-frames.ts";
import { MessageView, type OpenQuestions } from "./message-view.ts";
import { type ChatResponse, endOf, finish, pauseAt, startOf, type Told, withPlace } from "./response.ts";

type ResumeParts = {
  readonly sessionId: SessionId;
  readonly fileUrl: FileUrl;
  readonly questions: OpenQuestions;
  /** Turns that are open, and inputs that have not ended. */
  readonly turns: readonly TurnId[];
  readonly inputs: readonly Pick<InputRow, "id" | "state" | "turnId">[];
  /** Messages that were told before. */
  readonly done: readonly MessageId[];
  /** Where the response begins to read. */
  readonly cursor: string;
};
type Current = {
  readonly messageId: MessageId;
  readonly turnId: TurnId | null;
  readonly view: MessageView;
  /** Where it is read from again. */
  readonly before: string;
  isClosed: boolean;
};
type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;
type Chunks = readonly Frame["chunk"][];

/** An input that starts, or is answered, by itself. */
export const goesOn: ReadonlySet<InputState> = new Set(["queued", "offered", "taken", "started"]);

export class ResumeResponse implements ChatResponse {
  readonly #parts: ResumeParts;
  readonly #turns: Set<TurnId>;
  readonly #inputs: Set<InputId>;
  /** Of each turn, the input it answers now. */
  readonly #answering = new Map<TurnId, InputId>();
  /** Messages that were told to their end. */
  readonly #done: Set<MessageId>;
  #current: Current | null = null;
  /** A message that the current one interrupts. */
  #parked: Current | null = null;
  /** The turn that waits for a person. */
  #resting: TurnId | null = null;
  #again: string | null = null;
  #cursor: string;
  #before: string;
  #isOver = false;

  constructor(parts: ResumeParts) {
    this.#parts = parts;
    this.#turns = new Set(parts.turns);
    this.#inputs = new Set(parts.inputs.flatMap(({ id, state }) => (goesOn.has(state) ? [id] : [])));
    for (const { id, turnId } of parts.inputs) if (turnId !== null) this.#answering.set(turnId, id);
    this.#done = new Set(parts.done);
    this.#cursor = parts.cursor;
    this.#before = parts.cursor;
  }

  get isOver(): boolean {
    return this.#isOver;
  }
  get isWaiting(): boolean {
    return this.#current === null || this.#current.isClosed;
  }
  get mayPause(): boolean {
    const current = this.#current;
    if (this.#isOver || !this.#isOpen(current) || !current.view.isAsking) return false;
    return current.view.isKeeping || (this.#resting !== null && this.#resting === current.turnId);
  }
  /** Read once: then the reader is at that place. */
  get again(): string | null {
    const again = this.#again;
    this.#again = null;
    return again;
  }
  pause(): readonly Frame[] {
    this.#isOver = true;
    return this.#frames(pauseAt(this.#cursor));
  }
  begin(): readonly Frame[] {
    return [];
  }

  take({ cursor, seq, event }: Told): readonly Frame[] {
    this.#before = this.#cursor;
    this.#cursor = cursor;
    this.#note(event);
    const frames = this.#apply(event, seq);
    if (this.isWaiting && this.#turns.size === 0 && this.#inputs.size === 0) this.#isOver = true;
    return frames;
  }
  #apply(event: SessionEvent, seq: Seq): readonly Frame[] {
    switch (event.type) {
      case "message.opened":
        return event.flow === undefined && !this.#done.has(event.messageId) ? this.#opened(event) : [];
      case "turn.settled":
        return this.#settled(event);
      default:
        return this.#isOpen(this.#current) ? this.#ofMessage(this.#current, event, seq) : [];
    }
  }
  #isOpen(current: Current | null): current is Current {
    return current !== null && !current.isClosed;
  }

  #note(event: SessionEvent): void {
    if (event.type === "turn.started") this.#turns.add(event.turnId);
    if (event.type === "turn.waiting") this.#resting = event.turnId;
    if (event.type === "turn.resumed") this.#resting = null;
    if (event.type === "input.accepted") this.#inputs.add(event.inputId);
    if (event.type !== "input.changed" || event.state === undefined) return;
    if (goesOn.has(event.state)) this.#inputs.add(event.inputId);
    else this.#inputs.delete(event.inputId);
    if (event.turnId !== undefined && (event.state === "started" || event.state === "taken"))
      this.#answering.set(event.turnId, event.inputId);
  }
  #opened({ messageId, turnId }: Of<"message.opened">): readonly Frame[] {
    if (this.#isOpen(this.#current)) this.#parked = this.#current;
    const { sessionId, fileUrl, questions } = this.#parts;
    const view = new MessageView(fileUrl, questions);
    this.#current = { messageId, turnId: turnId ?? null, view, before: this.#before, isClosed: false };
    const inputId = turnId === undefined ? undefined : this.#answering.get(turnId);
    const metadata = {
      sessionId,
      ...(turnId === undefined ? {} : { turnId }),
      ...(inputId === undefined ? {} : { inputId }),
      cursor: this.#cursor,
    };
    return this.#frames([startOf(messageId, metadata)]);
  }
  #ofMessage(current: Current, event: SessionEvent, seq: Seq): readonly Frame[] {
    const isOurs = "messageId" in event && event.messageId === current.messageId;
    switch (event.type) {
      case "chunk":
        return isOurs ? this.#frames(current.view.chunk(event.chunk)) : [];
      case "approval.requested":
        return isOurs ? this.#frames(withPlace(current.view.requested(event, seq), this.#cursor)) : [];
      case "approval.closed":
        current.view.answered(event.approvalId);
        return [];
      case "message.closed":
        return isOurs ? this.#closed(current, event.message?.status === "completed") : [];
      case "message.dropped":
        return isOurs ? this.#closed(current, true) : [];
      default:
        return [];
    }
  }
  /** What did not complete is told with its turn's end. */
  #closed(current: Current, completed: boolean): readonly Frame[] {
    current.isClosed = true;
    this.#done.add(current.messageId);
    return this.#frames([...current.view.rest(), ...(completed ? [finish] : [])]);
  }

  #settled(event: Of<"turn.settled">): readonly Frame[] {
    this.#turns.delete(event.turnId);
    const wasOurs = this.#current?.turnId === event.turnId && this.#current.isClosed;
    const frames = this.#frames(wasOurs && event.outcome !== "completed" ? [endOf(event)] : []);
    if (wasOurs) this.#current = null;
    if (wasOurs && event.outcome === "failed")
      this.#isOver = true; // a client reads nothing after an error
    else if (wasOurs) this.#unpark();
    return frames;
  }
  #unpark(): void {
    this.#again = this.#parked?.before ?? null;
    this.#parked = null;
  }
  #frames(chunks: Chunks): readonly Frame[] {
    return framesOf(chunks, this.#cursor);
  }
}
