/** A terminal without a process: what is printed is kept, standard input is a text, nobody sits at it. */

import { EventEmitter, once } from "node:events";
import type { Environment } from "../data-dir.ts";
import type { LineListener, Terminal } from "../terminal.ts";
import { lookFor } from "../text/look.ts";

type Place = { readonly cwd: string; readonly env: Environment };
export type TestTerminal = Terminal & {
  readonly printed: { readonly out: string; readonly err: string };
  /** Types a line, as a person would; nobody sits there until the first. */
  type(line: string): void;
  /** A signal. */
  stop(): void;
  /** Resolves when standard output has it. */
  until(pattern: RegExp): Promise<string>;
};

/** `input`: all of standard input; undefined: it is a terminal, and lines are typed. */
export function testTerminal({ cwd, env }: Place, input?: string): TestTerminal {
  const printed = { out: "", err: "" };
  const changes = new EventEmitter().setMaxListeners(0);
  const stops = new Set<() => void>();
  const listeners = new Set<LineListener>();
  const plain = lookFor(process.stdout, { NO_COLOR: "1" });
  const print = (where: "out" | "err", text: string): void => {
    printed[where] += text;
    changes.emit("print");
  };
  return {
    ...{ env, cwd, command: "mooring", printed },
    isInteractive: input === undefined,
    isScreen: input === undefined,
    look: plain,
    errorLook: plain,
    out: (text) => print("out", text),
    err: (text) => print("err", text),
    onBrokenPipe: () => {},
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onStop: (call) => {
      stops.add(call);
      return () => stops.delete(call);
    },
    exit: (code) => print("err", `exit ${code}\n`),
    hasPipedInput: () => input !== undefined && input !== "",
    bytes: async function* () {
      yield Buffer.from(input ?? "");
    },
    readAll: () => Promise.resolve(input ?? ""),
    readSecret: () => Promise.resolve(input ?? ""),
    type: (line) => {
      for (const listener of listeners) listener.line(line);
    },
    stop: () => {
      for (const stop of stops) stop();
    },
    async until(pattern) {
      while (!pattern.test(printed.out)) await once(changes, "print");
      return printed.out;
    },
  };
}
