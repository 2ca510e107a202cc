/** What must hold across one event, and in one state. Pure: the world only supplies what happened. */
import assert from "node:assert/strict";
import type { Op } from "../../packages/host/src/protocol/ops.ts";
import type { Effect, Event } from "../../packages/host/src/session/events.ts";
import type { Session, Turn } from "../../packages/host/src/session/state.ts";
import type { StoredFacts } from "../../packages/host/src/session/stored-facts.ts";
import type { FakeStore } from "./fake-store.ts";

/** Reasons to close a connection that lose nothing. */
export const calm = ["idle", "reap", "rebuild", "rewind", "waiting"];
export const turnIn = (s: Session): Turn | null =>
  "turn" in s.phase && s.phase.kind !== "settling" ? s.phase.turn : null;
export const held = (s: Session): boolean => Object.keys(s.holds).length > 0;
const liveNos = (s: Session): readonly (number | undefined)[] => [turnIn(s)?.no, s.parked?.no];
const unreadable = (s: Session): boolean => s.phase.kind === "reloading" || s.phase.kind === "gone";

/** Nothing of this session is being written and nothing will be before the hold ends. */
export const drained = (s: Session): boolean =>
  (s.phase.kind === "waiting" || ((s.phase.kind === "idle" || s.phase.kind === "gated") && s.parked === null)) &&
  s.saves === s.saved;

