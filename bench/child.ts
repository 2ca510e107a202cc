/**
 * Runs a program of this folder in a process of its own and reads the one line of JSON it prints. Modules come out of
 * Node's compile cache, so that no TypeScript is stripped: what a package as built costs, not its sources.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Milliseconds after which a child is ended. */
const patience = 120_000;

type ChildOptions = {
  readonly args: readonly string[] /** A directory; the first run fills it. */;
  readonly cache: string;
};

/** `Answer`: what that program prints, by its own word. Rejects when the program fails. */
export async function askChild<Answer>(program: string, { args, cache }: ChildOptions): Promise<Answer> {
  const flags = ["--conditions=mooring-source", "--expose-gc"];
  const path = join(import.meta.dirname, program);
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const { stdout } = await run(process.execPath, [...flags, path, ...args], { timeout: patience, env });
  return JSON.parse(stdout) as Answer;
}
