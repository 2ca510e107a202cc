/**
 * A child and everything it started, kept by id over its life and ended by id alone. Invariants:
 * - A member is listed before anything is signalled: agents put tools in process groups of their own, and whoever loses
 *   its parent hangs below init afterwards, where no listing finds it.
 * - A signal goes only to a pid whose start time was just seen to be the member's; never to a name, a group, or the host.
 */
import { setTimeout as pause } from "node:timers/promises";
import { processLimits } from "./process-limits.ts";
import { descendantsOf, type ProcessTable } from "./process-table.ts";

/** Members alive at a listing. */
export type Living = {
  readonly root: boolean;
  readonly descendants: readonly number[];
  /** Descendants seen earlier that no longer hang below the root: their parent is over (double fork, dead root). */
  readonly escaped: readonly number[];
};
export type Ended = {
  /** Descendants that had escaped or outlived the grace. */
  readonly survivors: readonly number[];
  /** Members that even SIGKILL did not end in time: another user's, or stuck in the kernel. */
  readonly remaining: readonly number[];
};
export type EndTreeOptions = {
  /** The moment of SIGKILL on the clock of `monotonic`; asked anew at each look, so that a second end may shorten it. */
  readonly killAt: () => number;
  readonly monotonic: () => number;
  readonly read: () => Promise<ProcessTable>;
};

export class ProcessTree {
  readonly root: number;
  readonly #rootStart: string;
  /** Start times of the descendants seen alive at the last listing. */
  #descendants = new Map<number, string>();

  constructor(root: number, startTime: string) {
    this.root = root;
    this.#rootStart = startTime;
  }

  get hasDescendants(): boolean {
    return this.#descendants.size > 0;
  }

  /** Takes in processes that belong to the tree although no listing showed them below it. */
  adopt(table: ProcessTable, pids: readonly number[]): void {
    for (const pid of pids) {
      const startTime = table.get(pid)?.startTime;
      if (startTime !== undefined && pid !== this.root) this.#descendants.set(pid, startTime);
    }
  }

  /** Takes in what a listing shows: new descendants of any living member; the dead are forgotten. */
  look(table: ProcessTable): Living {
    const root = table.get(this.root)?.startTime === this.#rootStart;
    const known = [...this.#descendants].filter(([pid, startTime]) => table.get(pid)?.startTime === startTime);
    const roots = root ? [this.root, ...known.map(([pid]) => pid)] : known.map(([pid]) => pid);
    const below = descendantsOf(table, root ? [this.root] : []).map((entry) => entry.pid);
    this.#descendants = new Map(known);
    for (const entry of descendantsOf(table, roots)) this.#descendants.set(entry.pid, entry.startTime);
    const descendants = [...this.#descendants.keys()];
    return { root, descendants, escaped: descendants.filter((pid) => !below.includes(pid)) };
  }
}

/** SIGTERM to all members at once, SIGKILL to who is left at `killAt`. Rejects only when processes cannot be listed. */
export async function endTree(tree: ProcessTree, options: EndTreeOptions): Promise<Ended> {
  let living = tree.look(await options.read());
  const survivors = new Set(living.escaped);
  const asked = new Set<number>();
  while (hasMembers(living) && options.monotonic() < options.killAt()) {
    for (const pid of membersOf(tree, living)) {
      if (!asked.has(pid)) signal(pid, "SIGTERM");
      asked.add(pid);
    }
    await pause(processLimits.checkMs);
    living = tree.look(await options.read());
  }
  for (const pid of living.descendants) survivors.add(pid);
  living = await killAll(tree, living, options);
  return { survivors: [...survivors], remaining: membersOf(tree, living) };
}

async function killAll(tree: ProcessTree, from: Living, options: EndTreeOptions): Promise<Living> {
  const giveUpAt = options.monotonic() + processLimits.killWaitMs;
  let living = from;
  while (hasMembers(living) && options.monotonic() < giveUpAt) {
    for (const pid of membersOf(tree, living)) signal(pid, "SIGKILL");
    await pause(processLimits.checkMs);
    living = tree.look(await options.read());
  }
  return living;
}

const hasMembers = (living: Living): boolean => living.root || living.descendants.length > 0;
const membersOf = (tree: ProcessTree, living: Living): readonly number[] =>
  living.root ? [tree.root, ...living.descendants] : living.descendants;

/** One that ended since it was listed, or is another user's, is found again (or not) by the next look. */
function signal(pid: number, name: NodeJS.Signals): void {
  if (pid <= 1 || pid === process.pid) return;
  try {
    process.kill(pid, name);
  } catch {
    // ESRCH or EPERM: see above.
  }
}
