/** Every open question of every session, newest first: answered here or in its conversation, from any device. */
import type { ApprovalRow } from "@mooring/host/protocol";
import { useEffect } from "react";
import type { SessionListRow } from "../api/types.ts";
import { go } from "../app/router.ts";
import { titleOf } from "../sessions/session-state.ts";
import { Button } from "../ui/button.tsx";
import { ApprovalCard } from "./approval-card.tsx";

export function ApprovalsPage({
  approvals,
  sessions,
}: {
  readonly approvals: readonly ApprovalRow[];
  readonly sessions: readonly SessionListRow[];
}) {
  useEffect(() => {
    document.title = "Approvals · Mooring";
  }, []);
  return (
    <section aria-label="Approvals" className="mx-auto w-full max-w-3xl space-y-3 overflow-y-auto p-4">
      <h1 className="text-lg font-semibold">Waiting for you</h1>
      {approvals.length === 0 ? <p className="text-soft">Nothing waits for you.</p> : null}
      {approvals.map((approval) => {
        const session = sessions.find(({ id }) => id === approval.sessionId);
        return (
          <article key={approval.id} className="overflow-hidden rounded-md border border-line bg-card">
            <header className="flex items-center justify-between gap-2 px-2.5 py-1.5">
              <h2 className="truncate text-sm font-medium">{session ? titleOf(session) : approval.sessionId}</h2>
              <Button tone="quiet" onClick={() => go({ name: "session", id: approval.sessionId })}>
                Open session
              </Button>
            </header>
            <ApprovalCard approval={approval} />
          </article>
        );
      })}
    </section>
  );
}
