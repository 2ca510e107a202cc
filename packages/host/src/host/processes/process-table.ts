/**
 * Who is alive on this machine and whose child it is. Invariants: a zombie is over and not listed; a process is the
 * same one only if pid and start time are, because pids are reused. Linux reads `/proc`, other systems ask `ps`.
 */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { ProcessError } from "./process-error.ts";
import { processLimits } from "./process-limits.ts";

export type ProcessEntry = {
  readonly pid: number;
  readonly ppid: number;
  /** Opaque; equal only for one process. On Linux clock ticks since a boot and that boot's id, else `ps`'s `lstart`. */
  readonly startTime: string;
};
export type ProcessTable = ReadonlyMap<number, ProcessEntry>;

const hasProc = existsSync("/proc/self/stat");
const bootFile = "/proc/sys/kernel/random/boot_id";
const psOptions = {
  env: { PATH: "/usr/bin:/bin", LC_ALL: "C" }, // the date of `lstart` depends on the locale
  encoding: "utf8",
  maxBuffer: processLimits.psBytes,
} as const;
/** Ticks begin again at each boot; the id tells one boot from another. */
const boot = existsSync(bootFile) ? readFileSync(bootFile, "latin1").slice(0, 8) : "";

/** Lists living processes. Rejects with `ProcessError` when the system gives no list. */
export async function readProcessTable(): Promise<ProcessTable> {
  try {
    return await (hasProc ? readFromProc() : readFromPs());
  } catch (cause) {
    const message = "cannot list processes: /proc is not mounted and ps did not run; make one of them available";
    throw new ProcessError("process-list-failed", message, { retry: "later", cause });
  }
}

/** Start time of a child of ours, also when it is over but not reaped yet; `gone` equals no process's. */
export function startTimeOf(pid: number): string {
  if (hasProc) return parseStat(readStat(pid), { zombies: true })?.startTime ?? "gone";
  return spawnSync("ps", ["-o", "lstart=", "-p", `${pid}`], psOptions).stdout?.trim() || "gone";
}

/** Everything below `roots`, children before grandchildren; the roots themselves are left out. */
export function descendantsOf(table: ProcessTable, roots: readonly number[]): readonly ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table.values()) {
    const siblings = children.get(entry.ppid);
    if (siblings) siblings.push(entry);
    else children.set(entry.ppid, [entry]);
  }
  const seen = new Set(roots);
  const below: ProcessEntry[] = [];
  const parents = [...roots];
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    for (const child of children.get(parent) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      below.push(child);
      parents.push(child.pid);
    }
  }
  return below;
}

export async function readFromProc(): Promise<ProcessTable> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const table = new Map<number, ProcessEntry>();
  for (let from = 0; from < pids.length; from += processLimits.statReads) {
    const batch = pids.slice(from, from + processLimits.statReads);
    for (const stat of await Promise.all(batch.map((pid) => readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")))) {
      const entry = parseStat(stat, { zombies: false });
      if (entry) table.set(entry.pid, entry);
    }
  }
  return table;
}

export async function readFromPs(): Promise<ProcessTable> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,stat=,lstart="], psOptions);
  const table = new Map<number, ProcessEntry>();
  for (const line of stdout.split("\n")) {
    const [, pid, ppid, state, startTime] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (!pid || !ppid || !state || !startTime || isOver(state)) continue;
    table.set(Number(pid), { pid: Number(pid), ppid: Number(ppid), startTime });
  }
  return table;
}

/** Gone between the listing and the reading: an empty line. */
function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return "";
  }
}

/** The command's name may hold spaces and parentheses: fields are counted from behind its last one. */
export function parseStat(stat: string, options: { readonly zombies: boolean }): ProcessEntry | undefined {
  const nameEnd = stat.lastIndexOf(")");
  const fields = stat.slice(nameEnd + 2).split(" ");
  const [state, ppid] = fields;
  const ticks = fields[22 - 3];
  if (nameEnd < 0 || !state || !ppid || !ticks || (isOver(state) && !options.zombies)) return undefined;
  return { pid: Number.parseInt(stat, 10), ppid: Number(ppid), startTime: `${ticks}@${boot}` };
}

const isOver = (state: string): boolean => /^[ZX]/.test(state);

/** Shares listings: callers that ask during one get the next, so every answer was read after its question. */
export class ProcessLister {
  #current: Promise<ProcessTable> | undefined;
  #next: Promise<ProcessTable> | undefined;

  read(): Promise<ProcessTable> {
    if (!this.#current) return this.#start();
    this.#next ??= this.#current.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<ProcessTable> {
    this.#next = undefined;
    const current = readProcessTable().finally(() => {
      if (this.#current === current) this.#current = undefined;
    });
    this.#current = current;
    return current;
  }
}
