/**
 * A named pipe between a test and a command it runs: each end waits for the other, so nothing is polled. Invariant: this
 * process never waits in `open`. Node would do so on one of its few threads for files, and when each of them waits for a
 * command that needs a file itself, nothing goes on: a process of its own waits instead.
 */
import { AssertionError } from "node:assert";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

/** Milliseconds an end waits for the other; then it rejects. */
const patienceMs = 30_000;
const run = promisify(execFile);

/** Says so when it has the pipe, and keeps it until its input ends. */
const keep = 'exec 3> "$0" && echo held && read -r _';

/** A pipe that a command reads; what it reads ends with `close`, or with this process. */
export type HeldPipe = { close(): Promise<void> };

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
  /** Resolves when a command reads the pipe: it waits until the handle is closed. */
  async hold(): Promise<HeldPipe> {
    const child = spawn("sh", ["-c", keep, this.path], { stdio: ["pipe", "pipe", "inherit"] });
    const gone = once(child, "exit");
    child.stdin.on("error", () => {}); // it is gone already
    const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    const isHeld = await Promise.race([once(child.stdout, "data").then(() => true), gone.then(() => false)]);
    clearTimeout(timer);
    if (!isHeld) throw new AssertionError({ message: `No command reads ${this.path}.` });
    const close = async (): Promise<void> => {
      child.stdin.end();
      await gone;
    };
    return { close };
  }
}
