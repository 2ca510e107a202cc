/**
 * Finds who inherited a child's output: a process left behind before any listing saw it, whose parent is over, is still
 * known by the pipe it holds. Reads `/proc`; other systems, and a child that is over before its pipes were read, give no
 * answer: then only listed descendants are known.
 */
import { readlinkSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { processLimits } from "./process-limits.ts";

const outputs = [1, 2];

/** The names of a running child's output pipes, the same in every process that holds them. */
export function outputPipesOf(pid: number): readonly string[] {
  return outputs.flatMap((descriptor) => {
    try {
      return [readlinkSync(descriptorPath(pid, descriptor))];
    } catch {
      return []; // over already, or no /proc here
    }
  });
}

/** Those of `pids` that write to one of `pipes`. */
export async function holdersOf(pipes: readonly string[], pids: readonly number[]): Promise<readonly number[]> {
  const holders: number[] = [];
  for (let from = 0; from < pids.length; from += processLimits.statReads) {
    const batch = pids.slice(from, from + processLimits.statReads);
    const held = await Promise.all(batch.map((pid) => holdsOneOf(pipes, pid)));
    holders.push(...batch.filter((_pid, index) => held[index]));
  }
  return holders;
}

async function holdsOneOf(pipes: readonly string[], pid: number): Promise<boolean> {
  const names = outputs.map((descriptor) => readlink(descriptorPath(pid, descriptor)).catch(() => ""));
  return (await Promise.all(names)).some((name) => pipes.includes(name));
}

const descriptorPath = (pid: number, descriptor: number): string => `/proc/${pid}/fd/${descriptor}`;
