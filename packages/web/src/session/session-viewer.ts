/**
 * Follows one session and tells its listeners of each new view. Invariants: events are applied in the order they came;
 * many events of one moment make one view; a chunk is folded once, into the message it names; where a message belongs
 * is read from the host when it is not known, never guessed, and what was heard meanwhile is applied after it; what a
 * turn took and cost is read once for each turn whose messages are shown.
 */
import {
  type Fold,
  foldChunk,
  type MessageId,
  type SessionEvent,
  type Snapshot,
  type StoredMessage,
  snapshot,
  startFold,
  type TurnId,
} from "@mooring/host/protocol";
import type { TurnReport } from "../api/types.ts";
import { applyEvent, openedMessage, type Place, withMessage } from "./apply-event.ts";
import { emptyView, mostTurns, put, type SessionView, type SettledTurn } from "./view.ts";

/** Reports of turns asked for at once: the host gives no more. */
const turnsAsked = 200;

export type Page = { readonly messages: readonly StoredMessage[]; readonly older: MessageId | null };
export type ViewerPorts = {
  /** The newest messages, or those before one; oldest first. */
  page(before: MessageId | null): Promise<Page>;
  /** Those that are there. At most 200 are asked for. */
  turns(ids: readonly TurnId[]): Promise<readonly TurnReport[]>;
  /** Calls once when the screen is drawn next. */
  nextFrame(call: () => void): void;
  /** A page could not be read. */
  failed(cause: unknown): void;
};
type MessageEvent = Extract<SessionEvent, { type: "message.opened" | "message.closed" | "message.dropped" }>;
type Open = { readonly fold: Fold; readonly message: StoredMessage };

export class SessionViewer {
  readonly #ports: ViewerPorts;
  readonly #listeners = new Set<() => void>();
  readonly #open = new Map<MessageId, Open>();
  readonly #grown = new Set<MessageId>();
  /** Null: no page is being read. Else what was heard of messages since it was asked for. */
  #meanwhile: { event: MessageEvent; place: Place }[] | null = null;
  #view: SessionView = emptyView;
  #shown: SessionView = emptyView;
  #drawing = false;
  /** Turns whose report was asked for. */
  readonly #reported = new Set<TurnId>();

  constructor(ports: ViewerPorts) {
    this.#ports = ports;
  }

