/**
 * The bytes of one chat response, made when its reader asks for more. Invariants: no event is taken from the host before
 * the bytes of those before it were asked for, so what a reader does not read waits with the host, under its bound; all
 * that came in one tick is one piece, of bounded size; a response in silence carries a heartbeat; whatever ends it, the
 * reading of events ends too.
 */
import type { DeliveredEvent, SessionHost } from "../../host/api.ts";
import type { Clock } from "../../ports/clock.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { HttpLimits } from "../limits.ts";
import type { Begun } from "./begun.ts";
import { doneText, type Frame, heartbeatText, textOf } from "./chat-frames.ts";
import type { ChatResponse } from "./response.ts";
import { Bell, Wish } from "./waits.ts";

export type FeedPorts = {
  readonly host: Pick<SessionHost, "events">;
  readonly clock: Clock;
  readonly limits: Pick<HttpLimits, "heartbeatMs" | "chatWaitMs" | "chatAskMs" | "chatBatchChars">;
};
type Arrived = { readonly result: IteratorResult<DeliveredEvent, void> } | { readonly cause: unknown };

export class ResponseFeed {
  readonly #ports: FeedPorts;
  readonly #sessionId: string;
  readonly #response: ChatResponse | null;
  #first: readonly Frame[];
  #events: AsyncIterator<DeliveredEvent, void> | null = null;
  #reading = new AbortController();
  #arrived: Arrived | null = null;
  #isPulling = false;
  #isDone = false;
  #isClosed = false;
  /** Waited long enough for a message to open. */
  readonly #patience: Wish;
  /** Waited long enough for another question. */
  readonly #questions: Wish;
  readonly #bell = new Bell();

  constructor(ports: FeedPorts, { sessionId, frames, follow }: Begun) {
    const { clock, limits } = ports;
    this.#ports = ports;
    this.#sessionId = sessionId;
    this.#response = follow?.response ?? null;
    this.#first = frames;
    this.#patience = new Wish(clock, limits.chatWaitMs, () => this.#bell.ring());
    this.#questions = new Wish(clock, limits.chatAskMs, () => this.#bell.ring());
    if (follow === null) return;
    this.#first = [...frames, ...follow.response.begin()];
    this.#read(follow.from);
    this.#tune(follow.response);
  }

  /** What to write next; null: the end. One call at a time. Rejects with what the host does, and `slow-subscriber`. */
  async next(): Promise<string | null> {
    if (this.#isDone || this.#isClosed) return null;
    const first = this.#first;
    this.#first = [];
    if (first.length > 0) return textOf(first) + this.#endText();
    return this.#some();
  }
  close(): void {
    this.#isClosed = true;
    this.#patience.drop();
    this.#questions.drop();
    this.#reading.abort();
    this.#bell.ring();
  }

  /** The end, if it is there. */
  #endText(): string {
    const isOver = this.#response === null || this.#response.isOver;
    if (!isOver) return "";
    this.#isDone = true;
    this.close();
    return doneText;
  }
  async #some(): Promise<string | null> {
    const response = this.#response;
    if (response === null || response.isOver) return this.#endText();
    let isQuiet = false;
    const disarm = this.#ports.clock.after(this.#ports.limits.heartbeatMs, () => {
      isQuiet = true;
      this.#bell.ring();
    });
    try {
      for (;;) {
        const frames = await this.#gathered(response);
        if (this.#isClosed) return null;
        if (frames.length > 0 || response.isOver) return textOf(frames) + this.#endText();
        if (this.#patience.isUp) return this.#giveUp();
        if (isQuiet) return heartbeatText;
        await this.#bell.rung();
      }
    } finally {
      disarm();
    }
  }
  #giveUp(): string {
    this.#isDone = true;
    this.close();
    return doneText;
  }

  // --- events -----------------------------------------------------------------------------------------------------

  #read(after: string): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    const events = this.#ports.host.events(this.#sessionId, { after, signal: this.#reading.signal });
    this.#events = events[Symbol.asyncIterator]();
    this.#arrived = null;
    this.#isPulling = false;
  }
  #pull(): void {
    const events = this.#events;
    if (this.#isPulling || this.#arrived !== null || events === null) return;
    this.#isPulling = true;
    const arrive = (arrived: Arrived): void => {
      if (this.#events !== events) return; // it is read from elsewhere now
      this.#isPulling = false;
      this.#arrived = arrived;
      this.#bell.ring();
    };
    events.next().then(
      (result) => arrive({ result: result as IteratorResult<DeliveredEvent, void> }),
      (cause: unknown) => arrive({ cause }),
    );
  }
  /** All that comes within this tick. */
  async #gathered(response: ChatResponse): Promise<readonly Frame[]> {
    const frames: Frame[] = [];
    let size = 0;
    let isOver = false;
    setImmediate(() => {
      isOver = true;
      this.#bell.ring();
    });
    while (!isOver && !this.#isClosed && size < this.#ports.limits.chatBatchChars && !response.isOver) {
      this.#pull();
      if (this.#arrived === null) await this.#bell.rung();
      const more = this.#takeArrived(response);
      frames.push(...more, ...this.#asked(response));
      size += more.reduce((sum, { chunk }) => sum + sizeOf(chunk), 0);
    }
    return frames;
  }
  #takeArrived(response: ChatResponse): readonly Frame[] {
    const arrived = this.#arrived;
    if (arrived === null || this.#isClosed) return [];
    this.#arrived = null;
    if ("cause" in arrived) throw arrived.cause;
    const { done, value } = arrived.result;
    if (done === true) throw lost();
    if (!("seq" in value)) throw lost(); // a snapshot: the journal was shortened under the reader
    const frames = response.take(value);
    const { again } = response;
    if (again !== null) this.#read(again);
    this.#tune(response);
    return frames;
  }
  /** No other question came in time. */
  #asked(response: ChatResponse): readonly Frame[] {
    return this.#questions.isUp && response.mayPause ? response.pause() : [];
  }
  #tune(response: ChatResponse): void {
    this.#patience.want(response.isWaiting);
    this.#questions.want(response.mayPause);
  }
}
/** About what it takes in memory while it is gathered. */
const sizeOf = (chunk: Frame["chunk"]): number =>
  100 + ("delta" in chunk ? chunk.delta.length : JSON.stringify(chunk).length);
const lost = (): MooringError =>
  new MooringError("slow-subscriber", "The events of this response are gone. Resume the chat.", { retry: "now" });
