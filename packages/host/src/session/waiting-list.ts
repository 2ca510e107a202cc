/** The list of inputs that wait for a turn of their own. Nothing here starts or ends a turn. */
import type { InputId } from "../protocol/ids.ts";
import type { HeldReason } from "../protocol/input.ts";
import type { Op } from "../protocol/ops.ts";
import type { Draft } from "./draft.ts";
import { findSteer, isAdoptedLater, isCompacting, isHeld } from "./look.ts";
import type { Offer, Session, Steer, Turn, Waiting } from "./state.ts";

export const stateOf = (w: Waiting): Op => ({
  op: "input",
  id: w.input.id,
  state: w.held === null ? "queued" : "held",
  reason: w.held,
  turn: null,
});
export function setOrder(d: Draft, queue: readonly Waiting[]): void {
  d.set({ queue });
  d.save({ op: "order", ids: queue.map((w) => w.input.id) });
}
/** Ahead of everything that never left the list, among themselves in the order of `returned`. */
export function insertReturned(d: Draft, returned: readonly Waiting[]): void {
  if (returned.length === 0) return;
  const head = [...d.s.queue.filter((w) => w.returned !== null), ...returned].sort(
    (a, b) => (a.returned ?? 0) - (b.returned ?? 0),
  );
  d.save(...returned.map(stateOf));
  setOrder(d, [...head, ...d.s.queue.filter((w) => w.returned === null)]);
}
/** Steers that were not taken, in the order they came. */
export function giveBack(d: Draft, steers: readonly Steer[], held: HeldReason | null): void {
  insertReturned(
    d,
    steers.map((x) => ({ input: x.input, held, returned: x.order, midTurn: true, told: false })),
  );
}
/** Nothing that waits starts by itself; what is held already keeps its reason. */
export function holdQueue(d: Draft, reason: HeldReason): void {
  if (d.s.target.queueAfter === "run") return;
  d.set({ offers: d.s.offers.map((x) => ({ ...x, held: x.held ?? reason })) }); // when they come back
  const held = d.s.queue.filter((w) => w.held === null).map((w) => ({ ...w, held: reason }));
  if (held.length === 0) return;
  d.save(...held.map(stateOf));
  d.set({ queue: d.s.queue.map((w) => (w.held === null ? { ...w, held: reason } : w)) });
}
/** The reason an input that comes back is held for, under the agent's `queueAfter`. */
export const heldFor = (s: Session, reason: HeldReason | null): HeldReason | null =>
  s.target.queueAfter === "run" ? null : reason;

/** Takes a steer out of wherever it is. */
export function dropSteer(d: Draft, id: InputId): void {
  const found = findSteer(d.s, id);
  if (found?.turn) d.patchTurn(found.turn, { steers: found.turn.steers.filter((x) => x.input.id !== id) });
  else d.set({ offers: d.s.offers.filter((x) => x.input.id !== id) });
}
/** The agent did not and will not take it: back to the head, held if the turn's end holds what waits. */
export function refused(d: Draft, id: InputId): void {
  const found = findSteer(d.s, id);
  if (!found) return d.violation("undelivered-unknown");
  const held = found.turn ? heldByStop(d.s, found.turn) : (d.s.offers.find((x) => x.input.id === id)?.held ?? null);
  const steer = (found.turn?.steers ?? d.s.offers).find((x) => x.input.id === id);
  dropSteer(d, id);
  if (steer) giveBack(d, [steer], held);
}
const heldByStop = (s: Session, turn: Turn): HeldReason | null =>
  turn.stop === "person" ? heldFor(s, "stopped") : turn.stop === "shutdown" ? heldFor(s, "interrupted") : null;

/** The connection is over. What it gave back was surely not taken; of the rest only a person can tell. */
export function endOffers(d: Draft, returned: readonly InputId[], idempotent: boolean): void {
  const over = d.s.offers.filter((x) => !isAdoptedLater(d.s, x.input.id));
  if (over.length === 0) return;
  d.set({ offers: d.s.offers.filter((x) => !over.includes(x)) });
  const fate = (x: Offer): HeldReason | null => {
    if (returned.includes(x.input.id)) return x.held;
    return idempotent ? (x.held ?? "failed") : "uncertain";
  };
  insertReturned(
    d,
    over.map((x) => ({ input: x.input, held: fate(x), returned: x.order, midTurn: true, told: false })),
  );
}

/** The only answer to "which input starts now"; nothing leaves the list otherwise. */
export function nextWaiting(s: Session): Waiting | null {
  if (s.phase.kind !== "idle" || isHeld(s) || isCompacting(s)) return null;
  if (s.kept.length > 0 || s.offers.length > 0) return null;
  return s.queue.find((w) => w.held === null) ?? null;
}
