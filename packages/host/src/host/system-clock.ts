/**
 * The machine's clock. Its timers never keep the process alive: whoever must outlast an empty event loop (ending a
 * child, flushing a store) holds a handle of its own.
 */
import { performance } from "node:perf_hooks";
import type { Clock } from "../ports/clock.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
