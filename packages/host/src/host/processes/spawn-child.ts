/**
 * Starts one process with pipes and exactly the given environment; failures are typed and say what to do. Invariant: the
 * command itself begins only when a line arrives on its standard input (`letGo`). A host that dies before the child is
 * recorded leaves nothing behind: the gate reads the end of its input and exits.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SpawnOptions } from "../../ports/processes.ts";
import { messageOf } from "../../protocol/errors.ts";
import { ProcessError } from "./process-error.ts";

export type StartedProcess = ChildProcessWithoutNullStreams & { readonly pid: number };

/** What shells add to an environment by themselves. */
const shellVariables = ["PWD", "OLDPWD", "SHLVL", "_"];
const defaultPath = "/usr/bin:/bin";

/**
 * Returns in the same tick when the process runs, so that no stop can miss it; a promise only of the error otherwise.
 * The child leads a session of its own: a Ctrl-C at the host's terminal is the host's to act on (stop, then a grace) and
 * would else end the agent under it, and nothing of it can read that terminal. It learns of the host's death by its stdin.
 */
export function spawnChild(options: SpawnOptions): StartedProcess | Promise<never> {
  if (existsSync(options.cwd) && !isCommand(options))
    return Promise.reject(new ProcessError("command-not-found", notFound(options), {}));
  try {
    const child = spawn("/bin/sh", ["-c", gate(options), options.command, ...options.args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
    if (hasStarted(child)) return child;
    return once(child, "error").then(([cause]) => Promise.reject(failure(options, cause)));
  } catch (cause) {
    return Promise.reject(failure(options, cause));
  }
}
/** The child is recorded: its command may begin. */
export function letGo(process: ChildProcessWithoutNullStreams): void {
  process.stdin.write("\n");
}
/** `read` takes its line byte by byte, so that what follows it is the command's; `exec` keeps pid and start time. */
function gate({ env }: SpawnOptions): string {
  const added = shellVariables.filter((name) => env[name] === undefined);
  return `IFS= read -r _ || exit 0; unset ${added.join(" ")} IFS; exec "$0" "$@"`;
}

const hasStarted = (child: ChildProcessWithoutNullStreams): child is StartedProcess => child.pid !== undefined;

const temporary = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"]);

function isCommand({ command, cwd, env }: SpawnOptions): boolean {
  if (command.includes("/")) return isExecutable(resolve(cwd, command));
  return (env["PATH"] ?? defaultPath)
    .split(":")
    .some((directory) => isExecutable(join(resolve(cwd, directory), command)));
}
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function failure(options: SpawnOptions, cause: unknown): ProcessError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (!existsSync(options.cwd)) {
    const message = `cannot start "${options.command}": its directory ${options.cwd} does not exist; create it first`;
    return new ProcessError("directory-missing", message, { cause });
  }
  const message = `cannot start "${options.command}": ${messageOf(cause)}`;
  return new ProcessError("spawn-failed", message, { retry: temporary.has(code) ? "later" : "never", cause });
}

function notFound({ command, cwd, env }: SpawnOptions): string {
  if (command.includes("/") && existsSync(resolve(cwd, command)))
    return `cannot start "${command}": it is no executable file; set its permission or correct the path`;
  if (command.includes("/")) return `cannot start "${command}": no such file; install it or correct the path`;
  return `cannot start "${command}": no such command in PATH=${env["PATH"] ?? ""}; install it or give an absolute path`;
}
