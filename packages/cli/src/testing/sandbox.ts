/** A place for one test of the real command: its own home, data and workspace, and the processes it started. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Ended, type Running, start } from "./running.ts";

const main = join(import.meta.dirname, "..", "main.ts");
const command = [process.execPath, "--conditions=mooring-source", main];

export type Sandbox = {
  readonly data: string;
  readonly work: string;
  /** Makes a named pipe in the workspace: whoever opens one end waits for the other. Returns its path. */
  pipe(name: string): string;
  /** Starts `mooring ...args`, in the workspace, without a terminal. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** Starts it on a terminal of its own: what is written is typed, what is shown is `out`. */
  startOnTerminal(args: readonly string[]): Running;
  /** Runs it to its end; `input` is standard input. */
  run(args: readonly string[], o?: { readonly input?: string; readonly env?: Record<string, string> }): Promise<Ended>;
};

/** Removed, with what still runs, when the test is over. */
export async function sandbox(): Promise<Sandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "mooring-cli-")));
  const [data, work, home] = [join(root, "data"), join(root, "work"), join(root, "home")];
  await Promise.all([work, home].map((directory) => mkdir(directory)));
  const started: Running[] = [];
  onTestFinished(async () => {
    await Promise.all(started.map((running) => running.kill("SIGKILL")));
    await rm(root, { recursive: true, force: true });
  });
  const base = { PATH: process.env["PATH"] ?? "", HOME: home, MOORING_HOME: data, TERM: "xterm" };
  const keep = (running: Running): Running => {
    started.push(running);
    return running;
  };
  const begin: Sandbox["start"] = (args, env = {}) =>
    keep(start([...command, ...args], { cwd: work, env: { ...base, ...env } }));
  return {
    data,
    work,
    pipe(name) {
      const path = join(work, name);
      execFileSync("mkfifo", [path]);
      return path;
    },
    start: begin,
    startOnTerminal: (args) => keep(start(onTerminal([...command, ...args]), { cwd: work, env: base })),
    async run(args, { input = "", env = {} } = {}) {
      const running = begin(args, env);
      running.end(input);
      return running.ended;
    },
  };
}

/** `script` gives the command a pseudo-terminal, passes on what is typed, and ends with its status. */
const onTerminal = (words: readonly string[]): readonly string[] => [
  "script",
  "--quiet",
  "--return",
  "--command",
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" "),
  "/dev/null",
];
