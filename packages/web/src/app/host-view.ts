/** All sessions and all open questions, as one value that events change. Pure. */
import type { ApprovalRow } from "@mooring/host/protocol";
import type { HostEvent, SessionListRow } from "../api/types.ts";
import { approvalRow } from "../approvals/approval-row.ts";

export type HostView = {
  readonly sessions: readonly SessionListRow[];
  /** Pass as `after` for older sessions; null: there are none. */
  readonly next: string | null;
  readonly approvals: readonly ApprovalRow[];
  readonly isLost: boolean;
};
type Change =
  | HostEvent
  | { readonly type: "older"; readonly items: readonly SessionListRow[]; readonly next: string | null }
  | { readonly type: "connection"; readonly isLost: boolean };

export const emptyHost: HostView = { sessions: [], next: null, approvals: [], isLost: false };

export function applyHostEvent(view: HostView, change: Change): HostView {
  switch (change.type) {
    case "snapshot":
      return { sessions: change.sessions, next: change.next, approvals: change.approvals, isLost: false };
    case "session.changed":
      return { ...view, sessions: withSession(view.sessions, change.sessionId, change.session) };
    case "approval.requested": {
      const row = approvalRow(change, Date.now());
      return { ...view, approvals: [row, ...view.approvals.filter(({ id }) => id !== row.id)] };
    }
    case "approval.closed":
      return { ...view, approvals: view.approvals.filter(({ id }) => id !== change.approvalId) };
    case "older": {
      const known = new Set(view.sessions.map(({ id }) => id));
      const items = change.items.filter(({ id }) => !known.has(id));
      return { ...view, sessions: [...view.sessions, ...items], next: change.next };
    }
    case "connection":
      return view.isLost === change.isLost ? view : { ...view, isLost: change.isLost };
  }
}
/** What is new comes first; the rest stays where it is, so that nothing jumps under a finger. */
function withSession(
  sessions: readonly SessionListRow[],
  id: string,
  row: SessionListRow | null,
): readonly SessionListRow[] {
  const at = sessions.findIndex((known) => known.id === id);
  if (row === null) return sessions.filter((known) => known.id !== id);
  return at < 0 ? [row, ...sessions] : sessions.with(at, row);
}
