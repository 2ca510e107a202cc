/** One session per phase, and one event per type about what those sessions have: the rows and columns of the table. */
import type { ApprovalRequest } from "../../packages/host/src/protocol/agent-events.ts";
import type { Input } from "../../packages/host/src/protocol/input.ts";
import type { Effect, Event, EventType } from "../../packages/host/src/session/events.ts";
import { freshCarry, start } from "../../packages/host/src/session/recover.ts";
import type { Abilities, PhaseKind, Session } from "../../packages/host/src/session/state.ts";
import { transition } from "../../packages/host/src/session/transition.ts";
import { nothingStored } from "../../packages/host/src/testing/nothing-stored.ts";
import { limits, target } from "./world.ts";

const input = (id: string): Input => ({
  id,
  agentKey: id,
  delivery: "steer",
  parts: [{ type: "text", text: "hi" }],
  model: null,
  effort: null,
  headless: false,
  branch: null,
  author: null,
  origin: "user",
});
const submit = (id: string): Event => ({ type: "submit", to: id, input: input(id) });
const request = (approval: string, toolCallId: string): ApprovalRequest => ({
  approval,
  toolCallId,
  toolName: "bash",
  input: {},
  durable: true,
});
const abilities: Abilities = { steers: true, steersRich: true, idempotent: false, compacts: true };
const run = (s: Session, ...events: readonly Event[]): Session => events.reduce((now, e) => transition(now, e)[0], s);
const hooked: typeof target = { ...target, unattended: "deny" };
const usage = {
  requestId: "u1",
  model: "m",
  tokens: { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
  timing: { firstTokenMs: null, totalMs: null },
  cost: null,
};

/** Two inputs wait and are held, the connection is open and has a question outside any turn: what every fixture grows from. */
function grow(): Readonly<Record<PhaseKind, Session>> {
  const fresh = run(
    start(nothingStored, freshCarry(hooked, limits, {}))[0],
    { type: "recovered" },
    { type: "prime" },
    { type: "connected", connection: 1, abilities },
    { type: "hold", reason: "h" },
  );
  const queued = run(fresh, submit("i1"), submit("i2"));
  const held: Session = { ...queued, queue: queued.queue.map((w) => ({ ...w, held: "failed" as const })), holds: {} };
  const opening = run(held, submit("i3"));
  const preparing = run(
    opening,
    { type: "compaction-start", connection: 1, trigger: "auto" },
    { type: "opened", turn: 1 },
  );
  const sent = run(preparing, { type: "compaction-complete", connection: 1, done: null });
  const text: Event = {
    type: "chunk",
    connection: 1,
    generation: "t1",
    chunk: { type: "text-delta", id: "x", delta: "a" },
  };
  const steered = run(sent, text, submit("s1"), { type: "offered", turn: 1, input: "s1" });
  const tool: Event = {
    type: "chunk",
    connection: 1,
    generation: "t1",
    chunk: { type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: {} },
  };
  const asked: Event = { type: "approval-request", connection: 1, generation: "t1", request: request("q1", "c1") };
  const boundary: Event = { type: "steer-boundary", connection: 1, generation: "t1", taken: ["s1"] };
  const complete: Event = {
    type: "turn-complete",
    connection: 1,
    generation: "t1",
    outcome: "completed",
    answered: [],
    anchor: null,
  };
  const asking = run(steered, {
    type: "target",
    target: { ...hooked, revision: 0.5, hooks: { beforeTurn: true, beforeSettle: true } },
    tighten: false,
  });
  return {
    idle: run(held, { type: "loose-approval-request", connection: 1, request: request("q1", "c1") }),
    opening,
    preparing,
    streaming: run(steered, { type: "loose-approval-request", connection: 1, request: request("q1", "c1") }),
    waiting: run(sent, text, tool, asked),
    gated: run(steered, { type: "hold", reason: "h" }, boundary),
    concluding: run(asking, complete),
    settling: run(steered, { type: "agent-error", connection: 1, generation: "t1", code: "model", message: "refused" }),
    reloading: run(steered, { type: "refused", save: 99, reason: "io" }),
    gone: run(steered, { type: "lease-lost" }),
  };
}
export const phases: Readonly<Record<PhaseKind, Session>> = grow();

const on = { connection: 1 } as const;
const of = { connection: 1, generation: "t1" } as const;
const samples: { readonly [T in EventType]: Extract<Event, { type: T }> } = {
  submit: { type: "submit", to: "c", input: input("new") },
  edit: { type: "edit", to: "c", input: "i1", parts: [], place: "instead" },
  cancel: { type: "cancel", to: "c", input: "i1" },
  move: { type: "move", to: "c", input: "i2", before: "i1" },
  release: { type: "release", to: "c", input: "i1" },
  stop: { type: "stop", to: "c", turn: 1 },
  answer: {
    type: "answer",
    to: "c",
    approval: "q1",
    answer: { decision: "allow", input: null, reason: null, by: "p" },
  },
  resume: { type: "resume", to: "c", how: "fresh" },
  compact: { type: "compact", to: "c", text: null },
  "stop-compaction": { type: "stop-compaction", to: "c" },
  close: { type: "close", to: "c" },
  hold: { type: "hold", reason: "x" },
  unhold: { type: "unhold", reason: "h" },
  target: { type: "target", target: { ...hooked, revision: 1 }, tighten: true },
  prime: { type: "prime" },
  reap: { type: "reap", ...on },
  shutdown: { type: "shutdown" },
  opened: { type: "opened", turn: 1 },
  offered: { type: "offered", turn: 1, input: "s1" },
  settled: { type: "settled", turn: 1 },
  "approval-saved": { type: "approval-saved", approval: "q1" },
  recovered: { type: "recovered" },
  saved: { type: "saved", save: 99 },
  refused: { type: "refused", save: 99, reason: "io" },
  "lease-lost": { type: "lease-lost" },
  reloaded: { type: "reloaded", stored: nothingStored },
  connected: { type: "connected", ...on, abilities },
  "connect-failed": { type: "connect-failed", ...on, reason: "spawn", message: "no" },
  "send-failed": { type: "send-failed", ...of, message: "no" },
  "redirect-refused": { type: "redirect-refused", ...on, input: "s1" },
  withdrawn: { type: "withdrawn", ...on, input: "s1", ok: true },
  interrupted: { type: "interrupted", ...of, answer: "unsupported" },
  reconciled: { type: "reconciled", ...on, revision: 0.5, verdict: "failed" },
  "driver-ended": { type: "driver-ended", ...on },
  closed: { type: "closed", ...on, returned: ["s1"] },
  "before-turn-answered": { type: "before-turn-answered", turn: 1, context: [] },
  "before-settle-answered": { type: "before-settle-answered", turn: 1, input: input("h1") },
  chunk: { type: "chunk", ...of, chunk: { type: "text-delta", id: "x", delta: "b" } },
  "steer-boundary": { type: "steer-boundary", ...of, taken: ["s1"] },
  "steer-undelivered": { type: "steer-undelivered", ...of, inputs: ["s1"] },
  "turn-complete": { type: "turn-complete", ...of, outcome: "completed", answered: [], anchor: null },
  "agent-error": { type: "agent-error", ...of, code: "model", message: "refused" },
  "approval-request": { type: "approval-request", ...of, request: request("q2", "c2") },
  "part-abandoned": { type: "part-abandoned", ...of, part: "c1", reason: "cut" },
  usage: { type: "usage", ...of, usage },
  "autonomous-started": { type: "autonomous-started", connection: 1, generation: "a1", origin: "wake", input: null },
  "autonomous-finished": { type: "autonomous-finished", ...of },
  "loose-approval-request": { type: "loose-approval-request", ...on, request: request("q2", "c2") },
  "approval-withdrawn": { type: "approval-withdrawn", ...on, approval: "q1", reason: "moot" },
  "resume-token": { type: "resume-token", ...on, token: "k" },
  "background-work": { type: "background-work", ...on, active: true, awaitingReply: false },
  "flow-chunk": { type: "flow-chunk", ...on, root: "c1", chunk: { type: "text-start", id: "y" } },
  "compaction-start": { type: "compaction-start", ...on, trigger: "auto" },
  "compaction-complete": { type: "compaction-complete", ...on, done: null },
  "compaction-error": { type: "compaction-error", ...on, message: "no" },
  "loose-usage": { type: "loose-usage", ...on, usage },
  note: { type: "note", ...on, note: { kind: "title", title: "t" } },
  unknown: { type: "unknown", ...on, name: "x" },
  fired: { type: "fired", key: "silence:1:0" },
};

function word(f: Effect): string {
  switch (f.type) {
    case "save":
      return `save(${[...f.ops.map((o) => (o.op === "input" ? o.state : o.op === "note" ? o.note.kind : o.op)), ...f.replies.map((r) => `>${r.answer.kind === "refused" ? r.answer.why : r.answer.kind === "done" ? r.answer.state : r.answer.kind === "accepted" ? r.answer.disposition : r.answer.kind}`)].join(" ")})`;
    case "arm":
    case "disarm":
      return `${f.type}:${f.key.slice(0, f.key.indexOf(":"))}`;
    case "reply":
      return `>${f.answer.kind === "refused" ? f.answer.why : f.answer.kind}`;
    case "violation":
      return `violation:${f.what}`;
    default:
      return f.type;
  }
}
/** Next phase ("=": stays), then the effects; null: nothing at all. */
export const outcomeOf = (phase: PhaseKind, type: EventType): string | null => outcomeWith(transition, phase, type);
export function outcomeWith(core: typeof transition, phase: PhaseKind, type: EventType): string | null {
  const [next, effects] = core(phases[phase], samples[type]);
  if (next === phases[phase] && effects.length === 0) return null;
  const kind = next.phase.kind === phase ? "=" : next.phase.kind;
  return [kind + (next.parked ? "+parked" : ""), ...effects.map(word)].join(" ");
}
export const eventTypes = Object.keys(samples) as readonly EventType[];
export const phaseKinds = Object.keys(phases) as readonly PhaseKind[];
