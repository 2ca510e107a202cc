/** The two orders about a connection: open one, close one. What they lead to is in `connection.ts`. */
import type { Draft } from "./draft.ts";
import type { Effect } from "./events.ts";

export function connect(d: Draft, waiting: Extract<Effect, { type: "connect" }>["waiting"] = null): void {
  const connection = d.s.connections + 1;
  const revision = d.s.target.revision;
  d.set({ connections: connection, link: { kind: "connecting", connection, revision } });
  d.emit({ type: "connect", connection, revision, token: d.s.token, how: d.s.resume, waiting });
}
/** Every end of a connection goes through here and then `closed` or a kill: there is no second way out. */
export function closeLink(d: Draft, reason: string): void {
  const link = d.s.link;
  if (link.kind !== "open" && link.kind !== "connecting") return;
  const idempotent = link.kind === "open" && link.abilities.idempotent;
  const compacting = link.kind === "open" && link.compacting;
  d.link({ kind: "closing", connection: link.connection, reason, idempotent, compacting });
  d.emit({ type: "close", connection: link.connection, reason });
}
