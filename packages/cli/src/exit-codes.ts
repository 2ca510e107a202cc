/** What the command's exit status means: part of its interface. */
import type { Outcome } from "@mooring/host";

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  /** 128 and the number of the signal, as a shell has it. */
  hangup: 129,
  stopped: 130,
  brokenPipe: 141,
  terminated: 143,
} as const;

export function exitCodeOf(outcome: Outcome | null): number {
  switch (outcome) {
    case "failed":
    case "interrupted":
      return exitCodes.failed;
    case "stopped":
      return exitCodes.stopped;
    default:
      return exitCodes.done;
  }
}
