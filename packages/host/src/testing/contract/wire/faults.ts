/** The faults of the wire, each a `Fault`. */
import { type Fault, passLine } from "./wire-tap.ts";

/** Chunks of one flood. */
export const floodLines = 50_000;

/** The agent dies in the middle of its `at`th line. */
export const killAt =
  (at: number): Fault =>
  (line, wire, nth) => {
    if (nth < at) return passLine(line, wire, nth);
    if (nth > at) return;
    wire.write(line.subarray(0, Math.floor(line.length / 2)));
    wire.kill();
  };

/** From its `at`th line on the agent is not heard. */
export const silentFrom =
  (at: number): Fault =>
  (line, wire, nth) => {
    if (nth < at) passLine(line, wire, nth);
  };

/** The agent's output ends before its `at`th line. */
export const closedAt =
  (at: number): Fault =>
  (line, wire, nth) => {
    if (nth < at) passLine(line, wire, nth);
    else if (nth === at) wire.close();
  };

/** Lines that are no record, or of no kind anyone knows. */
const strangers = [
  "Debugger attached.",
  "",
  "null",
  "42",
  "[]",
  "{}",
  '{"type":"mooring-unknown-kind","jsonrpc":"2.0","method":"mooring/unknown","params":{"n":1}}',
];
/** Before every line come strangers and the first half of the line. */
export const noise: Fault = (line, wire, nth) => {
  for (const stranger of strangers) wire.write(`${stranger}\n`);
  wire.write(Buffer.concat([line.subarray(0, Math.floor(line.length / 2)), Buffer.from("\n")]));
  passLine(line, wire, nth);
};

export const twice: Fault = (line, wire, nth) => {
  passLine(line, wire, nth);
  passLine(line, wire, nth);
};

/** The first line that `isText` comes `floodLines` times more. `flooded` is called when they are written. */
export const flood = (isText: (line: Buffer) => boolean, flooded: () => void): Fault => {
  let isOver = false;
  return (line, wire, nth) => {
    passLine(line, wire, nth);
    if (isOver || !isText(line)) return;
    isOver = true;
    const many = Buffer.concat(Array.from({ length: 100 }, () => Buffer.concat([line, Buffer.from("\n")])));
    for (let written = 0; written < floodLines; written += 100) wire.write(many);
    flooded();
  };
};

/** Every line ends with CR LF and an empty line, and comes in pieces of one, two, three … bytes. */
export const pieces: Fault = (line, wire) => {
  const bytes = Buffer.concat([line, Buffer.from("\r\n\n")]);
  for (let from = 0, size = 1; from < bytes.length; from += size++) wire.write(bytes.subarray(from, from + size));
};

/** Two lines come in one read: each waits for the next of the same tick. */
export const inPairs = (): Fault => {
  let waiting: Buffer[] = [];
  return (line, wire) => {
    waiting.push(line, Buffer.from("\n"));
    if (waiting.length > 2) return;
    setImmediate(() => {
      wire.write(Buffer.concat(waiting));
      waiting = [];
    });
  };
};

/** A record of an unknown kind with exactly this many bytes, without its end. */
export function longLine(bytes: number): Buffer {
  const frame = '{"type":"mooring-unknown-kind","pad":""}';
  return Buffer.from(frame.replace('""', `"${"x".repeat(Math.max(0, bytes - frame.length))}"`));
}
