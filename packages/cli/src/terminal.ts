/**
 * The process's streams as the commands use them. Invariants: nothing is styled that does not go to a terminal; a
 * reader that goes away (`mooring ... | head`) is no error of ours; standard input is not touched until it is read.
 */
import { fstatSync } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { callerDirectory, type Environment } from "./data-dir.ts";
import { limits } from "./limits.ts";
import { startedAs } from "./started-as.ts";
import { type Look, lookFor } from "./text/look.ts";
import { UsageError } from "./usage-error.ts";

export type LineListener = { line(text: string): void; end(): void };
export type Terminal = {
  readonly env: Environment;
  /** Where the person is. */
  readonly cwd: string;
  /** What the person types in front of a subcommand. */
  readonly command: string;
  /** A person sits at standard input. */
  readonly isInteractive: boolean;
  /** Standard output is a terminal. */
  readonly isScreen: boolean;
  readonly look: Look;
  readonly errorLook: Look;
  out(text: string): void;
  err(text: string): void;
  /** Calls once when nobody reads standard output any more. */
  onBrokenPipe(call: () => void): void;
  /** Each signal that asks this process to end; the returned function gives the signals back. */
  onStop(call: () => void): () => void;
  /** Ends this process at once. */
  exit(code: number): void;
  /** Each line of standard input from now on; the returned function ends it. */
  listen(listener: LineListener): () => void;
  /** Something was meant for us on standard input: a pipe or a file, not a terminal and not /dev/null. */
  hasPipedInput(): boolean;
  /** Standard input as it comes, until its end or the signal. */
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** All of standard input. Throws a `UsageError` when it is too much. */
  readAll(): Promise<string>;
  /** One line that is not shown while it is typed. */
  readSecret(prompt: string): Promise<string>;
};

export function processTerminal(): Terminal {
  const { env, stdin, stdout, stderr } = process;
  stderr.on("error", () => {}); // there is nobody to tell
  const broken: (() => void)[] = [];
  stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") throw cause;
    for (const call of broken.splice(0)) call();
  });
  const cwd = callerDirectory(env, process.cwd());
  const { argv, execPath, execArgv } = process;
  return {
    env,
    cwd,
    command: startedAs({ env, cwd, script: argv[1] ?? "", execPath, execArgv }),
    isInteractive: stdin.isTTY === true,
    isScreen: stdout.isTTY === true,
    look: lookFor(stdout, env),
    errorLook: lookFor(stderr, env),
    out: (text) => void (text !== "" && stdout.write(text)),
    err: (text) => void (text !== "" && stderr.write(text)),
    onBrokenPipe: (call) => broken.push(call),
    onStop: (call) => onStop(call, env),
    exit: (code) => process.exit(code),
    listen,
    hasPipedInput,
    bytes,
    readAll,
    readSecret: (prompt) => (stdin.isTTY ? readHidden(prompt) : readAll()),
  };
}

/** Under npm the terminal's Ctrl-C comes once more, from npm: it counts once. */
function onStop(call: () => void, env: Environment): () => void {
  const sameMs = env["npm_lifecycle_event"] ? limits.sameSignalMs : 0;
  let last = Number.NEGATIVE_INFINITY;
  const hear = (): void => {
    const now = performance.now();
    if (now - last < sameMs) return;
    last = now;
    call();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
}

function hasPipedInput(): boolean {
  if (process.stdin.isTTY) return false;
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false; // standard input is closed
  }
}

function listen(listener: LineListener): () => void {
  // Not readline's own terminal handling: the line discipline of the kernel edits, echoes and makes signals of Ctrl-C.
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on("line", (text) => listener.line(text));
  lines.on("close", () => listener.end());
  return () => {
    lines.removeAllListeners();
    lines.close();
    process.stdin.unref();
  };
}

async function* bytes(signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const stop = (): unknown => process.stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    yield* process.stdin;
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}

async function readAll(): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of process.stdin) {
    const data = Buffer.from(piece as Uint8Array);
    bytes += data.length;
    if (bytes > limits.stdinBytes) {
      throw new UsageError(`Standard input has more than ${limits.stdinBytes} bytes.`, "Send less, or name a file.");
    }
    pieces.push(data);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function readHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  // As a terminal, readline turns the echo off and shows what is typed itself: to nowhere.
  const lines = createInterface({ input: process.stdin, output: new PassThrough().resume(), terminal: true });
  return new Promise((resolve, reject) => {
    lines.once("SIGINT", () => {
      lines.close();
      reject(new UsageError("No key was given.", "Nothing was stored."));
    });
    lines.once("line", (text) => {
      process.stderr.write("\n");
      lines.removeAllListeners();
      lines.close();
      resolve(text);
    });
    lines.once("close", () => resolve(""));
  });
}
