/**
 * Every message written to the agent and how far it came, by the key it was written with. Invariant: a state only moves
 * forward, and whoever waits for one hears of it, also when it never comes because the process is gone.
 */
import type { InputId, TurnId } from "@mooring/host/driver";

type State = "written" | "queued" | "started" | "ended";
const order: readonly State[] = ["written", "queued", "started", "ended"];

export type Sent = {
  readonly uuid: string;
  readonly as: "turn" | "steer" | "compaction";
  /** Its own turn, or the one it steers. */
  readonly turnId: TurnId;
  readonly inputId: InputId;
  state: State;
  /** Taken back by us. */
  isWithdrawn: boolean;
};
type Watcher = { readonly uuid: string; readonly state: State; readonly tell: (reached: boolean) => void };

export class Ledger {
  readonly #sent = new Map<string, Sent>();
  /** Keys of all that was written: the agent ignores a second message under one in silence. */
  readonly #keys = new Set<string>();
  #watchers: Watcher[] = [];
  #isOver = false;

  wasWritten(uuid: string): boolean {
    return this.#keys.has(uuid);
  }
  /** A turn that was written and has not begun. */
  get waitingTurn(): Sent | null {
    return [...this.#sent.values()].find(({ as, state }) => as === "turn" && state !== "started") ?? null;
  }

  /** What was written and has not begun, oldest first; and what has. */
  get toBegin(): Sent | null {
    return [...this.#sent.values()].find(({ state }) => state === "written") ?? null;
  }
  endBegun(): void {
    for (const sent of [...this.#sent.values()]) if (sent.state === "started") this.advance(sent, "ended");
  }

  write(entry: Pick<Sent, "uuid" | "as" | "turnId" | "inputId">): Sent {
    const sent: Sent = { ...entry, state: "written", isWithdrawn: false };
    this.#sent.set(entry.uuid, sent);
    this.#keys.add(entry.uuid);
    return sent;
  }

  get(uuid: string): Sent | undefined {
    return this.#sent.get(uuid);
  }
  /** Steers the agent has and has not taken, in their order. */
  get heldSteers(): readonly Sent[] {
    return [...this.#sent.values()].filter(
      ({ as, state }) => as === "steer" && (state === "written" || state === "queued"),
    );
  }

  /** False: it had come so far already. */
  advance(sent: Sent, state: State): boolean {
    if (order.indexOf(state) <= order.indexOf(sent.state)) return false;
    sent.state = state;
    if (state === "ended") this.#sent.delete(sent.uuid);
    this.#tell();
    return true;
  }

  /** Resolves when the message came so far, or further; false: it never will. */
  reaches({ uuid }: Sent, state: State): Promise<boolean> {
    return new Promise((tell) => {
      this.#watchers.push({ uuid, state, tell });
      this.#tell();
    });
  }

  /** The process is gone. */
  end(): void {
    this.#isOver = true;
    this.#tell();
  }

  #tell(): void {
    const waiting = this.#watchers;
    this.#watchers = [];
    for (const watcher of waiting) {
      const state = this.#sent.get(watcher.uuid)?.state ?? "ended";
      if (order.indexOf(state) >= order.indexOf(watcher.state)) watcher.tell(true);
      else if (this.#isOver) watcher.tell(false);
      else this.#watchers.push(watcher);
    }
  }
}