export function judge(before: Session, e: Event, next: Session, effects: readonly Effect[]): void {
  if ("connection" in e && (before.link.kind === "none" || before.link.connection !== e.connection))
    assert(next === before && effects.length === 0, `G1 ${e.type} of an old connection has no effect`);
  if (e.type === "fired" && !before.timers.includes(e.key))
    assert(next === before, "G3 a disarmed timer has no effect");
  if (next.phase.kind === "idle" && before.phase.kind !== "idle")
    assert(e.type === "settled" || e.type === "reloaded", "F1 only the durable close frees the session");
  assert(effects.filter((f) => f.type === "save").length <= 1, "D2 one event, at most one commit");
  const ops = effects.flatMap((f) => (f.type === "save" ? f.ops : []));
  judgeStop(before, e, next, effects);
  judgeStart(before, e, next, ops);
  judgeLink(before, e, next, effects);
  judgeQueue(before, e, next, ops);
  judgeText(before, e, next, ops);
  judgeWaiting(before, e, next, ops, effects);
}
function judgeStop(before: Session, e: Event, next: Session, effects: readonly Effect[]): void {
  if (e.type !== "stop" || unreadable(before)) return;
  if (!liveNos(before).includes(e.turn)) {
    assert.deepEqual(next.phase, before.phase, "T1 a late stop touches no turn");
    assert(!effects.some((f) => f.type === "interrupt" || f.type === "close"), "T1 a late stop reaches no agent");
    return;
  }
  const turn = turnIn(next)?.no === e.turn ? turnIn(next) : next.parked?.no === e.turn ? next.parked : null;
  if (turn === null) return; // it ended at once
  assert(turn.stop, "T2 a stop is noted");
  assert(next.timers.includes(`stop:${e.turn}`) || next.link.kind !== "open", "T2 a stop is bounded");
}
function judgeStart(before: Session, e: Event, next: Session, ops: readonly Op[]): void {
  for (const op of ops) if (op.op === "input" && op.state === "offered") judgeOffer(next, op.id);
  if (!held(before) || !held(next) || e.type === "reloaded") return;
  assert(!ops.some((op) => op.op === "turn-opened"), "S5 no turn starts under a hold");
  if (Object.keys(before.holds).every((reason) => reason === "shutdown")) return;
  const stopping =
    turnIn(before)?.stop ??
    turnIn(next)?.stop ??
    before.parked?.stop ??
    (e.type === "stop" || e.type === "shutdown" || (e.type === "submit" && e.input.delivery === "interrupt"));
  assert(stopping || !ops.some((op) => op.op === "message-opened"), "S5 no roll opens under a hold");
}
function judgeOffer(next: Session, id: string): void {
  const turn = turnIn(next);
  const input = turn?.steers.find((x) => x.input.id === id)?.input;
  const alike =
    turn?.input &&
    input &&
    turn.input.model === input.model &&
    turn.input.effort === input.effort &&
    !turn.input.headless &&
    !input.headless;
  const rich = input?.parts.some((p) => p.type !== "text") ?? false;
  const able = next.link.kind === "open" && next.link.abilities.steers && (!rich || next.link.abilities.steersRich);
  assert(
    alike && able && !turn.stop && next.phase.kind === "streaming" && input.branch === null,
    "P1 only a like input is offered, to a turn that can take it",
  );
}
function judgeLink(before: Session, e: Event, next: Session, effects: readonly Effect[]): void {
  const link = before.link;
  if (e.type === "driver-ended" && link.kind === "open" && link.connection === e.connection)
    assert(next.link.kind !== "open", "C2 a dead connection is closed");
  if (
    e.type === "target" &&
    e.tighten &&
    e.target.revision > before.target.revision &&
    link.kind === "open" &&
    link.reconciling === null &&
    next.link.kind === "open" &&
    !unreadable(before)
  )
    assert(
      effects.some((f) => f.type === "reconcile"),
      "R1 tightening reaches a warm connection at once",
    );
  if (
    e.type === "reconciled" &&
    link.kind === "open" &&
    link.reconciling === e.revision &&
    (e.verdict === "failed" || e.verdict === "invalid")
  )
    assert(next.link.kind === "closing", "R2 a failed patch closes the connection");
  if (
    e.type === "interrupted" &&
    effects.some((f) => f.type === "save" && f.ops.some((op) => op.op === "turn-settled"))
  )
    assert(
      before.phase.kind === "streaming" && before.phase.turn.latched,
      "T3 the answer of an interrupt ends nothing the agent may still speak of",
    );
  if (
    link.kind === "closing" &&
    link.reason === "compaction-stopped" &&
    link.compacting &&
    next.link.kind !== "closing"
  )
    assert(
      effects.some((f) => f.type === "save" && f.ops.some((op) => op.op === "compaction" && op.state === "stopped")),
      "K4 a compaction that a person stopped is not told as failed",
    );
  for (const f of effects) {
    if (f.type === "send")
      assert(turnIn(next)?.hook !== "asked" && !turnIn(next)?.stop, "A3 not sent while a hook is out or after a stop");
    if (f.type === "close" && calm.includes(f.reason)) judgeCalmClose(before, e, next, f.reason);
    if (f.type === "close" && f.reason === "compaction-stopped")
      assert(
        link.kind === "open" &&
          link.compacting &&
          !link.background.active &&
          !turnIn(before)?.sent &&
          !before.parked?.sent,
        "K4 a stopped compaction ends nothing else",
      );
    if (f.type === "prewarm") assert(next.phase.kind === "idle", "I2 nothing is prewarmed beside a turn");
    if (f.type === "send")
      assert(
        next.link.kind === "open" &&
          !next.link.compacting &&
          next.link.revision >= next.target.revision &&
          next.link.reconciling === null,
        "A3 sent to a connection that is free and up to date",
      );
  }
}
function judgeCalmClose(before: Session, e: Event, next: Session, reason: string): void {
  const link = before.link;
  const free =
    link.kind === "open" &&
    (e.type === "background-work" || !link.background.active) &&
    (e.type.startsWith("compaction") || !link.compacting);
  assert(
    free || (link.kind === "connecting" && e.type === "connected") || reason === "rewind",
    "I1 only an idle connection is closed for idleness or rebuilt",
  );
  if (reason === "waiting")
    return assert(next.phase.kind === "waiting", "I1 only a turn that waits lets its connection go");
  const same = before.phase.kind === next.phase.kind;
  assert(
    !(same && (next.phase.kind === "streaming" || next.phase.kind === "gated" || next.phase.kind === "waiting")),
    "I1 never under a turn",
  );
  assert(next.offers.length === 0, "I1 never under an open offer");
}
function judgeQueue(before: Session, e: Event, next: Session, ops: readonly Op[]): void {
  if (unreadable(next) || e.type === "reloaded") return;
  const ended = ops.flatMap((op) => (op.op === "turn-settled" ? [op.end] : []));
  const holds =
    ended.some((end) => end.outcome !== "completed" && end.reason !== "superseded") &&
    !ops.some((op) => op.op === "turn-opened");
  const stopped = e.type === "stop" && liveNos(before).includes(e.turn);
  if ((holds || stopped) && next.target.queueAfter === "hold") {
    const fresh = ops.flatMap((op) => (op.op === "accepted" ? [op.input.id] : []));
    assert(
      next.queue.every((w) => w.held !== null || fresh.includes(w.input.id)),
      "Q1 after a failure or a stop the queue waits for a person",
    );
  }
  if (e.type === "submit" && e.input.delivery === "interrupt" && next.accepted > before.accepted && turnIn(before))
    assert(next.queue.find((w) => w.held === null)?.input.id === e.input.id, "Q2 an interrupting input is next");
  judgeOffers(before, next);
  if (
    ended.some((end) => end.reason === "resume-failed") &&
    ops.some((op) => op.op === "input" && op.state === "held" && op.reason === "failed")
  )
    assert(
      next.queue.some((w) => w.held === "failed"),
      "Q5 a failed resume gives its input back",
    );
}
function judgeOffers(before: Session, next: Session): void {
  for (const k of before.kept)
    if (k.type === "autonomous-started" && before.offers.some((x) => x.input.id === k.input))
      assert(!next.queue.some((w) => w.input.id === k.input), "S4 a steer the agent made a turn of does not come back");
}
function judgeText(before: Session, e: Event, next: Session, ops: readonly Op[]): void {
  const turn = turnIn(before);
  if (turn === null || before.kept.length > 0 || before.parked) return;
  if (
    e.type === "chunk" &&
    turn.generation === e.generation &&
    turn.connection === e.connection &&
    before.phase.kind === "streaming" &&
    next.phase.kind !== "reloading"
  )
    assert(
      ops.some((op) => op.op === "chunk"),
      "S7 text of the live turn is saved",
    );
  const owed = before.link.kind === "open" && before.link.background.awaitingReply;
  if (
    e.type === "turn-complete" &&
    e.outcome === "completed" &&
    before.phase.kind === "streaming" &&
    !turn.stop &&
    turn.generation === e.generation &&
    turn.input &&
    owed
  )
    assert.equal(next.phase.kind, "streaming", "W1 a reply that background work still owes stays open");
}
function judgeWaiting(before: Session, e: Event, next: Session, ops: readonly Op[], effects: readonly Effect[]): void {
  if (next.phase.kind === "waiting") {
    const asked = next.approvals.filter((a) => a.answer === null).map((a) => a.request.toolCallId);
    assert(
      next.phase.turn.live.tools.every((id) => asked.includes(id)) && next.phase.turn.live.texts.length === 0,
      "N1 a waiting turn waits for people only",
    );
    assert(!next.timers.some((key) => key.startsWith("silence")), "N2 a waiting turn has no silence deadline");
  }
  if (next.phase.kind === "streaming" && before.phase.kind !== "reloading") {
    const { live } = next.phase.turn;
    const asked = next.approvals
      .filter((a) => a.answer === null && a.turn === (next.phase.kind === "streaming" ? next.phase.turn.no : 0))
      .map((a) => a.request.toolCallId);
    const only = live.tools.length > 0 && live.texts.length === 0 && live.tools.every((id) => asked.includes(id));
    assert(
      !only || next.phase.turn.stop !== null || next.phase.turn.latched !== null,
      "N1 a turn that only waits for people is waiting",
    );
  }
  for (const f of effects)
    if (f.type === "connect" && f.waiting)
      assert(
        !ops.some((op) => op.op === "turn-opened") && turnIn(next)?.no === f.waiting.turn && turnIn(next)?.sent,
        "N3 a waiting turn is continued, not started",
      );
  if (e.type === "closed" && before.phase.kind === "waiting" && before.phase.turn.connection === 0)
    assert(
      next.phase.kind === "waiting" && next.approvals.length === before.approvals.filter((a) => a.turn !== null).length,
      "N5 durable questions outlive their connection",
    );
  if (e.type === "fired" && e.key.startsWith("waiting-idle") && before.timers.includes(e.key))
    assert(next.link.kind === "closing", "N4 a waiting turn holds no process");
}

