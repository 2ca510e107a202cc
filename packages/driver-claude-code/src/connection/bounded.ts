/** Waits that end. */
import type { Clock } from "@mooring/host/driver";

/** What `work` gives, or `otherwise` when it takes longer than `ms` or rejects. */
export function bounded<T>(clock: Clock, ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(otherwise));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      () => {
        cancel();
        resolve(otherwise);
      },
    );
  });
}
