/** Waiting that an abort ends at once. Invariant: a rejected wait leaves no listener and no timer behind. */
import type { Clock } from "@mooring/host/driver";

/** Settles with `work`, or rejects with the signal's reason; `work` goes on unheard then. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel = (): void => {};
  const timer = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  return untilAborted(timer, signal).finally(() => cancel());
}
