/**
 * A child as its parent sees it: everything it said, and its death. Invariants: it is signalled by its own pid alone;
 * every wait ends at the latest with the child, and the child at its deadline.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Line, readLine } from "./line.ts";
import type { Order } from "./order.ts";

/** Milliseconds a child may take; then it is killed and what waits for it goes on. */
const deadlineMs = 60_000;
/** Lines and characters of a failed child that are told. */
const toldLines = 8;
const toldChars = 2_000;
const program = fileURLToPath(new URL("./program/program.ts", import.meta.url));

export class Child {
  readonly lines: Line[] = [];
  readonly #process: ChildProcess;
  readonly #over: Promise<void>;
  #errors = "";
  #heard = (): void => {};

  constructor(order: Order) {
    this.#process = spawn(process.execPath, ["--conditions=mooring-source", program, JSON.stringify(order)], {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: deadlineMs,
      killSignal: "SIGKILL",
    });
    const { stdout, stderr, stdin } = this.#process;
    stdin?.on("error", () => {}); // it may be gone
    stderr?.on("data", (text: Buffer) => {
      this.#errors += text.toString();
    });
    const reading = stdout ? this.#read(createInterface({ input: stdout })) : Promise.resolve();
    this.#over = Promise.all([once(this.#process, "exit"), reading]).then(() => {
      this.#heard();
    });
  }

  async #read(lines: AsyncIterable<string>): Promise<void> {
    for await (const text of lines) {
      this.lines.push(readLine(text));
      this.#heard();
    }
  }

  /** True when it said such a line, now or later; false when it ended without. */
  until(matches: (line: Line) => boolean): Promise<boolean> {
    const said = new Promise<boolean>((resolve) => {
      let at = 0;
      this.#heard = () => {
        while (at < this.lines.length) {
          const line = this.lines[at++];
          if (line && matches(line)) resolve(true);
        }
      };
      this.#heard();
    });
    return Promise.race([said, this.#over.then(() => this.lines.some(matches))]);
  }

  goOn(): void {
    this.#process.stdin?.write("go\n");
  }

  /** SIGKILL, unless it is over. Resolves when it is gone and everything it said was read. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#over;
  }

  /** Resolves when it has ended: how, and what it said last, if it did not end well; else null. */
  async ended(): Promise<string | null> {
    await this.#over;
    const { exitCode, signalCode } = this.#process;
    if (exitCode === 0) return null;
    const last = this.lines.slice(-toldLines).map((line) => JSON.stringify(line));
    return [`exit ${exitCode ?? signalCode}`, ...last, this.#errors.slice(-toldChars)].join("\n");
  }
}
