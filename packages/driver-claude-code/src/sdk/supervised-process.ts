/**
 * The SDK asks for a process and expects it in the same tick; the supervisor gives one after it is recorded. This
 * stands in between: it takes the SDK's writes at once and passes them on when the child runs. Invariants: every child
 * comes from the supervisor; `exit` is said once, after the child's output was passed on; a child whose output is over,
 * or cannot be read, is ended.
 */
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { PassThrough } from "node:stream";
import { type ChildExit, type ChildHandle, type Clock, type DriverPorts, messageOf } from "@mooring/host/driver";
import { bounded } from "../connection/bounded.ts";
import { limits } from "../limits.ts";
import { AgentOutput } from "./agent-output.ts";
import type { SpawnedProcess, SpawnRequest } from "./sdk.ts";

/** Linux: the child is told of the host's death by the kernel, also while a tool runs. */
const deathSignal = ["/usr/bin/setpriv", "/bin/setpriv"];

type Ports = Pick<DriverPorts, "processes" | "clock">;
type Started = SpawnRequest & { readonly cwd: string; readonly session: string };

export class SupervisedProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new AgentOutput();
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  killed = false;
  /** Resolves when the process is gone, or never came; rejects never. */
  readonly gone: Promise<ChildExit | null>;
  readonly #child: Promise<ChildHandle | null>;

  constructor(ports: Ports, request: Started) {
    super();
    this.stdin.on("error", () => {}); // the child may be gone before it read all
    this.#child = this.#start(ports, request);
    this.gone = this.#child.then((child) => this.#watch(child));
  }

  async #start({ processes, clock }: Ports, request: Started) {
    const { command, args, cwd, session } = request;
    const env = Object.fromEntries(
      Object.entries(request.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const options = { ...wrapped(command, args), cwd, env, purpose: "claude-code", session };
    try {
      const child = await processes.spawn(options);
      child.stdout.pipe(this.stdout);
      this.stdout.once("broken", () => void child.end(0)); // never rejects
      child.stdout.once("end", () => void endLeft(child, clock));
      child.stdin.on("error", () => {});
      this.stdin.pipe(child.stdin);
      child.stderr.resume();
      return child;
    } catch (cause) {
      this.exitCode = 1;
      this.emit("error", cause instanceof Error ? cause : new TypeError(messageOf(cause)));
      this.stdout.end();
      return null;
    }
  }

  async #watch(child: ChildHandle | null): Promise<ChildExit | null> {
    if (child === null) return null;
    const exit = await child.exited;
    this.stdout.end(); // a descendant may hold the pipe for longer
    this.exitCode = exit.code;
    this.signalCode = exit.signal as NodeJS.Signals | null;
    this.emit("exit", exit.code, exit.signal);
    return exit;
  }

  /** Output is left in the child's pipe until `release`: it waits when the pipe is full. */
  async hold(): Promise<void> {
    (await this.#child)?.stdout.unpipe(this.stdout);
  }
  async release(): Promise<void> {
    (await this.#child)?.stdout.pipe(this.stdout);
  }

  /** The SDK's way to end it: the whole tree goes, and its end is awaited by nobody. */
  kill(signal: NodeJS.Signals): boolean {
    this.killed = true;
    this.end(signal === "SIGKILL" ? 0 : limits.endGraceMs).catch(() => {}); // `end` never rejects
    return true;
  }

  /** Resolves when child and descendants are gone. */
  async end(graceMs: number): Promise<void> {
    const child = await this.#child;
    await child?.end(graceMs);
  }
}

/** Its output is over: nobody hears it any more. */
async function endLeft(child: ChildHandle, clock: Clock): Promise<void> {
  const left = child.exited.then(() => true);
  if (!(await bounded(clock, limits.leaveMs, left, false))) await child.end(0);
}

function wrapped(command: string, args: readonly string[]): { readonly command: string; readonly args: string[] } {
  const setpriv = process.platform === "linux" ? deathSignal.find((path) => existsSync(path)) : undefined;
  if (setpriv === undefined) return { command, args: [...args] };
  return { command: setpriv, args: ["--pdeathsig", "SIGTERM", "--", command, ...args] };
}
