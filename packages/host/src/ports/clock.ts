/** Time, given to the host so that tests own it. */
import type { Millis } from "../protocol/ids.ts";

export interface Clock {
  /** Wall time; may jump. */
  now(): Millis;
  /** Monotonic milliseconds for durations. */
  monotonic(): number;
  /** Calls once after `ms`; the returned function cancels. Must not keep the process alive by itself. */
  after(ms: number, call: () => void): () => void;
}
