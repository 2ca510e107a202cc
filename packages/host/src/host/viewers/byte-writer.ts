/**
 * Writes a session's events to one reader as server-sent events. Invariants: the reader is given more only when it has
 * room, so what it does not take waits in its subscriber, under that one's bound; all that came in one tick is one
 * write; a silent stream carries a heartbeat; a reader that is cut while it has no room is told at once, not when it
 * reads again.
 */
import type { Clock } from "../../ports/clock.ts";
import { type ByteBatch, heartbeatFrame, retryFrame } from "./frames.ts";
import { type From, Subscriber, type SubscriberPorts } from "./subscriber.ts";

/** Where the bytes go: a Node response, a web stream. */
export interface ByteSink {
  /** Bytes that belong together, in order. Other readers are given the same ones: never changed, never transferred. */
  write(pieces: readonly Uint8Array[]): void;
  /** Calls once, as soon as the reader can take more: at once if it can now. */
  whenRoom(call: () => void): void;
}
export type ByteWriterPorts = Omit<SubscriberPorts<ByteBatch>, "cut"> & {
  readonly clock: Clock;
  /** Milliseconds of silence before a heartbeat. */
  readonly heartbeatMs: number;
  /** Milliseconds a client is told to wait before it connects again. */
  readonly retryMs: number;
};

/** Resolves when the signal ended it. Rejects with `slow-subscriber`, and with what the store or the sink throws. */
export async function writeBytes(
  ports: ByteWriterPorts,
  from: From,
  sink: ByteSink,
  signal: AbortSignal,
): Promise<void> {
  const room = new Room(sink);
  const leave = (): void => room.stopWaiting();
  signal.addEventListener("abort", leave);
  try {
    room.ask();
    await room.wait();
    if (!signal.aborted) await follow(ports, from, { sink, room, signal });
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
type Reader = { readonly sink: ByteSink; readonly room: Room; readonly signal: AbortSignal };

async function follow(ports: ByteWriterPorts, from: From, { sink, room, signal }: Reader): Promise<void> {
  const { clock, heartbeatMs, retryMs } = ports;
  const subscriber = new Subscriber({ ...ports, cut: () => room.stopWaiting() }, from);
  const heartbeat = new Heartbeat(clock, heartbeatMs, () => subscriber.wake());
  const close = (): void => subscriber.close();
  signal.addEventListener("abort", close);
  const write = (pieces: readonly Uint8Array[]): boolean => {
    sink.write(pieces);
    heartbeat.note();
    return room.ask();
  };
  const give = (batches: readonly ByteBatch[]): boolean => write(batches.map(({ bytes }) => bytes));
  try {
    write([retryFrame(retryMs)]);
    while (!signal.aborted) {
      await room.wait();
      const batches = await subscriber.ready();
      if (signal.aborted) return;
      if (batches.length > 0) give(batches);
      else if ((await subscriber.follow(give)) === "woken" && !signal.aborted) write([heartbeatFrame]);
    }
  } finally {
    signal.removeEventListener("abort", close);
    heartbeat.stop();
    close();
  }
}

/** Whether a sink has room, asked once for each write. */
class Room {
  readonly #sink: ByteSink;
  #has = false;
  #resolve: () => void = () => {};

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }
  ask(): boolean {
    this.#has = false;
    this.#sink.whenRoom(this.#opened);
    return this.#has;
  }
  /** Until there is room, or no use in waiting. */
  wait(): Promise<void> {
    if (this.#has) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
  stopWaiting(): void {
    this.#opened();
  }
  readonly #opened = (): void => {
    this.#has = true;
    this.#resolve();
  };
}

/** Calls after each stretch of silence. One timer that is set again when it fires, not with every write. */
class Heartbeat {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #beat: () => void;
  /** Monotonic milliseconds. */
  #quietSince: number;
  #disarm: () => void;

  constructor(clock: Clock, ms: number, beat: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#beat = beat;
    this.#quietSince = clock.monotonic();
    this.#disarm = clock.after(ms, () => this.#fired());
  }
  note(): void {
    this.#quietSince = this.#clock.monotonic();
  }
  stop(): void {
    this.#disarm();
  }
  #fired(): void {
    const left = this.#quietSince + this.#ms - this.#clock.monotonic();
    if (left <= 0) this.#beat();
    this.#disarm = this.#clock.after(left <= 0 ? this.#ms : left, () => this.#fired());
  }
}
