/**
 * Runs a search in a thread of its own, so that a large tree or a pattern that backtracks for ever holds up nobody.
 * Invariant: the thread is gone when the call ends, by its answer, the time limit or a stop.
 */
import { Worker } from "node:worker_threads";
import type { Clock } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import type { SearchRequest, SearchResult } from "./search-walk.ts";
import type { SearchAnswer } from "./search-worker.ts";
import { ToolFailure } from "./tool-failure.ts";

// Built code has the worker beside it under the name the compiler gave it.
const workerFile = new URL(import.meta.url.endsWith(".ts") ? "search-worker.ts" : "search-worker.js", import.meta.url);

/** Rejects with `ToolFailure`, or with the signal's reason. */
export async function runSearch(request: SearchRequest, clock: Clock, signal: AbortSignal): Promise<SearchResult> {
  signal.throwIfAborted();
  const worker = new Worker(workerFile, {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: limits.searchMemoryMb },
  });
  const end = { clear: (): void => {} };
  try {
    const answer = await new Promise<SearchAnswer>((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason);
      const late = (): void =>
        reject(new ToolFailure(`The search took longer than ${limits.searchMs / 1_000} seconds.`));
      const cancel = clock.after(limits.searchMs, late);
      end.clear = () => {
        cancel();
        signal.removeEventListener("abort", onAbort);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      worker.once("message", resolve);
      worker.once("error", (cause) => reject(new ToolFailure(`The search failed: ${cause.message}`, cause)));
      worker.once("exit", () => reject(new ToolFailure("The search ended without a result.")));
    });
    if ("failed" in answer) throw new ToolFailure(`The search failed: ${answer.failed}`);
    return answer;
  } finally {
    end.clear();
    await worker.terminate();
  }
}

/** The result as the model reads it. */
export function shownHits({ hits, cut }: SearchResult, nothing: string): string {
  if (hits.length === 0) return cut === null ? nothing : `${nothing} [${cut}]`;
  return [...hits, ...(cut === null ? [] : [`[${cut}]`])].join("\n");
}