  /** The same value until something changes. */
  readonly view = (): SessionView => this.#shown;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Everything as of one moment. Open messages are shown once they are heard from their start (`replay`). */
  begin({ session, turn, inputs, approvals }: Snapshot): void {
    this.#open.clear();
    this.#grown.clear();
    const waiting = inputs.filter(({ position }) => position !== null);
    this.#view = {
      ...emptyView,
      session,
      turn: turn && { id: turn.id, status: turn.status === "waiting" ? "waiting" : "open", startedAt: turn.startedAt },
      messages: this.#view.messages,
      older: this.#view.older,
      turns: this.#view.turns,
      notes: this.#view.notes,
      inputs: new Map(inputs.map(({ id, input, state, reason }) => [id, { id, parts: input.parts, state, reason }])),
      order: waiting.sort((a, b) => (a.position ?? 0) - (b.position ?? 0)).map(({ id }) => id),
      approvals: new Map(approvals.map((row) => [row.id, row])),
    };
    this.#readNewest();
    this.#draw();
  }
  hear(event: SessionEvent, place: Place): void {
    if (event.type === "chunk") this.#fold(event.messageId, event.chunk);
    else this.#apply(event, place);
    this.#draw();
  }
  /** Reads the page before the oldest message known. */
  async earlier(): Promise<void> {
    const { older } = this.#view;
    if (older === null) return;
    const page = await this.#ports.page(older);
    if (this.#view.older !== older) return; // the branch changed meanwhile
    this.#view = { ...this.#view, messages: [...page.messages, ...this.#view.messages], older: page.older };
    this.#readTurns();
    this.#draw();
  }

  #apply(event: SessionEvent, place: Place): void {
    this.#settle();
    if (isAboutMessage(event)) {
      if (event.type === "message.opened") this.#opened(event, place);
      else this.#forget(event.messageId);
      this.#meanwhile?.push({ event, place });
    }
    const next = applyEvent(this.#view, event, place);
    if (next !== null) this.#view = next;
    else if (this.#meanwhile === null) this.#readNewest();
    if (event.type === "turn.settled") this.#readTurns();
  }

  // --- open messages ----------------------------------------------------------------------------------------------

  #opened(event: Extract<SessionEvent, { type: "message.opened" }>, place: Place): void {
    this.#open.set(event.messageId, { fold: startFold(event.messageId), message: openedMessage(event, place.at) });
  }
  #fold(id: MessageId, chunk: Parameters<typeof foldChunk>[1]): void {
    const open = this.#open.get(id);
    if (!open) return; // heard from its middle
    foldChunk(open.fold, chunk);
    this.#grown.add(id);
  }
  #forget(id: MessageId): void {
    this.#open.delete(id);
    this.#grown.delete(id);
  }
  /** What was folded since the last time is put into the view. */
  #settle(): void {
    for (const id of this.#grown) {
      const open = this.#open.get(id);
      if (open) this.#view = withMessage(this.#view, wholeOf(open)) ?? this.#view;
    }
    this.#grown.clear();
  }

  // --- pages ------------------------------------------------------------------------------------------------------

  #readNewest(): void {
    this.#meanwhile = [];
    const heard = this.#meanwhile;
    this.#ports.page(null).then(
      (page) => this.#meanwhile === heard && this.#take(page, heard),
      (cause: unknown) => {
        if (this.#meanwhile === heard) this.#meanwhile = null;
        this.#ports.failed(cause);
      },
    );
  }
  #take({ messages, older }: Page, heard: readonly { event: MessageEvent; place: Place }[]): void {
    this.#meanwhile = null;
    const known = messages.map((message) => {
      const open = this.#open.get(message.id);
      return open ? { ...wholeOf(open), inputId: message.inputId } : message;
    });
    this.#view = { ...this.#view, messages: known, older };
    for (const { event, place } of heard) this.#view = applyEvent(this.#view, event, place) ?? this.#view;
    for (const id of this.#open.keys()) this.#grown.add(id);
    this.#readTurns();
    this.#draw();
  }
  /** Of the messages shown: how their turns ended, and what they cost. */
  #readTurns(): void {
    const { messages, turn } = this.#view;
    const over = messages.flatMap(({ turnId }) => (turnId === null || turnId === turn?.id ? [] : [turnId]));
    const ids = [...new Set(over)].filter((id) => !this.#reported.has(id)).slice(-turnsAsked);
    if (ids.length === 0) return;
    for (const id of ids) this.#reported.add(id);
    this.#ports.turns(ids).then(
      (reports) => {
        for (const report of reports) this.#tookTurn(report);
        this.#draw();
      },
      (cause: unknown) => {
        for (const id of ids) this.#reported.delete(id);
        this.#ports.failed(cause);
      },
    );
  }
  #tookTurn({ id, status: outcome, reason, message, used, startedAt, endedAt }: TurnReport): void {
    if (outcome === "open" || outcome === "waiting") return void this.#reported.delete(id);
    const isPlain = message === null || outcome === "completed" || outcome === "stopped"; // the outcome says it all
    const error = isPlain ? null : { code: reason ?? outcome, message };
    const settled: SettledTurn = {
      outcome,
      error,
      usage: used.total,
      cost: used.cost,
      durationMs: (endedAt ?? startedAt) - startedAt,
    };
    this.#view = { ...this.#view, turns: put(this.#view.turns, id, settled, mostTurns) };
  }

  #draw(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    this.#ports.nextFrame(() => {
      this.#drawing = false;
      this.#settle();
      if (this.#shown === this.#view) return;
      this.#shown = this.#view;
      for (const listener of this.#listeners) listener();
    });
  }
}

function wholeOf({ fold, message }: Open): StoredMessage {
  const { parts, metadata } = snapshot(fold);
  return { ...message, parts, ...(metadata === undefined ? {} : { metadata }) };
}
const isAboutMessage = (event: SessionEvent): event is MessageEvent =>
  event.type === "message.opened" || event.type === "message.closed" || event.type === "message.dropped";
