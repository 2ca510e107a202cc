/** A process of a test. Nothing is polled: whoever waits for output is called when it comes. */
import { AssertionError } from "node:assert";
import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };
export type Running = {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output has it, with all of the output so far; rejects when the process ended without. */
  until(pattern: RegExp): Promise<string>;
  /** Writes to standard input. */
  write(text: string): void;
  /** Writes, and ends standard input. */
  end(text?: string): void;
  /** Reads no more of standard output: the next write of the process fails. */
  closeOutput(): void;
  /** Sends the signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ended>;
  /** Sends the signal. */
  signal(signal: NodeJS.Signals): void;
};

export function start([command = "", ...args]: readonly string[], { cwd, env }: Place): Running {
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const text = { out: "", err: "" };
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  for (const [stream, name] of [[child.stdout, "out"] as const, [child.stderr, "err"] as const]) {
    const decoder = new StringDecoder("utf8");
    stream.on("data", (bytes: Buffer) => {
      text[name] += decoder.write(bytes);
      tell();
    });
  }
  child.stdin.on("error", () => {}); // it ended before it read everything
  let isOver = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      isOver = true;
      tell();
      resolve({ code, ...text });
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(text.out)) resolve(text.out);
          else if (isOver)
            reject(new AssertionError({ message: `It ended without ${pattern}:\n${text.out}\n${text.err}` }));
          else return;
          watchers.delete(look);
        };
        watchers.add(look);
        look();
      }),
    write: (typed) => child.stdin.write(typed),
    end: (typed = "") => child.stdin.end(typed),
    closeOutput: () => child.stdout.destroy(),
    signal: (signal) => child.kill(signal),
    async kill(signal) {
      if (!isOver) child.kill(signal);
      return ended;
    },
  };
}
