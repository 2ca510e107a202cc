/**
 * The branch shown, as a list. Invariant: a message follows its parent; one that goes back in the conversation takes the
 * place of everything after its parent.
 */
import type { MessageId, StoredMessage } from "@mooring/host/protocol";

type Branch = readonly StoredMessage[];

/** Null: its parent is not among them, and only the host knows where the message belongs. */
export function addToBranch(branch: Branch, message: StoredMessage, hasOlder: boolean): Branch | null {
  const known = branch.findIndex(({ id }) => id === message.id);
  if (known >= 0) return branch.with(known, message);
  if (message.parentId === null) return hasOlder && branch.length > 0 ? null : [message];
  const parent = branch.findIndex(({ id }) => id === message.parentId);
  return parent < 0 ? null : [...branch.slice(0, parent + 1), message];
}
export const dropFromBranch = (branch: Branch, id: MessageId): Branch =>
  branch.some((message) => message.id === id) ? branch.filter((message) => message.id !== id) : branch;
