/** A load at a steady rate: what has fallen due is emitted about every millisecond, never all at once after a pause. */
import { setTimeout as wait } from "node:timers/promises";

/** Events emitted in one go, at most: what is late beyond that is spread over the next ticks. */
const burst = 400;

/** `emit` gets a running number. Resolves with the events per second that were reached. */
export async function steadily(perSecond: number, ms: number, emit: (n: number) => void): Promise<number> {
  const from = performance.now();
  let emitted = 0;
  for (let passed = 0; passed < ms; passed = performance.now() - from) {
    const due = Math.min(Math.floor((passed / 1_000) * perSecond) - emitted, burst);
    for (let n = 0; n < due; n++) emit(emitted++);
    await wait(1);
  }
  return (emitted / (performance.now() - from)) * 1_000;
}
