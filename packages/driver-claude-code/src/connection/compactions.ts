/** Compactions that were asked for: one at a time, and whoever asked hears how it ended. */
import { type ConnectInput, MooringError } from "@mooring/host/driver";

type Waiting = { readonly resolve: () => void; readonly reject: (error: MooringError) => void };

export class Compactions {
  readonly #input: Pick<ConnectInput, "hooks">;
  #waiting: Waiting | null = null;
  #asked: "go" | null = null;

  constructor(input: Pick<ConnectInput, "hooks">) {
    this.#input = input;
  }

  get isRunning(): boolean {
    return this.#waiting !== null;
  }

  /** Rejects with `compaction-cancelled`. */
  async askHook(): Promise<void> {
    if ((await this.#input.hooks.beforeCompaction()) === "cancel")
      throw new MooringError("compaction-cancelled", "A hook of the host said no.");
    this.#asked = "go";
  }
  /** The agent is about to compact: false when it must not. One that was asked for was decided already. */
  async mayCompact(trigger: "manual" | "auto"): Promise<boolean> {
    if (trigger === "manual" && this.#asked === "go") return true;
    return (await this.#input.hooks.beforeCompaction()) === "go";
  }

  /** Resolves when it is over; rejects when there was nothing to do. */
  begin(): Promise<void> {
    const over = new Promise<void>((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    over.catch(() => {}); // who asked may have heard of a failure before
    return over;
  }
  ended(hasWorked: boolean, text: string): void {
    const waiting = this.#take();
    if (hasWorked) waiting?.resolve();
    else waiting?.reject(new MooringError("nothing-to-compact", text || "Claude Code had nothing to compact."));
  }
  fail(message: string): void {
    this.#take()?.reject(new MooringError("compaction-failed", message, { retry: "later" }));
  }

  #take(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#asked = null;
    return waiting;
  }
}
