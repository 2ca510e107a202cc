/**
 * The one ordered writer of a store: collects what is asked for while a flush runs and hands it on as the next one.
 *
 * Invariants: one flush at a time, in call order. Every job settles exactly once, in call order, after its flush. Once
 * a job of a lane (one owner of one session) is refused, everything of that lane that was asked for before the refusal
 * was delivered is refused with the same code: an owner never has a gap in what is stored.
 */
import { messageOf, StoreRefused } from "../protocol/errors.ts";
import type { Epoch, SessionNo } from "../protocol/ids.ts";
import type { StoreLimits } from "./limits.ts";

export type Job<P> = {
  readonly payload: P;
  /** About what it takes in memory until it is durable. */
  readonly bytes: number;
  /** Whose order it is part of; null: nobody's. */
  readonly lane: string | null;
};
export const laneOf = (session: SessionNo, epoch: Epoch): string => `${session}:${epoch}`;

type Entry<J, R> = {
  readonly job: J;
  readonly accept: (result: R) => void;
  readonly refuse: (cause: StoreRefused) => void;
};
/** Takes the jobs to the disk in one transaction; answers each. Rejects with `StoreRefused` when nothing was stored. */
export type Flush<J, R> = (jobs: readonly J[]) => Promise<readonly (R | StoreRefused)[]>;
type Limits = Pick<StoreLimits, "flushMs" | "flushBusyWrites" | "flushBytes" | "batchBytes" | "queuedBytes">;

export class CommitQueue<J extends Job<unknown>, R extends object> {
  readonly #flush: Flush<J, R>;
  readonly #limits: Limits;
  /** `idle`: the next job starts a flush. `planned`: one starts by itself. */
  #state: "idle" | "planned" | "flushing" = "idle";
  #window: NodeJS.Timeout | null = null;
  /** When the newest flush began, monotonic milliseconds. */
  #began = 0;
  #waiting: Entry<J, R>[] = [];
  #bytes = 0;
  /** Lanes with a refusal on its way to their owner. */
  readonly #refusing = new Map<string, StoreRefused>();
  #closing: { readonly done: Promise<void>; readonly resolve: () => void } | null = null;
  #flushes = 0;

  constructor(flush: Flush<J, R>, limits: Limits) {
    this.#flush = flush;
    this.#limits = limits;
  }

  /** Flushes so far, the running one included. */
  get flushes(): number {
    return this.#flushes;
  }

  /** Settles with the promise it returns and no later: nothing may be put between an answer and its owner. */
  add<T>(job: J, pick: (result: R) => T): Promise<T> {
    const refused = this.#refusal(job);
    if (refused) return this.refuse(job.lane, refused);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, accept: (result) => resolve(pick(result)), refuse: reject });
      this.#bytes += job.bytes;
      this.#wake();
    });
  }

  /** What never came to be a job: the rest of its lane must not go on without it either. */
  refuse(lane: string | null, cause: StoreRefused): Promise<never> {
    this.#announce(lane, cause);
    return Promise.reject(cause);
  }

  /** Refuses new jobs from now on; resolves when all accepted ones are settled. Idempotent. */
  close(): Promise<void> {
    if (this.#closing) return this.#closing.done;
    let resolve = (): void => {};
    const done = new Promise<void>((settle) => {
      resolve = settle;
    });
    this.#closing = { done, resolve };
    if (this.#state === "idle") resolve();
    else if (this.#window) this.#start();
    return done;
  }

  #refusal(job: J): StoreRefused | null {
    if (this.#closing) return new StoreRefused("closed", "The store is closed.");
    const earlier = job.lane === null ? undefined : this.#refusing.get(job.lane);
    if (earlier) return earlier;
    const { queuedBytes } = this.#limits;
    // what is larger than the bound itself goes alone: nobody could ever write it otherwise
    if (this.#bytes === 0 || this.#bytes + job.bytes <= queuedBytes) return null;
    return new StoreRefused("busy", `More than ${queuedBytes} bytes wait to be written. Try again later.`);
  }

  #wake(): void {
    if (this.#state === "idle") {
      this.#state = "planned";
      // One tick's writes make one flush.
      queueMicrotask(() => this.#start());
    } else if (this.#window && this.#bytes >= this.#limits.flushBytes) this.#start();
  }

  #start(): void {
    if (this.#window) clearTimeout(this.#window);
    this.#window = null;
    this.#state = "flushing";
    this.#began = performance.now();
    this.#flushes += 1;
    const batch = this.#takeBatch();
    this.#flush(batch.map((entry) => entry.job)).then(
      (answers) => this.#settle(batch, (index) => answers[index]),
      (cause) => {
        const refused = asRefused(cause);
        this.#settle(batch, () => refused);
      },
    );
  }

  #takeBatch(): Entry<J, R>[] {
    let bytes = 0;
    let count = 0;
    for (const { job } of this.#waiting) {
      if (count > 0 && bytes + job.bytes > this.#limits.batchBytes) break;
      bytes += job.bytes;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #settle(batch: readonly Entry<J, R>[], answerOf: (index: number) => R | StoreRefused | undefined): void {
    for (const [index, entry] of batch.entries()) {
      const answer = answerOf(index) ?? new StoreRefused("io", "The store's thread gave no answer.");
      this.#bytes -= entry.job.bytes;
      if (answer instanceof StoreRefused) this.#refuse(entry, answer);
      else entry.accept(answer);
    }
    this.#next();
  }

  #refuse(entry: Entry<J, R>, cause: StoreRefused): void {
    this.#announce(entry.job.lane, cause);
    entry.refuse(cause);
    const { lane } = entry.job;
    if (lane === null) return;
    const later = this.#waiting.filter(({ job }) => job.lane === lane);
    if (later.length === 0) return;
    this.#waiting = this.#waiting.filter(({ job }) => job.lane !== lane);
    for (const { job, refuse } of later) {
      this.#bytes -= job.bytes;
      refuse(cause);
    }
  }

  /** Call right before the rejection: its handlers are the first to run after the lane is open again. */
  #announce(lane: string | null, cause: StoreRefused): void {
    if (lane === null || this.#refusing.has(lane)) return;
    this.#refusing.set(lane, cause);
    queueMicrotask(() => this.#refusing.delete(lane));
  }

  #next(): void {
    if (this.#waiting.length === 0) {
      this.#state = "idle";
      this.#closing?.resolve();
      return;
    }
    const left = this.#began + this.#limits.flushMs - performance.now();
    if (left < 1 || this.#closing || !this.#isBusy()) return this.#start();
    this.#state = "planned";
    // Real time, whatever the host's clock: it only gathers disk work. Keeps the process alive for what it gathers.
    this.#window = setTimeout(() => this.#start(), left);
  }

  #isBusy(): boolean {
    return this.#waiting.length >= this.#limits.flushBusyWrites && this.#bytes < this.#limits.flushBytes;
  }
}

const asRefused = (cause: unknown): StoreRefused =>
  cause instanceof StoreRefused ? cause : new StoreRefused("io", messageOf(cause), cause);
