/**
 * Owns every child process of a host. Invariants:
 * - A child is recorded, with pid and start time, before its owner gets it; the record goes when its tree is over.
 * - After `stop` nothing starts, and everything that was started is over or reported as unkillable.
 * - A process recorded by a dead host is touched only while pid and start time both are the recorded ones.
 *
 * A host that is killed cannot end its children. They see their stdin close; those that ignore it are ended by the next
 * host of the same data directory (`endOrphans`).
 */
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ChildHandle, Processes, SpawnOptions } from "../../ports/processes.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { ProcessRow } from "../../protocol/rows.ts";
import { ProcessError } from "./process-error.ts";
import { processLimits } from "./process-limits.ts";
import { ProcessLister, startTimeOf } from "./process-table.ts";
import { endTree, ProcessTree } from "./process-tree.ts";
import { type StartedProcess, spawnChild } from "./spawn-child.ts";
import { SupervisedChild } from "./supervised-child.ts";

/** Where children are remembered across the death of a host. */
export interface ProcessRecord {
  /** Durable when it resolves. */
  started(row: ProcessRow): Promise<void>;
  ended(pid: number, startTime: string): Promise<void>;
}
export type SupervisorOptions = {
  readonly clock: Clock;
  readonly log: Log;
  readonly record: ProcessRecord;
  /** Stored with each child; default this process. */
  readonly hostPid?: number;
};
export interface Supervisor extends Processes {
  /** Ends all children and their descendants in parallel: SIGTERM, `graceMs` (default 2 000), SIGKILL. Never rejects. */
  stop(graceMs?: number): Promise<void>;
  /**
   * For the start of a host: ends the processes a dead one recorded, with their descendants, and removes their rows.
   * A pid that is free or was given to another process is left alone. Resolves with the rows of those it ended.
   */
  endOrphans(rows: readonly ProcessRow[], graceMs?: number): Promise<readonly ProcessRow[]>;
}

export const createSupervisor = (options: SupervisorOptions): Supervisor => new HostSupervisor(options);

type Kept = {
  readonly child: SupervisedChild;
  /** Resolves when its tree is over and its row is gone. */
  readonly forgotten: Promise<void>;
};

class HostSupervisor implements Supervisor {
  readonly #options: SupervisorOptions;
  readonly #lister = new ProcessLister();
  readonly #children = new Map<number, Kept>();
  #phase: "open" | "stopped" = "open";
  /** Cancels the armed listing; absent while none is armed. */
  #cancelLook: (() => void) | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    this.#admit(options.command);
    const started = spawnChild(options);
    const child = this.#keep(started instanceof Promise ? await started : started, options);
    try {
      await this.#options.record.started(child.row);
    } catch (cause) {
      await child.end(0);
      const message = `"${options.command}" was ended because it could not be recorded: ${messageOf(cause)}`;
      throw new ProcessError("process-unrecorded", message, { retry: "later", cause });
    }
    child.release();
    return child;
  }

  list(): ReturnType<Processes["list"]> {
    const living = [...this.#children.values()].filter(({ child }) => child.alive);
    return living.map(({ child: { row } }) => {
      return { pid: row.pid, purpose: row.purpose, session: row.sessionId, startedAt: row.startedAt };
    });
  }

  async stop(graceMs: number = processLimits.graceMs): Promise<void> {
    this.#phase = "stopped";
    await Promise.all(
      [...this.#children.values()].map(async ({ child, forgotten }) => {
        await child.end(graceMs);
        await forgotten;
      }),
    );
  }

  async endOrphans(
    rows: readonly ProcessRow[],
    graceMs: number = processLimits.graceMs,
  ): Promise<readonly ProcessRow[]> {
    const table = await this.#lister.read();
    const foreign = rows.filter((row) => this.#children.get(row.pid)?.child.row.startTime !== row.startTime);
    const ends = foreign.map((row) => this.#endOrphan(row, table.get(row.pid)?.startTime === row.startTime, graceMs));
    return (await Promise.all(ends)).flat();
  }

  async #endOrphan(row: ProcessRow, alive: boolean, graceMs: number): Promise<readonly ProcessRow[]> {
    const { clock, log } = this.#options;
    if (!alive) {
      await this.#unrecord(row);
      return [];
    }
    const killAt = clock.monotonic() + graceMs;
    const { survivors, remaining } = await endTree(new ProcessTree(row.pid, row.startTime), {
      killAt: () => killAt,
      monotonic: () => clock.monotonic(),
      read: () => this.#lister.read(),
    });
    log.warn("process.orphan-ended", { pid: row.pid, purpose: row.purpose, survivors, remaining });
    if (remaining.includes(row.pid)) return [];
    await this.#unrecord(row);
    return [row];
  }

  #admit(command: string): void {
    if (this.#phase === "stopped") {
      const message = `cannot start "${command}": the host is shutting down; start it again after a restart`;
      throw new ProcessError("supervisor-stopped", message, { retry: "later" });
    }
    if (this.#children.size >= processLimits.children) {
      const message = `cannot start "${command}": ${this.#children.size} processes are running already; end one first`;
      throw new ProcessError("too-many-processes", message, { retry: "later" });
    }
  }

  #keep(process: StartedProcess, options: SpawnOptions): SupervisedChild {
    const { clock, log } = this.#options;
    const row: ProcessRow = {
      pid: process.pid,
      startTime: startTimeOf(process.pid),
      purpose: options.purpose,
      sessionId: options.session ?? null,
      hostPid: this.#options.hostPid ?? globalThis.process.pid,
      startedAt: clock.now(),
    };
    const child = new SupervisedChild(process, row, options, { clock, log, lister: this.#lister });
    this.#children.set(row.pid, { child, forgotten: this.#forget(child) });
    this.#armLook();
    return child;
  }

  /** A row outlives only a child that could not be ended: the next host tries again. */
  async #forget(child: SupervisedChild): Promise<void> {
    await child.over();
    if (child.alive) return;
    if (this.#children.get(child.pid)?.child === child) this.#children.delete(child.pid);
    if (this.#children.size === 0) this.#cancelLook?.();
    await this.#unrecord(child.row);
  }

  async #unrecord(row: ProcessRow): Promise<void> {
    await this.#options.record.ended(row.pid, row.startTime).catch((cause) => {
      this.#options.log.warn("process.record-kept", { pid: row.pid, message: messageOf(cause) });
    });
  }

  /** Descendants are noted while their parents live: afterwards nobody could tell whose they are. */
  #armLook(): void {
    if (this.#cancelLook || this.#children.size === 0) return;
    const disarm = this.#options.clock.after(processLimits.lookMs, () => {
      this.#cancelLook = undefined;
      void this.#look();
    });
    this.#cancelLook = () => {
      this.#cancelLook = undefined;
      disarm();
    };
  }

  async #look(): Promise<void> {
    try {
      const table = await this.#lister.read();
      for (const { child } of this.#children.values()) child.look(table);
    } catch (cause) {
      this.#options.log.warn("process.unlisted", { message: messageOf(cause) });
    }
    this.#armLook();
  }
}