/** What recovery makes of the rows: durable questions go on, what an interruption holds is held. */
export function judgeRecovered(stored: StoredFacts, s: Session): void {
  const rests = stored.openTurns.filter(({ no }) => {
    const live = stored.openMessages.find((m) => m.turn === no)?.live;
    const asked = stored.openApprovals.filter((a) => a.turn === no);
    const durable = asked.every((a) => a.request.durable);
    return (
      live &&
      durable &&
      live.texts.length === 0 &&
      live.tools.length > 0 &&
      live.tools.every((id) => asked.some((a) => a.request.toolCallId === id))
    );
  });
  assert.equal(
    s.phase.kind,
    rests.length > 0 ? "waiting" : "idle",
    "N5 N6 a turn goes on waiting exactly when durable questions are all that is open",
  );
  const interrupted = stored.openTurns.length > Math.min(1, rests.length);
  if (!interrupted || s.target.queueAfter === "run") return;
  assert(
    s.queue.every((w) => w.held !== null || w.input.origin === "continue"),
    "Q1 after an interruption the queue waits for a person",
  );
}

/** L5: everything but rest waits for a save, a timer, a person or the end of a hold. */
export function hasFuture(s: Session, saving: boolean): boolean {
  const { phase, link } = s;
  if (s.parked && !("turn" in phase)) return false;
  switch (phase.kind) {
    case "idle": {
      const busy =
        link.kind === "open" &&
        (link.background.active || s.kept.length > 0 || s.approvals.length > 0 || s.offers.length > 0);
      const waiting =
        s.queue.some((w) => w.held === null) &&
        !held(s) &&
        s.compact === null &&
        !("compacting" in link && link.compacting) &&
        s.kept.length === 0 &&
        s.offers.length === 0;
      const keptAlone = s.kept.length > 0 && !held(s) && !saving;
      const offersAlone = s.offers.length > 0 && s.timers.length === 0 && s.kept.length === 0;
      return (
        (link.kind === "none" || busy || s.timers.length > 0) &&
        !waiting &&
        !keptAlone &&
        !offersAlone &&
        (s.compact === null || link.kind !== "none")
      );
    }
    case "opening":
    case "settling":
      return saving;
    case "gated":
      return held(s);
    case "preparing":
      return s.timers.length > 0;
    case "waiting":
      return s.approvals.some((a) => a.turn === phase.turn.no && a.answer === null);
    default:
      return s.timers.length > 0 || (link.kind === "open" && !link.reading && (saving || held(s)));
  }
}

