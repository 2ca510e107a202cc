/** Holds and the agent's configuration: facts from outside that every decision reads. */
import type { Draft } from "./draft.ts";
import type { Command } from "./events.ts";

type Of<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Counted by name: a reason ends with its last release. */
export function changeHolds(d: Draft, e: Of<"hold" | "unhold">): void {
  const count = (d.s.holds[e.reason] ?? 0) + (e.type === "hold" ? 1 : -1);
  const { [e.reason]: _, ...others } = d.s.holds;
  d.set({ holds: count > 0 ? { ...others, [e.reason]: count } : others });
}
export function changeTarget(d: Draft, e: Of<"target">): void {
  if (e.target.revision <= d.s.target.revision) return;
  d.set({ target: { ...e.target, tighten: e.tighten || d.s.target.tighten } });
}
