/** The machine's time, run faster: for drivers whose waits would make their suite slow. */
import { systemClock } from "../../host/system-clock.ts";
import type { Clock } from "../../ports/clock.ts";

/** A wait of `factor` milliseconds takes one. */
export const hastyClock = (factor: number): Clock => ({
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * factor,
  after: (ms, call) => systemClock.after(ms / factor, call),
});