/** With nothing in flight, what is stored recovers to what is in memory. */
export function compare(s: Session, store: FakeStore): void {
  const stored = store.inputs
    .filter((r) => r.state === "queued" || r.state === "held")
    .map((r) => `${r.input.id}:${r.state === "held" ? r.reason : null}:${r.told}`);
  assert.deepEqual(
    stored,
    s.queue.map((w) => `${w.input.id}:${w.held}:${w.told}`),
    "D3 the stored queue is the queue",
  );
  const offered = store.inputs.filter((r) => r.state === "offered").map((r) => r.input.id);
  const steers = [...("turn" in s.phase ? s.phase.turn.steers : []), ...(s.parked?.steers ?? []), ...s.offers].map(
    (x) => x.input.id,
  );
  assert.deepEqual(offered.sort(), steers.sort(), "D3 the stored offers are the offers");
  const open = [...store.approvals].filter(([, a]) => a.how === null).map(([id]) => id);
  assert.deepEqual(
    open.sort(),
    s.approvals
      .filter((a) => a.answer === null)
      .map((a) => a.request.approval)
      .sort(),
    "D3 the stored approvals are the approvals",
  );
  assert.equal(store.token, s.token, "D3 the stored token is the token");
  assert(
    !store.compacting || ("compacting" in s.link && s.link.compacting),
    "K3 a compaction that is shown as going on goes on",
  );
  const waiting = [...store.turns].filter(([, t]) => t.waiting && t.end === null).map(([no]) => no);
  const inMemory = [s.phase, ...(s.parked ? [] : [])].flatMap((p) =>
    "turn" in p && p.kind === "waiting" ? [p.turn.no] : [],
  );
  if (!s.parked) assert.deepEqual(waiting, inMemory, "D3 the stored waiting turn is the waiting turn");
  const flows = store.messages.filter((m) => m.turn === null && m.open).map((m) => m.no);
  assert.deepEqual(
    flows,
    s.flows.map((f) => f.no),
    "D3 the stored flows are the flows",
  );
  for (const turn of [turnIn(s), s.parked]) {
    const row = turn ? store.openMessage(turn.no) : undefined;
    if (!turn || !row) continue;
    assert.deepEqual([...row.tools].sort(), [...turn.live.tools].sort(), "P2 the unfinished calls are known");
    assert.deepEqual(
      row.texts.map((t) => t.id).sort(),
      turn.live.texts.map((t) => t.id).sort(),
      "P2 the unfinished texts are known",
    );
  }
}
