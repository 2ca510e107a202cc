/** A session of which nothing is stored but its row: where tests and benchmarks of the core begin. */
import type { StoredFacts } from "../session/stored-facts.ts";

export const nothingStored: StoredFacts = {
  inputs: [],
  openTurns: [],
  openMessages: [],
  openFlows: [],
  openApprovals: [],
  lastTurn: 0,
  lastFlow: 0,
  compacting: false,
  token: null,
  continuation: null,
};
