/** Commands about inputs: submit, edit, cancel, move, release; and what store and agent answer to an offer. */
import type { InputId, TurnNo } from "../protocol/ids.ts";
import type { Draft } from "./draft.ts";
import type { Answered, Command } from "./events.ts";
import { findSteer, isReached, liveTurn, turnNo, writingTurn } from "./look.ts";
import { decideDelivery } from "./policy.ts";
import type { Session, Steer, Turn } from "./state.ts";
import { stopTurn } from "./stop.ts";
import { dropSteer, insertReturned, refused, setOrder, stateOf } from "./waiting-list.ts";

type Of<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Stores the input and decides where it goes; the reply (`disposition`) is made once everything that follows is decided. */
export function submit(d: Draft, e: Of<"submit">): void {
  const verdict = decideDelivery(d.s, e.input);
  const turn = liveTurn(d.s);
  if (verdict === "session-busy" || verdict === "queue-full" || verdict === "duplicate")
    return d.emit({ type: "reply", to: e.to, answer: { kind: "refused", why: verdict } });
  const order = d.s.accepted + 1;
  d.set({ accepted: order });
  d.save({ op: "accepted", input: e.input });
  if (verdict === "offer" && turn) return offer(d, turn, { input: e.input, order, sent: false });
  const waiting = { input: e.input, held: null, returned: null, midTurn: turn !== null, told: false };
  if (verdict === "queue") return setOrder(d, [...d.s.queue, waiting]);
  insertReturned(d, [{ ...waiting, midTurn: false, returned: -order }]); // ahead of all, the latest first
  if (turn) stopTurn(d, turn, "superseded");
}
/** Where a submitted input is by the end of the same transition. */
export function disposition(s: Session, id: InputId): Answered {
  const turn = liveTurn(s);
  if (turn?.input?.id === id) return { kind: "accepted", disposition: "started", turn: turn.no };
  if (turn?.steers.some((x) => x.input.id === id)) return { kind: "accepted", disposition: "offered", turn: turn.no };
  const held = s.queue.some((w) => w.input.id === id && w.held !== null);
  return { kind: "accepted", disposition: held ? "held" : "queued", turn: null };
}
/** Its row first; the agent hears of it when the row is safe (`offered`). */
function offer(d: Draft, turn: Turn, steer: Steer): void {
  d.patchTurn(turn, { steers: [...turn.steers, steer] });
  d.save({ op: "input", id: steer.input.id, state: "offered", reason: null, turn: turn.no });
  d.fact({ type: "offered", turn: turn.no, input: steer.input.id });
}
/** The row of a steer is safe: tell the agent, if the turn can still take it. */
export function offered(d: Draft, no: TurnNo, id: InputId): void {
  const turn = turnNo(d.s, no);
  if (!turn?.steers.some((x) => x.input.id === id && !x.sent)) return;
  const link = d.s.link;
  const able =
    writingTurn(d.s) === turn && d.s.phase.kind === "streaming" && turn.stop === null && turn.latched === null;
  if (!able || link.kind !== "open" || !isReached(d.s, turn)) return refused(d, id);
  const steers = turn.steers.map((x) => (x.input.id === id ? { ...x, sent: true } : x));
  const input = steers.find((x) => x.input.id === id)?.input;
  if (!input) return;
  d.patchTurn(turn, { steers });
  d.emit({ type: "redirect", connection: link.connection, generation: turn.generation, turn: no, input });
}

export function edit(d: Draft, e: Of<"edit">): void {
  const found = d.s.queue.find((w) => w.input.id === e.input);
  if (!found) return d.refuse(e.to, findSteer(d.s, e.input) ? "too-late" : "not-waiting");
  if (found.told) return d.refuse(e.to, "too-late"); // its user message is history already
  // what is added is to be answered with the rest: a held one may never be
  if (e.place === "behind" && found.held !== null) return d.refuse(e.to, "not-waiting");
  const parts = e.place === "behind" ? [...found.input.parts, ...e.parts] : e.parts;
  const edited = { ...found, input: { ...found.input, parts } };
  d.set({ queue: d.s.queue.map((w) => (w === found ? edited : w)) });
  d.save({ op: "input-edited", id: e.input, parts });
  d.reply(e.to, { kind: "done", state: "edited" });
}
export function release(d: Draft, e: Of<"release">): void {
  const found = d.s.queue.filter((w) => w.held !== null && (e.input === null || w.input.id === e.input));
  if (found.length === 0 && e.input !== null) {
    const waits = d.s.queue.some((w) => w.input.id === e.input);
    return d.refuse(e.to, waits ? "not-held" : "not-waiting");
  }
  const freed = new Map(found.map((w) => [w, { ...w, held: null }]));
  d.set({ queue: d.s.queue.map((w) => freed.get(w) ?? w) });
  for (const w of freed.values()) d.save(stateOf(w));
  d.reply(e.to, { kind: "done", state: "released" });
}
export function move(d: Draft, e: Of<"move">): void {
  const found = d.s.queue.find((w) => w.input.id === e.input);
  const target = d.s.queue.find((w) => w.input.id === e.before);
  if (!found || e.before === e.input || (e.before !== null && !target)) return d.refuse(e.to, "not-waiting");
  const rest = d.s.queue.filter((w) => w !== found);
  const at = target ? rest.indexOf(target) : rest.length;
  // an order a person chose replaces every other
  setOrder(
    d,
    [...rest.slice(0, at), found, ...rest.slice(at)].map((w) => ({ ...w, returned: null })),
  );
  d.reply(e.to, { kind: "done", state: "moved" });
}
export function cancel(d: Draft, e: Of<"cancel">): void {
  if (d.s.queue.some((w) => w.input.id === e.input)) {
    setOrder(
      d,
      d.s.queue.filter((w) => w.input.id !== e.input),
    );
    return cancelled(d, e.input, e.to);
  }
  const found = findSteer(d.s, e.input);
  const steer = (found?.turn?.steers ?? d.s.offers).find((x) => x.input.id === e.input);
  if (!steer) return d.refuse(e.to, "too-late");
  if (!steer.sent) {
    dropSteer(d, e.input);
    return cancelled(d, e.input, e.to);
  }
  if (d.s.link.kind !== "open") return d.refuse(e.to, "too-late");
  d.emit({ type: "withdraw", connection: d.s.link.connection, input: e.input });
  d.reply(e.to, { kind: "done", state: "withdrawing" });
}
function cancelled(d: Draft, id: InputId, to: string | null): void {
  d.save({ op: "input", id, state: "cancelled", reason: null, turn: null });
  if (to !== null) d.reply(to, { kind: "done", state: "cancelled" });
}
export function withdrawn(d: Draft, id: InputId, ok: boolean): void {
  if (!ok || !findSteer(d.s, id)) return;
  dropSteer(d, id);
  cancelled(d, id, null);
}
