/**
 * Which timers run follows from the state; the difference is armed and disarmed. A key names the reason, so a timer
 * whose reason is gone cannot fire into what came after. No other code arms one.
 */
import { hasDeadline, isDurable } from "./approvals.ts";
import type { Draft } from "./draft.ts";
import type { TimerKind } from "./events.ts";
import { isAdoptedLater, isIdle } from "./look.ts";
import type { OpenLink, Session, Turn } from "./state.ts";

export const timerKind = (key: string): TimerKind => key.slice(0, key.indexOf(":")) as TimerKind;

export function tuneTimers(d: Draft): void {
  const want = wantedTimers(d.s);
  const have = d.s.timers;
  if (want.length === have.length && want.every((key, i) => key === have[i])) return;
  for (const key of have) if (!want.includes(key)) d.emit({ type: "disarm", key });
  for (const key of want) if (!have.includes(key)) d.emit({ type: "arm", key, timer: timerKind(key) });
  d.set({ timers: want });
}
function wantedTimers(s: Session): readonly string[] {
  const keys: string[] = [];
  const { link, phase } = s;
  if (link.kind === "connecting") keys.push(`connect:${link.connection}`);
  if (link.kind === "closing") keys.push(`close:${link.connection}`);
  if (link.kind === "open") linkTimers(s, link, keys);
  if ("turn" in phase && phase.kind !== "settling") turnTimers(s, phase.turn, keys);
  if (s.parked?.stop && link.kind === "open") keys.push(`stop:${s.parked.no}`);
  for (const a of s.approvals) if (hasDeadline(s, a)) keys.push(`approval:${a.request.approval}`);
  return keys;
}
function linkTimers(s: Session, link: OpenLink, keys: string[]): void {
  if (link.compacting) keys.push(`compaction:${link.connection}`);
  if (link.reconciling !== null) keys.push(`reconcile:${link.connection}:${link.reconciling}`);
  const isAtRest = s.phase.kind === "idle" || isLeftToPerson(s, link);
  if (isAtRest && s.offers.some((x) => !isAdoptedLater(s, x.input.id)))
    keys.push(`offers:${link.connection}:${s.turns}`); // a turn of its own may come first
  if (isIdle(s, link)) keys.push(`idle:${link.connection}:${s.turns}`);
}
function turnTimers(s: Session, turn: Turn, keys: string[]): void {
  const { phase, link } = s;
  if (phase.kind === "concluding") keys.push(`hook:${turn.no}:before-settle`);
  if (phase.kind === "preparing" && turn.hook === "asked") keys.push(`hook:${turn.no}:before-turn`);
  if (link.kind !== "open") return;
  if (turn.stop !== null && phase.kind !== "concluding") keys.push(`stop:${turn.no}`);
  else if (phase.kind === "streaming" && link.reading)
    keys.push(`${turn.live.tools.length > 0 ? "silence-tool" : "silence"}:${turn.no}:${turn.beat}`);
  if (isLeftToPerson(s, link) && s.offers.length === 0) keys.push(`waiting-idle:${turn.no}`);
}
/** Beside steers that nobody named, nothing needs the connection: the question a person has to answer outlives it. */
const isLeftToPerson = (s: Session, link: OpenLink): boolean =>
  s.phase.kind === "waiting" &&
  isDurable(s, s.phase.turn) &&
  s.parked === null &&
  s.kept.length === 0 &&
  s.flows.length === 0 &&
  !link.background.active &&
  !link.compacting &&
  link.reconciling === null;
