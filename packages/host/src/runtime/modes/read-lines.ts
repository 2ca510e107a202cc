/**
 * Records of a stream, split at line feeds and nowhere else: other line separators are part of JSON strings. Invariant: a
 * record longer than its bound is reported once and passed over, never kept.
 */

/** Null: a record was longer than `maxBytes`. The last one needs no line feed. */
export async function* readLines(
  input: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): AsyncGenerator<string | null, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (): string | null => {
    const line = bytes > maxBytes ? null : withoutReturn(Buffer.concat(pieces).toString("utf8"));
    pieces = [];
    bytes = 0;
    return line;
  };
  for await (const given of input) {
    const data =
      typeof given === "string" ? Buffer.from(given) : Buffer.from(given.buffer, given.byteOffset, given.length);
    let from = 0;
    for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, from)) {
      pieces.push(data.subarray(from, at));
      bytes += at - from;
      from = at + 1;
      yield take();
    }
    bytes += data.length - from;
    if (bytes > maxBytes) pieces = [];
    else if (from < data.length) pieces.push(data.subarray(from));
  }
  if (bytes > 0) yield take();
}
const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
