/** The thread of one search: it gets the request as its data, posts one answer and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { type SearchRequest, type SearchResult, search } from "./search-walk.ts";

export type SearchAnswer = SearchResult | { readonly failed: string };

function answer(request: SearchRequest): SearchAnswer {
  try {
    return search(request);
  } catch (cause) {
    return { failed: cause instanceof Error ? cause.message : String(cause) };
  }
}

parentPort?.postMessage(answer(workerData as SearchRequest));
