/**
 * One child from its start to the end of its tree. Invariants:
 * - No output is lost before the owner could listen: pipes are held until `release`, which the owner's `await` follows
 *   within the same tick.
 * - `exited` and `end` always resolve: every wait for a process has a limit, also when SIGKILL has no effect.
 * - A child that exits by itself takes along the descendants that were seen: they are reported and ended.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ChildExit, ChildHandle, SpawnOptions } from "../../ports/processes.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { ProcessRow } from "../../protocol/rows.ts";
import { secretsOf } from "../redact.ts";
import { holdersOf, outputPipesOf } from "./pipe-holders.ts";
import { processLimits } from "./process-limits.ts";
import type { ProcessLister, ProcessTable } from "./process-table.ts";
import { type Ended, endTree, ProcessTree } from "./process-tree.ts";
import { letGo } from "./spawn-child.ts";
import { StderrTail } from "./stderr-tail.ts";

export type ChildPorts = { readonly clock: Clock; readonly log: Log; readonly lister: ProcessLister };
type Exit = Pick<ChildExit, "code" | "signal">;

export class SupervisedChild implements ChildHandle {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly row: ProcessRow;
  readonly exited: Promise<ChildExit>;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ports: ChildPorts;
  readonly #tree: ProcessTree;
  readonly #tail: StderrTail;
  readonly #pipes: readonly string[];
  /** Resolves in the tick of `release`. */
  readonly #released: Promise<void>;
  /** What `release` has to do; empty afterwards. */
  readonly #held: (() => void)[] = [];
  /** Takes the child for gone although no exit came: nothing may wait for ever. */
  #giveUp: () => void = () => {};
  #ending: Promise<ChildExit> | undefined;
  #killAt = Number.POSITIVE_INFINITY;

  constructor(process: ChildProcessWithoutNullStreams, row: ProcessRow, options: SpawnOptions, ports: ChildPorts) {
    this.pid = row.pid;
    this.stdin = process.stdin;
    this.stdout = process.stdout;
    this.stderr = process.stderr;
    this.row = row;
    this.#process = process;
    this.#ports = ports;
    this.#tree = new ProcessTree(row.pid, row.startTime);
    this.#tail = new StderrTail(options.stderrTail ?? processLimits.stderrTailBytes, secretsOf(options.env));
    this.#pipes = outputPipesOf(row.pid);
    this.#released = new Promise((resolve) => this.#held.push(resolve));
    this.#held.push(() => process.stderr.on("data", (chunk: Buffer) => this.#tail.push(chunk)));
    this.#held.push(hold(process.stdout), hold(process.stderr));
    for (const emitter of [process, process.stdin, process.stdout, process.stderr]) {
      emitter.on("error", (cause: unknown) => this.#note("process.pipe-error", { message: messageOf(cause) }));
    }
    const exit = new Promise<Exit>((resolve) => {
      process.once("exit", (code, signal) => resolve({ code, signal }));
      this.#giveUp = () => resolve({ code: null, signal: null });
    });
    this.exited = this.#settle(exit);
  }

  get alive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Lets the command begin and its output flow: call once it is recorded, in the tick in which its owner gets it. */
  release(): void {
    letGo(this.#process);
    for (const action of this.#held.splice(0)) action();
  }

  look(table: ProcessTable): void {
    this.#tree.look(table);
  }

  end(graceMs: number = processLimits.graceMs): Promise<ChildExit> {
    this.release();
    this.#killAt = Math.min(this.#killAt, this.#ports.clock.monotonic() + graceMs);
    this.#ending ??= this.#finish();
    return this.#ending;
  }

  /** Resolves when nothing of the tree is left to end. */
  async over(): Promise<void> {
    await this.exited;
    await this.#ending;
  }

  async #settle(exit: Promise<Exit>): Promise<ChildExit> {
    const how = await exit;
    await this.#released;
    const drained = await atMost(processLimits.drainMs, Promise.all([ended(this.stdout), ended(this.stderr)]));
    const left = await this.#leftBehind({ holders: !drained });
    const survivors = this.#ending ? [] : left;
    this.#note("process.exited", { ...how, survivors });
    if (survivors.length > 0) void this.end();
    return { ...how, stderr: this.#tail.text(), survivors };
  }

  /** Members alive after the exit. With `holders`, also whoever keeps the output pipes from ending. */
  async #leftBehind({ holders }: { readonly holders: boolean }): Promise<readonly number[]> {
    if (!holders && !this.#tree.hasDescendants) return [];
    try {
      const table = await this.#ports.lister.read();
      if (holders) this.#tree.adopt(table, await holdersOf(this.#pipes, [...table.keys()]));
      return this.#tree.look(table).descendants;
    } catch (cause) {
      return this.#unlisted(cause).survivors;
    }
  }

  async #finish(): Promise<ChildExit> {
    const swept = await this.#sweep();
    const exit = await this.exited;
    // The exit may have brought to light who held the pipes.
    const late = this.#tree.hasDescendants ? await this.#sweep() : swept;
    return { ...exit, survivors: [...new Set([...exit.survivors, ...swept, ...late])] };
  }

  /** Ends what is known of the tree; answers with the survivors and the unkillable. */
  async #sweep(): Promise<readonly number[]> {
    const { survivors, remaining } = await endTree(this.#tree, {
      killAt: () => this.#killAt,
      monotonic: () => this.#ports.clock.monotonic(),
      read: () => this.#ports.lister.read(),
    }).catch((cause) => this.#unlisted(cause));
    if (remaining.length > 0) this.#ports.log.error("process.unkillable", { root: this.pid, remaining });
    if (remaining.includes(this.pid)) this.#giveUp();
    return [...survivors, ...remaining];
  }

  /** Without a list of processes only the child itself can be ended safely. */
  #unlisted(cause: unknown): Ended {
    this.#ports.log.error("process.unlisted", { pid: this.pid, message: messageOf(cause) });
    this.#process.kill("SIGKILL");
    return { survivors: [], remaining: [] };
  }

  #note(event: string, fields: Readonly<Record<string, unknown>>): void {
    this.#ports.log.debug(event, { pid: this.pid, purpose: this.row.purpose, ...fields });
  }
}

/** Node throws away unread output at the exit unless someone waits for `readable`. */
function hold(stream: Readable): () => void {
  const waiting = (): void => {};
  stream.on("readable", waiting);
  return () => stream.off("readable", waiting);
}

const ended = (stream: Readable): Promise<void> => finished(stream, { writable: false }).catch(() => {});

/** Whether `work` was done in time. The timer keeps the process alive: what waits for an exit must not be cut short by an empty event loop. */
async function atMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const limit = pause(ms, false, { signal: over.signal }).catch(() => false);
  const done = await Promise.race([work.then(() => true), limit]);
  over.abort();
  return done;
}
