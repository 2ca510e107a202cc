/**
 * Stands between an agent that is a process and its driver, on the agent's output: sees every line, and lets a fault
 * decide what the driver reads instead. Invariants: without a fault the driver reads the agent's bytes as they are, line
 * by line; lines are counted from `arm` on; the driver's side ends when the agent's does.
 */
import { PassThrough } from "node:stream";
import type { ChildHandle } from "../../../ports/processes.ts";

/** What a fault may do at one line. */
export type WireEnd = {
  /** The driver reads these bytes. */
  write(bytes: Uint8Array | string): void;
  /** The agent dies without a word. */
  kill(): void;
  /** The agent's output ends, though it lives. */
  close(): void;
};
/** Called for each line, without its end; `nth` counts from 0. What it does not write the driver never reads. */
export type Fault = (line: Buffer, wire: WireEnd, nth: number) => void;

const lineEnd = Buffer.from("\n");
export const passLine: Fault = (line, wire) => wire.write(Buffer.concat([line, lineEnd]));

export class WireTap {
  /** Lines of the agent since `arm`, as it wrote them. */
  lines: Buffer[] = [];
  #fault: Fault = passLine;
  #wire: WireEnd = { write: () => {}, kill: () => {}, close: () => {} };

  /** From the next line on this fault decides. */
  arm(fault: Fault = passLine): void {
    this.#fault = fault;
    this.lines = [];
  }
  /** The driver reads this now, as if the agent had written it. */
  inject(bytes: Uint8Array | string): void {
    this.#wire.write(bytes);
  }

  /** What the driver is given instead of the child. */
  wrap(child: ChildHandle): ChildHandle {
    const out = new PassThrough();
    out.on("error", () => {}); // the driver may destroy it
    const wire: WireEnd = {
      write: (bytes) => void (out.writable && out.write(bytes)),
      kill: () => void child.end(0), // never rejects
      close: () => void out.end(),
    };
    this.#wire = wire;
    let pieces: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => {
      let from = 0;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        const line = Buffer.concat([...pieces, bytes.subarray(from, at)]);
        pieces = [];
        from = at + 1;
        this.lines.push(line);
        this.#fault(line, wire, this.lines.length - 1);
      }
      if (from < bytes.length) pieces.push(bytes.subarray(from));
    });
    child.stdout.once("end", () => {
      wire.write(Buffer.concat(pieces));
      wire.close();
    });
    return {
      pid: child.pid,
      stdin: child.stdin,
      stdout: out,
      stderr: child.stderr,
      exited: child.exited,
      end: (graceMs) => child.end(graceMs),
    };
  }
}
