/** A web stream that is written to only when somebody reads: what is not read waits with its writer, not in the stream. */
import type { ByteSink } from "./byte-writer.ts";

/** `write` ends with the signal it is given; what it rejects with is what the next read gets. */
export function byteStream(
  write: (sink: ByteSink, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const ended = signal === undefined ? cancelled.signal : AbortSignal.any([cancelled.signal, signal]);
  const demand = new Demand();
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const sink: ByteSink = {
      write: (pieces) => controller.enqueue(joined(pieces)),
      whenRoom: (call) => demand.when(call),
    };
    write(sink, ended).then(
      () => {
        if (!cancelled.signal.aborted) controller.close();
      },
      (cause: unknown) => controller.error(cause),
    );
  };
  const source = { start, pull: () => demand.come(), cancel: () => cancelled.abort() };
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
}
const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
};

/** A read that waits for bytes, met with a writer that waits for a read. */
class Demand {
  #waits = false;
  #call: (() => void) | null = null;

  come(): void {
    const call = this.#call;
    this.#call = null;
    this.#waits = call === null;
    call?.();
  }
  when(call: () => void): void {
    if (!this.#waits) {
      this.#call = call;
      return;
    }
    this.#waits = false;
    call();
  }
}
