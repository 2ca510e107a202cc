/** Reads a session's server-sent events as a client does: by their lines, joined over whatever pieces they come in. */
import { AssertionError } from "node:assert";
import type { SessionHost } from "../host/api.ts";

export type Frame = { readonly id: string; readonly event: string; readonly data: Readonly<Record<string, unknown>> };

/** Takes bytes in pieces, gives whole frames. */
export class FrameParser {
  readonly frames: Frame[] = [];
  /** Blocks that are no events: `retry:` lines and comments. */
  readonly others: string[] = [];
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #rest = "";

  take(bytes: Uint8Array): void {
    const blocks = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) this.#block(block);
  }
  #block(block: string): void {
    const [, id = "", event = "", json = ""] = /^id: (.*)\nevent: (.*)\ndata: ([^\n]*)$/.exec(block) ?? [];
    if (json === "") this.others.push(block);
    else this.frames.push({ id, event, data: JSON.parse(json) as Frame["data"] });
  }
}

/** Reads in the background until it is stopped, or only when it is told to. */
export class ByteReader {
  readonly parser = new FrameParser();
  readonly pieces: Uint8Array[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #waiting: (() => void)[] = [];
  #over = false;

  constructor(host: SessionHost, id: string, after?: string) {
    this.#reader = host.bytes(id, after === undefined ? {} : { after }).getReader();
  }
  get frames(): readonly Frame[] {
    return this.parser.frames;
  }
  /** One piece; null at the end. Rejects with what the stream fails with. */
  async read(): Promise<Uint8Array | null> {
    const { value } = await this.#reader.read();
    if (value === undefined) return null;
    this.pieces.push(value);
    this.parser.take(value);
    this.#wake();
    return value;
  }
  /** Reads on until it was stopped; what the stream failed with. */
  async run(): Promise<unknown> {
    try {
      for (let piece = await this.read(); piece !== null; piece = await this.read());
      return undefined;
    } catch (cause) {
      return cause;
    } finally {
      this.#over = true;
      this.#wake();
    }
  }
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
  /** While it runs: the `count`th frame of an event. Throws once it cannot come any more. */
  async until(event: string, count = 1): Promise<Frame> {
    for (;;) {
      const found = this.frames.filter((frame) => frame.event === event)[count - 1];
      if (found) return found;
      if (this.#over) throw new AssertionError({ message: `The bytes ended before ${event} ${count}.` });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
  /** What the stream fails with, whether it is read or not; undefined: it ended. */
  failed(): Promise<unknown> {
    return this.#reader.closed.then(
      () => undefined,
      (cause: unknown) => cause,
    );
  }
  stop(): Promise<void> {
    return this.#reader.cancel();
  }
}
