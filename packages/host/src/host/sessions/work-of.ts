/** What a session has in flight, derived from its state alone: what `listActiveWork` shows and what a drain waits for. */
import type { TurnNo } from "../../protocol/ids.ts";
import { waitsForPerson } from "../../session/approvals.ts";
import type { Session, Turn } from "../../session/state.ts";
import type { Work } from "../api.ts";

export type WorkItem = { readonly kind: Work["kind"]; readonly turn: TurnNo | null };

/** A roll that a hold keeps closed is no work: it goes on when the hold ends. */
export function workOf(s: Session): readonly WorkItem[] {
  const items: WorkItem[] = [];
  const turn = turnWork(s);
  if (turn !== null) items.push(turn);
  if (s.parked?.sent) items.push({ kind: "turn", turn: s.parked.no });
  if (s.saves > s.saved || s.phase.kind === "reloading") items.push({ kind: "saving", turn: null });
  if (s.flows.length > 0) items.push({ kind: "flow", turn: null });
  if (s.link.kind === "closing") items.push({ kind: "closing", turn: null });
  if (s.link.kind === "open" && (s.link.background.active || s.link.compacting))
    items.push({ kind: "background", turn: null });
  return items;
}
function turnWork({ phase }: Session): WorkItem | null {
  switch (phase.kind) {
    case "opening":
    case "preparing":
      return { kind: "start", turn: phase.turn.no };
    case "streaming":
    case "concluding":
    case "settling":
      return { kind: "turn", turn: phase.turn.no };
    case "waiting":
      return { kind: "waiting-turn", turn: phase.turn.no };
    default:
      return null;
  }
}
/** Background work goes on under a hold: it starts nothing. */
export const isDrained = (s: Session): boolean => workOf(s).every((item) => item.kind === "background");

/** No turn but one that waits for a person, with every question durable: it survives the host. */
export function mayShutDown(s: Session): boolean {
  if (s.parked !== null || s.saves > s.saved) return false;
  if (s.phase.kind === "idle" || s.phase.kind === "reloading" || s.phase.kind === "gone") return true;
  return s.phase.kind === "waiting" && isDurablyWaiting(s, s.phase.turn);
}
const isDurablyWaiting = (s: Session, turn: Turn): boolean =>
  waitsForPerson(s, turn) && s.approvals.every((a) => a.turn !== turn.no || a.request.durable);

/** Nothing of it is in memory only, and nothing will happen by itself. */
export const isAtRest = (s: Session): boolean =>
  s.phase.kind === "idle" &&
  s.link.kind === "none" &&
  s.parked === null &&
  s.saves === s.saved &&
  s.kept.length === 0 &&
  s.offers.length === 0 &&
  s.compact === null &&
  s.resume === "token" &&
  s.timers.length === 0 &&
  s.queue.every((waiting) => waiting.held !== null);
