/** Starts one of the scripts beside this file, and ends it by its own pid, at the latest when the test is over. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export type Child = {
  readonly pid: number;
  /** Each line of stdout. Ends with the process. */
  readonly lines: AsyncIterable<string>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
};

export function startChild(script: "writer" | "migrator" | "lock-holder", argument: string): Child {
  const file = fileURLToPath(new URL(`./${script}.ts`, import.meta.url));
  const child = spawn(process.execPath, ["--conditions=source", file, argument], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { pid, stdout } = child;
  onTestFinished(() => killed(child));
  if (pid === undefined || !stdout) throw new TypeError(`${script} did not start`);
  return { pid, lines: createInterface({ input: stdout }), kill: () => killed(child) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** The first line that says `text`. */
export async function heard(child: Child, text: string): Promise<void> {
  for await (const line of child.lines) if (line === text) return;
  throw new TypeError(`the process ended without saying ${text}`);
}
