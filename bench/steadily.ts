/** A load at a steady rate: what has fallen due is emitted about every millisecond, never all at once after a pause. */
import { setTimeout as wait } from "node:timers/promises";

/** Events emitted in one go, at most: what is late beyond that is spread over the next ticks. */
const burst = 400;

type Done = {
  readonly emitted: number;
  /** What was reached. */
  readonly perSecond: number;
  /** Milliseconds of CPU this thread took meanwhile: cost that no neighbour on the machine adds to. */
  readonly cpuMs: number;
};

/** `emit` gets a running number. */
export async function steadily(perSecond: number, ms: number, emit: (n: number) => void): Promise<Done> {
  const from = performance.now();
  const cpu = process.threadCpuUsage();
  let emitted = 0;
  for (let passed = 0; passed < ms; passed = performance.now() - from) {
    const due = Math.min(Math.floor((passed / 1_000) * perSecond) - emitted, burst);
    for (let n = 0; n < due; n++) emit(emitted++);
    await wait(1);
  }
  const { user, system } = process.threadCpuUsage(cpu);
  return { emitted, perSecond: (emitted / (performance.now() - from)) * 1_000, cpuMs: (user + system) / 1_000 };
}
