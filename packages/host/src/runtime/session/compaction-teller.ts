/**
 * Compaction as it is told and waited for. Invariants: every `compaction_start` has one `compaction_end`; whoever asked
 * for one hears how that one ended, after its `compaction_end` was told.
 */
import { MooringError, type SessionEvent } from "../../index.ts";
import type { AgentSessionEvent } from "./session-event.ts";

type CompactionEvent = Extract<SessionEvent, { readonly type: "compaction" }>;
type Waiter = { readonly resolve: () => void; readonly reject: (cause: MooringError) => void };
/** What agents call the triggers, in the words of the events. */
const reasons: Readonly<Record<string, string>> = { auto: "threshold" };

export class CompactionTeller {
  readonly #tell: (event: AgentSessionEvent) => Promise<void>;
  readonly #failed: (error: string) => Promise<void>;
  #reason: string | null = null;
  #asked: Waiter | null = null;
  /** A handler of `session_before_compact` said no. */
  #cancelled = false;

  constructor(tell: (event: AgentSessionEvent) => Promise<void>, failed: (error: string) => Promise<void>) {
    this.#tell = tell;
    this.#failed = failed;
  }
  /** A person's compaction was asked for and did not end. */
  get asked(): boolean {
    return this.#asked !== null;
  }
  /** Resolves with the end of the next compaction. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
    });
  }
  /** It was refused: nothing will be told of it. */
  giveUp(cause: unknown): void {
    this.#take()?.reject(asError(cause));
  }
  cancel(): void {
    this.#cancelled = true;
  }
  async take({ state, detail }: CompactionEvent): Promise<void> {
    if (state === "started") {
      this.#reason = reasons[detail] ?? detail;
      return this.#tell({ type: "compaction_start", reason: this.#reason });
    }
    if (this.#reason === null)
      await this.#tell({ type: "compaction_start", reason: this.#asked ? "manual" : "threshold" });
    const reason = this.#reason ?? (this.#asked ? "manual" : "threshold");
    this.#reason = null;
    const aborted = this.#cancelled || state === "stopped";
    this.#cancelled = false;
    const failure = state === "failed" && !aborted ? { errorMessage: detail } : {};
    const willRetry = reason === "overflow" && state === "completed";
    const asked = this.#take();
    await this.#tell({ type: "compaction_end", reason, aborted, willRetry, ...failure });
    if (state === "completed") return asked?.resolve();
    await this.#failed(aborted ? "cancelled" : detail);
    asked?.reject(
      new MooringError(
        aborted ? "compaction-cancelled" : "compaction-failed",
        aborted ? "The compaction was cancelled." : detail,
      ),
    );
  }
  #take(): Waiter | null {
    const asked = this.#asked;
    this.#asked = null;
    return asked;
  }
}
const asError = (cause: unknown): MooringError =>
  MooringError.isInstance(cause) ? cause : new MooringError("compaction-failed", "The compaction failed.", { cause });
