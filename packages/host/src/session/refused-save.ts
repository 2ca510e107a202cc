/**
 * The store said no: what was decided since never happened. Nothing is repaired in memory; the rows are read again and
 * recovered as after a crash. A lost lease lets the session go.
 */

import { changeHolds, changeTarget } from "./configuration.ts";
import { connectionOver } from "./connection.ts";
import type { Draft } from "./draft.ts";
import type { Event } from "./events.ts";
import { fired } from "./fired.ts";
import { closeLink } from "./link.ts";
import { recover } from "./recover.ts";
import type { Session } from "./state.ts";

export function saveRefused(d: Draft, reason: string): void {
  if (reason === "lease-lost") return loseLease(d);
  abandon(d, { kind: "reloading" });
  d.emit({ type: "reload" });
}
export function loseLease(d: Draft): void {
  abandon(d, { kind: "gone" });
  if (d.s.link.kind === "none") d.emit({ type: "evict" });
}
function abandon(d: Draft, phase: Session["phase"]): void {
  closeLink(d, "reload");
  if (d.s.link.kind === "closing") d.link({ ...d.s.link, compacting: false }); // ended by whoever reads the rows
  d.set({ phase, parked: null, queue: [], offers: [], kept: [], keptSize: 0, approvals: [], flows: [], compact: null });
}
/** Without rows only what needs none goes on: holds, configuration, the end of the old connection, saying no. */
export function whileUnreadable(d: Draft, e: Event): void {
  const gone = d.s.phase.kind === "gone";
  switch (e.type) {
    case "hold":
    case "unhold":
      return changeHolds(d, e);
    case "target":
      return changeTarget(d, e);
    case "closed":
      connectionOver(d, []);
      break;
    case "fired":
      fired(d, e.key);
      break;
    case "lease-lost":
      return gone ? undefined : loseLease(d);
    case "reloaded":
      return gone ? undefined : restart(d, e.stored);
    case "submit":
    case "edit":
    case "cancel":
    case "move":
    case "release":
    case "stop":
    case "answer":
    case "resume":
    case "compact":
    case "stop-compaction":
    case "close":
      return d.emit({ type: "reply", to: e.to, answer: { kind: "refused", why: "unavailable" } });
    default:
      return;
  }
  if (gone && d.s.link.kind === "none") d.emit({ type: "evict" });
}
function restart(d: Draft, stored: Extract<Event, { type: "reloaded" }>["stored"]): void {
  const { session, ops } = recover(stored, d.s);
  d.s = session;
  d.save(...ops);
  d.fact({ type: "recovered" });
}
