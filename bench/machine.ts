/** How much of the machine there is to measure on: without it, a figure in milliseconds cannot be judged. */
import { availableParallelism, loadavg } from "node:os";
import { digits } from "./stats.ts";

const busyMs = 200;

/** Of a core, what a thread gets that never waits: 1 on a machine with nothing else to do. */
function shareOfCore(): number {
  const cpu = process.threadCpuUsage();
  const from = performance.now();
  while (performance.now() - from < busyMs);
  const { user, system } = process.threadCpuUsage(cpu);
  return (user + system) / 1_000 / (performance.now() - from);
}

export const machineNow = (): string =>
  `${availableParallelism()} cores, load ${digits(loadavg()[0] ?? 0)}, a busy thread gets ${digits(shareOfCore())} of a core`;
