/** What all sessions used, grouped, with names for people. */
import type { Store, UsageGroup, UsageQuery } from "../../ports/store.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { UsageTotal } from "../api.ts";
import type { HostContext } from "../host-context.ts";

const groupings: readonly UsageQuery["by"][] = ["day", "agent", "session", "model"];

/** Rejects with `bad-query`. */
export async function usageTotals({ store, agents }: HostContext, q: UsageQuery): Promise<readonly UsageTotal[]> {
  if (!groupings.includes(q.by)) throw bad("by", `Usage is grouped by ${groupings.join(", ")}.`);
  for (const field of ["from", "to"] as const)
    if (q[field] !== undefined && !Number.isSafeInteger(q[field]))
      throw bad(field, "A time is a whole number of milliseconds since 1970.");
  const groups = await store.query.usageTotals(q);
  const titles = q.by === "session" ? await titlesOf(store, groups) : null;
  return groups.map((group) => ({ ...group, name: nameOf(group.key) }));

  function nameOf(key: string): string {
    if (titles !== null) return titles.get(key) ?? key;
    return q.by === "agent" ? (agents.byId(key)?.name ?? "(removed)") : key;
  }
}
/** A session without a title goes by its id. */
async function titlesOf(store: Store, groups: readonly UsageGroup[]): Promise<ReadonlyMap<string, string>> {
  const ids = groups.map(({ key }) => key);
  const { items } = await store.query.sessions({ ids, limit: ids.length });
  return new Map(items.flatMap(({ id, title }) => (title === null ? [] : [[id, title]])));
}
const bad = (field: string, message: string): MooringError =>
  new MooringError("bad-query", message, { detail: { field } });
