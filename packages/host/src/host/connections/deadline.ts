/** A bounded wait for code that is not ours. What comes later than its deadline is ignored. */
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { messageOf } from "../../protocol/errors.ts";

type Patience<T> = {
  readonly clock: Clock;
  readonly log: Log;
  readonly ms: number;
  /** Named in the log when the work was late or threw. */
  readonly what: string;
  readonly otherwise: T;
};

/** The result of `work`, or `otherwise` when it throws or takes longer than `ms`. Never rejects. */
export async function within<T>(patience: Patience<T>, work: () => Promise<T>): Promise<T> {
  const { clock, log, ms, what, otherwise } = patience;
  let cancel = (): void => {};
  const late = new Promise<T>((resolve) => {
    cancel = clock.after(ms, () => {
      log.warn("hook-late", { what, ms });
      resolve(otherwise);
    });
  });
  try {
    return await Promise.race([work(), late]);
  } catch (cause) {
    log.error("hook-failed", { what, message: messageOf(cause) });
    return otherwise;
  } finally {
    cancel();
  }
}

type Bound = { readonly clock: Clock; readonly ms: number; late(): Error };

/** The result of `work`; rejects with `late()` when it takes longer than `ms`. */
export async function atMost<T>({ clock, ms, late }: Bound, work: () => Promise<T>): Promise<T> {
  let cancel = (): void => {};
  const over = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(late()));
  });
  try {
    return await Promise.race([work(), over]);
  } finally {
    cancel();
  }
}
