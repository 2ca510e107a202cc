/** The agent's side of one session of the scripted fake: what was asked of its model, what its tools did, its memory. */

/** One thing said in a conversation, as the model is given it. `key`: of the input it came with. */
export type Said = { readonly who: string; readonly text: string; readonly key?: string };

export class FakeWorld {
  readonly model: string;
  readonly otherModel: string;
  asked: { readonly text: string; readonly model: string } = { text: "", model: "" };
  readonly traces: string[] = [];
  /** Native conversations, each as it was at its token. */
  readonly conversations = new Map<string, readonly Said[]>();
  /** Begins a turn of the agent's own. */
  begin: () => void = () => {};
  /** Ends the work a turn left behind. */
  finish: () => void = () => {};
  heldRuns = 0;
  readonly #started = Promise.withResolvers<void>();
  readonly #gate = Promise.withResolvers<void>();

  constructor(model: string) {
    this.model = model;
    this.otherModel = `${model}-other`;
  }

  ran(trace: string): number {
    return this.traces.filter((left) => left === trace).length;
  }
  get started(): Promise<void> {
    return this.#started.promise;
  }
  release(): void {
    this.#gate.resolve();
  }
  /** The held tool: at work until it is released or its turn is stopped. */
  async hold(signal: AbortSignal): Promise<void> {
    this.heldRuns++;
    this.#started.resolve();
    try {
      await untilStopped(this.#gate.promise, signal);
    } finally {
      this.heldRuns--;
    }
  }
}

/** Settles with `work`, or rejects with the signal's reason. */
export function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
