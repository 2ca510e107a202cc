/**
 * Cuts an agent's output into lines. Invariants: a line ends at the byte 0x0A and nowhere else, wherever a read ends; a
 * CR before it is dropped; bytes become text only when the line is whole; a line above the limit is told once and its
 * bytes are not kept.
 */
export type LineSink = {
  /** A whole line without its end. Empty lines are left out. */
  line(text: string): void;
  /** A line with more than the limit's bytes: it is not given to `line`. */
  tooLong(): void;
};

const lineEnd = 0x0a;
const carriageReturn = 0x0d;

export class LineReader {
  readonly #maxBytes: number;
  readonly #sink: LineSink;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isDropping = false;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** Bytes kept of the line that is not over. */
  get waiting(): number {
    return this.#bytes;
  }

  read(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, from)) {
      this.#keep(bytes.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(piece: Buffer): void {
    if (this.#isDropping || piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) return void this.#pieces.push(piece);
    this.#forget();
    this.#isDropping = true;
    this.#sink.tooLong();
  }
  #end(): void {
    const line = Buffer.concat(this.#pieces);
    this.#forget();
    if (this.#isDropping) {
      this.#isDropping = false;
      return;
    }
    const text = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
    if (text.length > 0) this.#sink.line(text.toString("utf8"));
  }
  #forget(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }
}
