/** One stretch of the load over HTTP, as the server and its readers saw it. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Readers, Streams } from "./readers.ts";
import { digits } from "./stats.ts";
import { steadily } from "./steadily.ts";

export type Part = {
  readonly said: number;
  /** What readers got of it. */
  readonly pieces: number;
  readonly perSecond: number;
  /** Milliseconds from the agent to a reader. */
  readonly p50: number;
  readonly p99: number;
  readonly lagMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
  /** Microseconds of CPU of the loop's thread, and of the whole process, for each piece given to a socket. */
  readonly loopUs: number;
  readonly processUs: number;
};
/** Milliseconds between two looks at the loop; what is longer is lag. */
const resolution = 1;

export async function partOf(
  clients: Readers,
  streams: Streams,
  { perSecond, ms }: { readonly perSecond: number; readonly ms: number },
): Promise<Part> {
  const delay = monitorEventLoopDelay({ resolution });
  await clients.seen();
  const [cpu, written] = [process.cpuUsage(), streams.written];
  delay.enable();
  let said = 0;
  const done = await steadily(perSecond, ms, (n) => {
    if (streams.say(n)) said++;
  });
  delay.disable();
  const { user, system } = process.cpuUsage(cpu);
  const given = streams.written - written;
  const { pieces, bytes, p50, p99 } = await clients.seen();
  const { rss, heapUsed } = process.memoryUsage();
  const delivered = Math.max(1, given / (bytes / pieces));
  return {
    said,
    pieces,
    perSecond: done.perSecond,
    p50: p50 / 1_000,
    p99: p99 / 1_000,
    lagMs: Math.max(0, delay.percentile(99) / 1e6 - resolution),
    rssMb: rss / 2 ** 20,
    heapMb: heapUsed / 2 ** 20,
    loopUs: (done.cpuMs * 1_000) / delivered,
    processUs: (user + system) / delivered,
  };
}

export function shown({ perSecond, p50, p99, lagMs, rssMb, heapMb, loopUs, processUs }: Part): string {
  return [
    `${digits(perSecond)}/s`,
    `latency p50 ${digits(p50)} p99 ${digits(p99)} ms`,
    `lag p99 ${digits(lagMs)} ms`,
    `rss ${digits(rssMb)} heap ${digits(heapMb)} MB`,
    `CPU ${digits(loopUs)} (all ${digits(processUs)}) us/piece`,
  ].join("  ");
}
