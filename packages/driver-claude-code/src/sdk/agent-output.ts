/**
 * The agent's output on its way to the SDK, which breaks at JSON that is no object and keeps a line of any length.
 * Invariants: only whole lines that begin as a record pass; at most `limits.lineBytes` of a line are kept; above it the
 * output is over, and `failure` says so.
 */
import { Transform, type TransformCallback } from "node:stream";
import { MooringError } from "@mooring/host/driver";
import { limits } from "../limits.ts";

const lineEnd = 0x0a;
const recordBegin = 0x7b;

export class AgentOutput extends Transform {
  /** Why nothing more is read; null: it is. */
  failure: MooringError | null = null;
  #pieces: Buffer[] = [];
  #bytes = 0;

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = bytes.indexOf(lineEnd); at >= 0 && this.failure === null; at = bytes.indexOf(lineEnd, from)) {
      this.#keep(bytes.subarray(from, at + 1));
      this.#pass();
      from = at + 1;
    }
    if (this.failure === null) this.#keep(bytes.subarray(from));
    done();
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#bytes += piece.at(-1) === lineEnd ? piece.length - 1 : piece.length;
    if (this.#bytes <= limits.lineBytes) return;
    this.#pieces = [];
    this.failure = new MooringError(
      "line-too-long",
      `Claude Code said something of more than ${limits.lineBytes} bytes at once. It was ended; the next message starts it again.`,
    );
    this.push(null);
    this.emit("broken");
  }
  #pass(): void {
    const line = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (this.failure === null && line?.[0] === recordBegin) this.push(line);
  }
}
