/** What all sessions used, grouped, with names for people. */
import type { UsageQuery } from "../../ports/store.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { UsageTotal } from "../api.ts";
import type { HostContext } from "../host-context.ts";

const groupings: readonly UsageQuery["by"][] = ["day", "agent", "model"];

/** Rejects with `bad-query`. */
export async function usageTotals({ store, agents }: HostContext, q: UsageQuery): Promise<readonly UsageTotal[]> {
  if (!groupings.includes(q.by)) throw bad("by", `Usage is grouped by ${groupings.join(", ")}.`);
  for (const field of ["from", "to"] as const)
    if (q[field] !== undefined && !Number.isSafeInteger(q[field]))
      throw bad(field, "A time is a whole number of milliseconds since 1970.");
  const groups = await store.query.usageTotals(q);
  return groups.map((group) => ({ ...group, name: nameOf(group.key) }));

  function nameOf(key: string): string {
    return q.by === "agent" ? (agents.byId(key)?.name ?? "(removed)") : key;
  }
}
const bad = (field: string, message: string): MooringError =>
  new MooringError("bad-query", message, { detail: { field } });
