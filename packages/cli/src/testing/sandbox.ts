/**
 * A place for one test of the real command: its own home, data and workspace. `run` calls it in this process, which costs
 * no start; `start` begins a process of its own, for what only a process can show.
 */
import { AssertionError } from "node:assert";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { NamedPipe } from "@mooring/host/testing";
import { onTestFinished } from "vitest";
import { main as command } from "../run-main.ts";
import { type Ended, type Running, start } from "./running.ts";
import { type TestTerminal, testTerminal } from "./test-terminal.ts";

const main = join(import.meta.dirname, "..", "main.ts");

/** A command that runs in this process. */
export type Here = { readonly terminal: TestTerminal; readonly ended: Promise<number> };
export type Server = Here & { readonly url: string };

export type Sandbox = {
  readonly data: string;
  readonly work: string;
  /** Makes a named pipe in the workspace: whoever opens one end waits for the other. */
  pipe(name: string): NamedPipe;
  /** Starts `mooring ...args`, in the workspace, without a terminal. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** Starts it on a terminal of its own: what is written is typed, what is shown is `out`. */
  startOnTerminal(args: readonly string[]): Running;
  /** Runs it to its end, in this process; `input` is standard input, which is no terminal. */
  run(args: readonly string[], o?: { readonly input?: string; readonly env?: Record<string, string> }): Promise<Ended>;
  /** Runs it in this process with a person at its terminal. */
  sit(args: readonly string[]): Here;
  /** Starts a server in this process; resolves when it is there, and rejects when it is not going to be. */
  serve(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Server>;
};

/** Removed, with what still runs, when the test is over. */
export async function sandbox(): Promise<Sandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "mooring-cli-")));
  const [data, work, home] = [join(root, "data"), join(root, "work"), join(root, "home")];
  const bin = join(root, "bin");
  await Promise.all([work, home, bin].map((directory) => mkdir(directory)));
  // As npm installs it: a link on the path.
  await symlink(main, join(bin, "mooring"));
  const words = [process.execPath, "--conditions=mooring-source", join(bin, "mooring")];
  const started: Running[] = [];
  const servers: Here[] = [];
  onTestFinished(async () => {
    for (const { terminal } of servers) for (const _ of [1, 2]) terminal.stop();
    await Promise.all(servers.map(({ ended }) => ended));
    await Promise.all(started.map((running) => running.kill("SIGKILL")));
    await rm(root, { recursive: true, force: true });
  });
  const path = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
  const base = { PATH: path, HOME: home, MOORING_HOME: data, TERM: "xterm" };
  // What earlier tests compiled: a command starts in half the time.
  const cache = process.env["NODE_COMPILE_CACHE"];
  const ofProgram = { ...base, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) };
  const keep = (running: Running): Running => {
    started.push(running);
    return running;
  };
  const begin: Sandbox["start"] = (args, env = {}) =>
    keep(start([...words, ...args], { cwd: work, env: { ...ofProgram, ...env } }));
  const here = (args: readonly string[], env: Readonly<Record<string, string>>, input?: string): Here => {
    const terminal = testTerminal({ cwd: work, env: { ...base, ...env } }, input);
    return { terminal, ended: command(args, terminal) };
  };
  return {
    data,
    work,
    sit: (args) => here(args, {}),
    async serve(args = [], env = {}) {
      const server = here(["serve", "--port", "0", ...args], env, "");
      servers.push(server);
      const { printed } = server.terminal;
      const early = server.ended.then((code) =>
        Promise.reject(new AssertionError({ message: `${code} ${printed.err}` })),
      );
      const out = await Promise.race([server.terminal.until(/stop +Ctrl-C/), early]);
      early.catch(() => {}); // its end is the test's matter from now on
      return { ...server, url: /http:\/\/\S+/.exec(out)?.[0] ?? "" };
    },
    pipe: (name) => NamedPipe.make(join(work, name)),
    start: begin,
    startOnTerminal: (args) => keep(start(onTerminal([...words, ...args]), { cwd: work, env: ofProgram })),
    async run(args, { input = "", env = {} } = {}) {
      const { terminal, ended } = here(args, env, input);
      return { code: await ended, ...terminal.printed };
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
