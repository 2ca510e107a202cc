/**
 * The conversation as a driver with host history is given it: the branch from its last compaction, oldest first. What
 * the compaction does not cover stands behind it, wherever it was said. The turn that runs is left out: its input is
 * sent. A turn that goes on where it waited is given whole.
 */
import type { HistoryEntry } from "../../ports/driver.ts";
import type { Store } from "../../ports/store.ts";
import type { CompactionDone } from "../../protocol/agent-events.ts";
import type { UIMessage } from "../../protocol/chunks.ts";
import type { MessageId, SessionNo, TurnId } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";

/** Compactions looked behind for messages that none of them covers. */
const maxDepth = 8;

type HistoryQuery = {
  readonly store: Store;
  readonly session: SessionNo;
  /** Turns whose messages are left out. */
  readonly without: readonly TurnId[];
  /** Content of messages that are still open: their rows have none. */
  openMessage(id: MessageId): UIMessage | null;
};

export async function readHistory(query: HistoryQuery): Promise<readonly HistoryEntry[]> {
  const branch = await query.store.query.branch(query.session);
  const entry = branch[0];
  const uncovered = entry && isCompaction(entry) ? await behind(query, entry, maxDepth) : [];
  const spoken = [...uncovered, ...branch.filter((row) => !isCompaction(row))];
  const done = entry && isCompaction(entry) ? doneOf(entry) : null;
  const messages = spoken.flatMap((row) => messageOf(query, row));
  return [...(done === null ? [] : [{ kind: "compaction", done } as const]), ...messages];
}
/** Messages before an entry that it does not cover. */
async function behind(query: HistoryQuery, entry: MessageRow, depth: number): Promise<readonly MessageRow[]> {
  const { covers } = doneOf(entry);
  if (covers === null || entry.parentId === null || depth === 0) return [];
  const branch = await query.store.query.branch(query.session, entry.parentId);
  const at = branch.findIndex((row) => row.id === covers);
  const spoken = branch.slice(at + 1).filter((row) => !isCompaction(row));
  const first = branch[0];
  if (at >= 0 || first === undefined || !isCompaction(first)) return spoken;
  return [...(await behind(query, { ...first, metadata: { ...doneOf(first), covers } }, depth - 1)), ...spoken];
}
const isCompaction = (row: MessageRow): boolean => row.kind === "entry" && row.label === "compaction";
/** The scribe wrote it: see `compactionRow`. */
const doneOf = (row: MessageRow): CompactionDone => row.metadata as CompactionDone;

function messageOf(query: HistoryQuery, row: MessageRow): readonly HistoryEntry[] {
  const isTold = row.kind === "entry" && row.role === "user";
  if ((row.kind !== "message" && !isTold) || (row.turnId !== null && query.without.includes(row.turnId))) return [];
  const stored: UIMessage = {
    id: row.id,
    role: row.role,
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
    parts: [...row.parts],
  };
  const message = row.status === "open" ? query.openMessage(row.id) : stored;
  return message === null || message.parts.length === 0 ? [] : [{ kind: "message", message }];
}
