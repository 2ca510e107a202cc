/** Starts one process with pipes and exactly the given environment; failures are typed and say what to do. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { SpawnOptions } from "../../ports/processes.ts";
import { messageOf } from "../../protocol/errors.ts";
import { ProcessError } from "./process-error.ts";

export type StartedProcess = ChildProcessWithoutNullStreams & { readonly pid: number };

/**
 * Returns in the same tick when the process runs, so that no stop can miss it; a promise only of the error otherwise.
 * The child stays in the host's process group: closing its stdin is how it learns of the host's death.
 */
export function spawnChild(options: SpawnOptions): StartedProcess | Promise<never> {
  try {
    const child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    if (hasStarted(child)) return child;
    return once(child, "error").then(([cause]) => Promise.reject(failure(options, cause)));
  } catch (cause) {
    return Promise.reject(failure(options, cause));
  }
}

const hasStarted = (child: ChildProcessWithoutNullStreams): child is StartedProcess => child.pid !== undefined;

const temporary = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"]);

function failure(options: SpawnOptions, cause: unknown): ProcessError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (!existsSync(options.cwd)) {
    const message = `cannot start "${options.command}": its directory ${options.cwd} does not exist; create it first`;
    return new ProcessError("directory-missing", message, { cause });
  }
  if (code === "ENOENT") return new ProcessError("command-not-found", notFound(options), { cause });
  const message = `cannot start "${options.command}": ${messageOf(cause)}`;
  return new ProcessError("spawn-failed", message, { retry: temporary.has(code) ? "later" : "never", cause });
}

function notFound({ command, env }: SpawnOptions): string {
  if (existsSync(command)) return `cannot start "${command}": the interpreter in its first line is missing; install it`;
  if (command.includes("/")) return `cannot start "${command}": no such file; install it or correct the path`;
  return `cannot start "${command}": no such command in PATH=${env["PATH"] ?? ""}; install it or give an absolute path`;
}
