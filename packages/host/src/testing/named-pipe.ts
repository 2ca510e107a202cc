/**
 * A named pipe between a test and a command it runs: each end waits for the other, so nothing is polled. Invariant: this
 * process never waits in `open`. Node would do so on one of its few threads for files, and when each of them waits for a
 * command that needs a file itself, nothing goes on: a process of its own waits instead.
 */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

/** Milliseconds an end waits for the other; then it rejects. */
const patienceMs = 30_000;
const run = promisify(execFile);

export class NamedPipe {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }
  static make(path: string): NamedPipe {
    execFileSync("mkfifo", [path]);
    return new NamedPipe(path);
  }

  /** Resolves with what a command wrote, once it has written and closed its end. */
  async read(): Promise<string> {
    return (await run("cat", [this.path], { timeout: patienceMs, killSignal: "SIGKILL" })).stdout;
  }
  /** Resolves when a command that reads the pipe was given the text. */
  async write(text = "go\n"): Promise<void> {
    const script = 'printf %s "$1" > "$0"';
    await run("sh", ["-c", script, this.path, text], { timeout: patienceMs, killSignal: "SIGKILL" });
  }
}
