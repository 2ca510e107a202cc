/** Runs a program of this folder in a process of its own and reads the one line of JSON it prints. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Milliseconds after which a child is ended. */
const patience = 120_000;

/** `Answer`: what that program prints, by its own word. Rejects when the program fails. */
export async function askChild<Answer>(program: string, args: readonly string[]): Promise<Answer> {
  const flags = ["--conditions=mooring-source", "--expose-gc"];
  const path = join(import.meta.dirname, program);
  const { stdout } = await run(process.execPath, [...flags, path, ...args], { timeout: patience });
  return JSON.parse(stdout) as Answer;
}
