/**
 * The rows of a branch as another session has them. Invariants: ids are new and `originId` names the old ones; each row
 * hangs on the one before; what a compaction covers is named by its copy; nothing refers to turns or inputs of the
 * session it was copied from.
 */
import type { Ids } from "../../ports/ids.ts";
import type { MessageId } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";

/** `native`: places in the agent's own history stay known, each with the token of the native session it is in. */
export function copyBranch(branch: readonly MessageRow[], ids: Ids, native: boolean): readonly MessageRow[] {
  const copies = new Map(branch.map((row) => [row.id, ids.make("msg")]));
  let parentId: MessageId | null = null;
  return branch.map((row) => {
    const id = copies.get(row.id) ?? ids.make("msg");
    const copy: MessageRow = {
      ...row,
      id,
      parentId,
      originId: row.id,
      ordinal: null,
      turnId: null,
      inputId: null,
      metadata: copiedMetadata(row, copies),
      ...(native ? {} : { resumeToken: null, anchor: null }),
    };
    parentId = id;
    return copy;
  });
}

/**
 * Metadata with the ids in it that the host itself wrote: the input of a user message (with its client's id, which is no
 * name in another session), and what a compaction covers.
 */
export function copiedMetadata(
  { kind, label, role, metadata }: Pick<MessageRow, "kind" | "label" | "role" | "metadata">,
  messages: ReadonlyMap<MessageId, MessageId | null>,
  inputId: string | null = null,
): unknown {
  if (typeof metadata !== "object" || metadata === null) return metadata;
  if (kind === "entry" && label === "compaction" && "covers" in metadata) {
    const { covers } = metadata;
    return { ...metadata, covers: typeof covers === "string" ? (messages.get(covers) ?? covers) : null };
  }
  if (role !== "user" || !("inputId" in metadata)) return metadata;
  const { inputId: _, ...rest } = metadata;
  if (inputId !== null) return { ...rest, inputId };
  const { clientId: __, ...bare } = { clientId: null, ...rest };
  return Object.keys(bare).length === 0 ? null : bare;
}
