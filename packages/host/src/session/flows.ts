/**
 * What a sub-agent writes under a tool call: a message of its own, outside the branch. It opens at its first chunk and
 * closes once: at its end, when background work is over, or with the connection.
 */
import type { UIMessageChunk } from "../protocol/chunks.ts";
import type { ConnectionNo } from "../protocol/ids.ts";
import type { Outcome } from "../protocol/input.ts";
import type { Draft } from "./draft.ts";
import { closingChunks, trackParts, unknownOutcome } from "./live-parts.ts";
import { liveTurn, nothingLive } from "./look.ts";
import type { Flow } from "./state.ts";

const ends: Readonly<Record<string, Outcome>> = { finish: "completed", abort: "stopped", error: "failed" };

export function flowChunk(d: Draft, connection: ConnectionNo, root: string, chunk: UIMessageChunk): void {
  const end = ends[chunk.type];
  const flow = d.s.flows.find((f) => f.root === root) ?? (end ? null : openFlow(d, connection, root));
  if (!flow) return;
  if (end) return closeFlow(d, flow, end);
  const live = trackParts(flow.live, chunk);
  if (live !== flow.live) replace(d, flow, { ...flow, live });
  d.save({ op: "chunk", to: { flow: flow.no }, chunk });
}
function openFlow(d: Draft, connection: ConnectionNo, root: string): Flow | null {
  if (d.s.flows.length >= d.s.limits.flows) {
    d.violation("flows-overflow");
    return null;
  }
  const no = d.s.flowCount + 1;
  const flow: Flow = { no, root, connection, live: nothingLive };
  d.set({ flowCount: no, flows: [...d.s.flows, flow] });
  d.save({ op: "flow-opened", flow: no, root, turn: liveTurn(d.s)?.no ?? null });
  return flow;
}
function replace(d: Draft, old: Flow, next: Flow): void {
  d.set({ flows: d.s.flows.map((f) => (f === old ? next : f)) });
}
function closeFlow(d: Draft, flow: Flow, status: Outcome): void {
  d.set({ flows: d.s.flows.filter((f) => f.no !== flow.no) });
  for (const chunk of closingChunks(flow.live, unknownOutcome)) d.save({ op: "chunk", to: { flow: flow.no }, chunk });
  d.save({ op: "flow-closed", flow: flow.no, status });
}
/** Nobody will write to any of them again. */
export function closeFlows(d: Draft, status: Outcome): void {
  for (const flow of d.s.flows) closeFlow(d, flow, status);
}
