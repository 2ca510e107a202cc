/** A branch from its beginning, although the store gives one back to its last compaction only. */
import type { Store } from "../../ports/store.ts";
import type { MessageId, SessionNo } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";

/** Oldest first, entries included; empty for null. */
export async function wholeBranch(
  { query }: Store,
  session: SessionNo,
  leaf: MessageId | null,
): Promise<readonly MessageRow[]> {
  const stretches: (readonly MessageRow[])[] = [];
  for (let from = leaf; from !== null; ) {
    const stretch = await query.branch(session, from);
    stretches.push(stretch);
    from = stretch[0]?.parentId ?? null;
  }
  return stretches.reverse().flat();
}
