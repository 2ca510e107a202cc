/** A world around one session: fake store, fake agents, virtual clock, faults. One number = one thing that happens. */
import assert from "node:assert/strict";
import type { GenerationEvent } from "../../packages/host/src/protocol/agent-events.ts";
import type { Answer, End, Input, Part } from "../../packages/host/src/protocol/input.ts";
import type { Op } from "../../packages/host/src/protocol/ops.ts";
import type { Effect, Event, Next, Reply } from "../../packages/host/src/session/events.ts";
import * as recovery from "../../packages/host/src/session/recover.ts";
import type { Session, SessionLimits, Target } from "../../packages/host/src/session/state.ts";
import { transition as real } from "../../packages/host/src/session/transition.ts";
import { calm, compare, drained, hasFuture, held, judge, judgeRecovered, turnIn } from "./checks.ts";
import { type Ask, FakeAgent, type Watch } from "./fake-agent.ts";
import { FakeStore } from "./fake-store.ts";

class Crash extends Error {}
/** When the shell shows a save to subscribers. Only one of the two is right. */
export type Shell = { readonly publish: "at-commit" | "at-save" };
export type Core = { readonly transition: (s: Session, e: Event) => Next; readonly start: typeof recovery.start };
export const core: Core = { transition: real, start: recovery.start };
export type Stats = {
  cells: Map<string, number>;
  events: number;
  effects: Map<string, number>;
  ends: Map<string, number>;
  outcomes: Map<string, number>;
};
export const stats = (): Stats => ({
  cells: new Map(),
  events: 0,
  effects: new Map(),
  ends: new Map(),
  outcomes: new Map(),
});
const bump = (m: Map<string, number>, key: string): void => void m.set(key, (m.get(key) ?? 0) + 1);

/** Small, so that runs of 200 choices reach them. */
export const limits: SessionLimits = {
  waiting: 16,
  kept: 12,
  keptSize: 4_000,
  unsaved: 24,
  approvals: 3,
  flows: 2,
  attempts: 2,
};
export const target: Target = {
  revision: 0,
  tighten: false,
  queueAfter: "hold",
  onResumeFailed: "ask",
  hooks: { beforeTurn: false, beforeSettle: false },
  unattended: "wait",
};
const wait: Readonly<Record<string, number>> = {
  idle: 300,
  "waiting-idle": 60,
  stop: 5,
  close: 5,
  connect: 60,
  reconcile: 45,
  silence: 600,
  "silence-tool": 3_600,
  compaction: 600,
  approval: 86_400,
  offers: 30,
  hook: 30,
};
const deliveries = ["steer", "queue", "interrupt", "reject"] as const;
const text: Part = { type: "text", text: "hi" };
const file: Part = { type: "file", mediaType: "image/png", url: "data:," };
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

export class World implements Watch {
  readonly store: FakeStore;
  s: Session;
  agents = new Map<number, FakeAgent>();
  timers = new Map<string, number>();
  hooks: Event[] = []; // answers of hooks that are out
  viewer: Op[] = []; // what one subscriber has been shown
  now = 0;
  target = target;
  #serial = 0;
  #life = 0;
  #shown = 0; // how much of the viewer is checked
  #disarmed = "idle:0:0";
  #held = new Map<string, number>();
  #crashIn = 0;
  #ended = false; // shut down: the process is about to go
  #sends = new Set<string>();
  #delivered = new Map<string, number>();
  #idempotent = new Set<string>(); // may reach the agent twice: it takes it once
  #released = new Set<string>();
  #ran = new Map<string, number>();
  #legit = new Set<string>();
  #said = new Map<string, string>(); // generation -> text the host was told, while nothing went wrong
  #unsure = new Set<string>(); // generations whose text may have been lost
  readonly #named = new Set<string>(); // steers that the agent said it answered
  #honest = false;
  readonly core: Core;
  readonly stats: Stats;
  readonly shell: Shell;
  constructor(c: Core = core, st: Stats = stats(), shell: Shell = { publish: "at-commit" }) {
    this.core = c;
    this.stats = st;
    this.shell = shell;
    this.store = new FakeStore(
      (r) => this.replied(r),
      (turn, end) => this.settled(turn, end),
    );
    if (shell.publish === "at-commit") this.store.onCommit = (ops) => void this.viewer.push(...ops);
    this.store.continuation = () => (this.serial() % 5 === 0 ? this.input(`h${this.serial()}`, 0, "continue") : null);
    this.s = undefined as never;
    this.restart();
  }

  // --- the shell --------------------------------------------------------------------------------------------------

  restart(): void {
    this.agents.clear();
    this.#named.clear();
    this.timers.clear();
    this.#held.clear();
    this.hooks = [];
    this.#ended = false;
    this.viewer.push(...this.store.journal.slice(this.viewer.length)); // subscribers come back with their cursor
    this.store.pending = [];
    this.store.answers = [];
    this.#life = ++this.store.life;
    this.#crashIn = 0;
    const stored = this.store.facts();
    const [s, effects] = this.core.start(stored, recovery.freshCarry(this.target, limits, {}));
    judgeRecovered(stored, s);
    this.s = s;
    this.guarded(() => {
      for (const f of effects) this.perform(f);
    });
  }
  guarded(run: () => void): void {
    try {
      run();
    } catch (cause) {
      if (!(cause instanceof Crash)) throw cause;
      this.forgetSaid();
      this.restart();
    }
  }
  apply(e: Event): void {
    const before = this.s;
    this.stats.events++;
    bump(this.stats.cells, `${before.phase.kind}/${e.type}`);
    const [next, effects] = this.core.transition(before, e);
    judge(before, e, next, effects);
    if (e.type === "reloaded" && before.phase.kind === "reloading") judgeRecovered(e.stored, next);
    this.s = next;
    if (!effects.some((f) => f.type === "violation" && f.what === "kept-overflow")) this.name(before, e); // else it is lost
    if (effects.some((f) => f.type === "close" && !calm.includes(f.reason))) this.forgetSaid(); // a lost connection may lose text
    for (const f of effects) this.perform(f);
    this.inspect();
  }
  /** A steer that an agent answered, in whatever turn, is over with that turn. */
  name(before: Session, e: Event): void {
    if (e.type === "refused" || e.type === "lease-lost") this.#named.clear(); // what is stored may not know it
    const turns = [turnIn(before), before.parked].flatMap((turn) => turn ?? []);
    const heard = "connection" in before.link ? before.link.connection : 0;
    if (e.type === "turn-complete" && e.connection === heard)
      for (const { steers, generation, connection } of turns)
        if (generation === e.generation && connection === heard)
          for (const { input, sent } of steers) if (sent && e.answered.includes(input.id)) this.#named.add(input.id);
    const { offers, queue } = this.s;
    for (const { input } of [...offers, ...queue])
      assert(!this.#named.has(input.id), "S4 a steer the agent answered does not come back");
  }
  perform(f: Effect): void {
    if (this.#crashIn > 0 && --this.#crashIn === 0) throw new Crash();
    bump(this.stats.effects, f.type);
    const agent = "connection" in f ? this.agents.get(f.connection) : undefined;
    const ask = (a: Ask): void => void agent?.asks.push(a);
    switch (f.type) {
      case "save":
        if (this.shell.publish === "at-save") this.viewer.push(...f.ops);
        return this.store.enqueue({ ...f, life: this.#life });
      case "connect":
        return this.connect(f);
      case "send":
        this.sent(f);
        agent?.inbox.push({ generation: f.generation, input: f.input });
        return ask({ kind: "send", generation: f.generation, input: f.input });
      case "redirect":
        assert(
          this.zombie || this.store.input(f.input.id).state === "offered",
          "D1 a steer's row is safe before the agent hears it",
        );
        return ask({ kind: "redirect", generation: f.generation, input: f.input });
      case "withdraw":
        return ask({ kind: "withdraw", input: f.input });
      case "interrupt":
        return ask({ kind: "interrupt", generation: f.generation });
      case "reconcile":
        return ask({ kind: "reconcile", revision: f.revision });
      case "compact":
        return ask({ kind: "compact" });
      case "release-approval":
        return this.releasedApproval(f);
      case "close":
        return this.closing(f.connection, ask);
      case "kill":
        return void this.agents.delete(f.connection);
      case "read":
        if (agent) agent.reading = f.on;
        return;
      case "ask-before-turn":
        return void this.hooks.push({ type: "before-turn-answered", turn: f.turn, context: [text] });
      case "ask-before-settle":
        return void this.hooks.push({
          type: "before-settle-answered",
          turn: f.turn,
          input: this.serial() % 4 === 0 ? this.input(`h${this.serial()}`, 0, "hook") : null,
        });
      default:
        return this.performRest(f);
    }
  }
  performRest(f: Effect): void {
    switch (f.type) {
      case "arm":
        return void this.timers.set(f.key, this.now + (wait[f.timer] ?? 1));
      case "disarm":
        this.timers.delete(f.key);
        this.#disarmed = f.key;
        return;
      case "reload":
        this.forgetSaid();
        this.#life = this.store.life;
        this.viewer.push(...this.store.journal.slice(this.viewer.length));
        this.store.answers = [{ type: "reloaded", stored: this.store.facts() }];
        return;
      case "evict":
        this.forgetSaid();
        return this.restart();
      default:
        return;
    }
  }
  connect(f: Extract<Effect, { type: "connect" }>): void {
    const agent = new FakeAgent(f.connection, !this.#honest && this.serial() % 11 === 0, this.serial() % 2 === 0, this);
    this.agents.set(f.connection, agent);
    const waiting = f.waiting && { generation: `t${f.waiting.turn}`, approvals: f.waiting.approvals };
    agent.asks.push({ kind: "connect", waiting, how: f.how });
  }
  /** Another host has taken the session; ours does not know yet. Fencing protects the rows, not the agent. */
  get zombie(): boolean {
    return this.#life !== this.store.life;
  }
  closing(connection: number, ask: (a: Ask) => void): void {
    const agent = this.agents.get(connection);
    assert(!agent?.asks.some((a) => a.kind === "close"), "C1 a connection is closed once");
    if (agent) agent.asks = agent.asks.filter((a) => a.kind !== "connect");
    ask({ kind: "close" });
  }
  sent(f: Extract<Effect, { type: "send" }>): void {
    assert(!this.#sends.has(f.generation), "A1 a turn is sent at most once");
    this.#sends.add(f.generation);
    if (this.zombie) return;
    assert(this.store.openMessage(f.turn), "D1 rows are safe before the agent hears anything");
    assert.equal(this.store.turns.get(f.turn)?.input, f.input.id, "A1 a turn is sent its own input");
    assert(this.store.input(f.input.id).told || f.input.branch?.position === "at", "D1 its user message is stored");
    for (const [no, t] of this.store.turns)
      assert(no === f.turn || t.end !== null, "S3 a turn is sent after the durable close of the last");
    if (this.target.hooks.beforeTurn && this.s.target.hooks.beforeTurn && f.context.length === 0)
      bump(this.stats.effects, "send-without-context");
    this.delivered(f.input.id);
  }
  releasedApproval(f: Extract<Effect, { type: "release-approval" }>): void {
    const row = this.store.approvals.get(f.approval);
    if (f.answer.decision === "allow" && !this.zombie) assert.equal(row?.how, "allow", "S9 row first, then the agent");
    // a connection that is given up may have been told no; only a yes runs anything, and only one is ever said
    const told = f.answer.decision === "allow" ? f.approval : `${f.approval} to ${f.connection} of ${this.#life}`;
    assert(!this.#released.has(told), "S9 an approval releases the agent at most once");
    this.#released.add(told);
    this.agents.get(f.connection)?.released(f.approval, f.answer);
  }
  replied(r: Reply): void {
    if (r.answer.kind === "accepted") this.store.input(r.to); // an acknowledged input is stored
  }
  settled(turn: number, end: End): void {
    bump(this.stats.ends, `${end.outcome}:${end.reason}`);
    if (end.outcome !== "completed") return;
    const said = this.store.textOf(turn);
    const generations = new Set([`t${turn}`, ...[...said.matchAll(/([ta]\d+)#/g)].map((m) => m[1] ?? "")]);
    for (const generation of generations) {
      const mine = (said.match(/[^;]*;/g) ?? []).filter((part) => part.startsWith(`${generation}#`)).join("");
      const told = this.#said.get(generation);
      if (told !== undefined) assert.equal(mine, told, `S7 everything ${generation} said is stored, in order`);
    }
  }

  // --- what must hold ---------------------------------------------------------------------------------------------

  inspect(): void {
    const s = this.s;
    for (; this.#shown < this.viewer.length; this.#shown++)
      assert(this.viewer[this.#shown] === this.store.journal[this.#shown], "D4 what a viewer sees is stored, in order");
    const back = s.queue.flatMap((w) => (w.returned === null ? [] : [w.returned]));
    assert(
      back.every((order, at) => at === 0 || (back[at - 1] ?? 0) <= order),
      "Q4 what came back stands in the order it came",
    );
    this.inspectBounds(s);
    if (s.phase.kind === "reloading" || s.phase.kind === "gone") return;
    assert(
      s.approvals.every((a) => a.connection === null || (s.link.kind !== "none" && a.connection === s.link.connection)),
      "G2 an approval dies with its connection",
    );
    assert(
      s.flows.every((f) => s.link.kind !== "none" && f.connection === s.link.connection),
      "G2 a flow dies with its connection",
    );
    const saving = s.saves > s.saved || this.store.answers.length > 0;
    if (!hasFuture(s, saving)) {
      const told = { link: s.link, phase: s.phase, offers: s.offers, kept: s.kept.length, timers: s.timers };
      assert.fail(`L5 ${s.phase.kind} waits for something that will come: ${JSON.stringify(told)}`);
    }
    if (!saving && s.saves > 0) compare(s, this.store);
  }
  inspectBounds(s: Session): void {
    assert(s.queue.length <= limits.waiting + 2, "B1 the queue is bounded");
    const ends = new Set(s.kept.map((k) => `${k.connection} ${k.generation}`)).size; // one for each that waits, made here
    assert(s.kept.length <= limits.kept + ends, "B2 kept events are bounded");
    assert(s.keptSize >= 0 && (s.kept.length > 0 || s.keptSize === 0), "B2 the size of what is kept is known");
    assert(s.approvals.length <= limits.approvals, "B3 approvals are bounded");
    assert(s.flows.length <= limits.flows, "B5 flows are bounded");
    if (s.link.kind === "open")
      assert(s.saves - s.saved < limits.unsaved || !s.link.reading, "B4 a slow store stops the reading");
  }

  // --- what may happen --------------------------------------------------------------------------------------------

  serial(): number {
    return ++this.#serial;
  }
  delivered(id: string): void {
    const times = (this.#delivered.get(id) ?? 0) + 1;
    assert(times === 1 || this.#idempotent.has(id), `A2 ${id} reached the agent twice`);
    this.#delivered.set(id, times);
  }
  ran(call: string): void {
    const times = (this.#ran.get(call) ?? 0) + 1;
    assert(times === 1, `A4 ${call} ran twice`);
    this.#ran.set(call, times);
  }
  legit(delta: string): void {
    this.#legit.add(delta);
  }
  input(id: string, a: number, origin: Input["origin"]): Input {
    const branch = a % 19 === 18 ? ({ messageId: "msg", position: a % 2 ? "before" : "at" } as const) : null;
    return {
      id,
      agentKey: id,
      delivery: deliveries[a % 7 < 4 ? 0 : a % 4] ?? "steer",
      parts: branch?.position === "at" ? [] : a % 17 === 0 ? [text, file] : [text],
      model: a % 11 === 10 ? "big" : null,
      effort: null,
      headless: a % 6 === 5,
      branch,
      author: null,
      origin,
    };
  }
  submit(a: number): void {
    if (this.#ended) return; // the host refuses them
    const id = `m${this.serial()}`;
    this.apply({ type: "submit", to: id, input: this.input(id, a, "user") });
  }
  tell(): void {
    if (this.s.phase.kind === "reloading" && !this.#honest && this.serial() % 4 > 0) return; // reading takes its time
    const e = this.store.answers.shift();
    if (e) this.apply(e);
  }
  answerHook(a: number): void {
    if (a % 3 > 0 && !this.#honest) return; // people's code is slow
    const e = this.hooks.shift();
    if (e && (a % 5 !== 0 || this.#honest)) this.apply(e); // now and then none comes
  }
  hear(a: number): void {
    const readable = [...this.agents.values()].filter(
      (x) => x.reading || this.s.link.kind !== "open" || this.s.link.connection !== x.connection,
    );
    const agent = pick(readable, a);
    const e = agent?.lane.shift();
    if (!agent || !e) return;
    if (e.type === "chunk") this.heard(e, agent.connection);
    if (e.type === "autonomous-started" && e.generation !== "a0" && this.isLive(e.connection))
      this.#said.set(e.generation, this.#said.get(e.generation) ?? "");
    this.apply(e);
  }
  isLive(connection: number): boolean {
    return this.s.link.kind === "open" && this.s.link.connection === connection;
  }
  /** A connection, a commit or the host was lost: text on its way may be lost with it. */
  forgetSaid(): void {
    for (const generation of this.#said.keys()) this.#unsure.add(generation);
    for (const turn of [turnIn(this.s), this.s.parked]) if (turn) this.#unsure.add(turn.generation);
    this.#said.clear();
  }
  /** Text of a live generation on the live connection must reach the store, unless the turn does not complete. */
  heard(e: Extract<GenerationEvent, { type: "chunk" }>, connection: number): void {
    if (
      this.#unsure.has(e.generation) ||
      !this.isLive(connection) ||
      e.chunk.type !== "text-delta" ||
      !this.#legit.has(e.chunk.delta)
    )
      return;
    const known =
      [turnIn(this.s), this.s.parked].some((t) => t && (t.generation === e.generation || t.joined === e.generation)) ||
      this.s.kept.some((k) => k.generation === e.generation) ||
      this.#said.has(e.generation);
    if (known) this.#said.set(e.generation, (this.#said.get(e.generation) ?? "") + e.chunk.delta);
  }
  reply(a: number): void {
    const agent = pick(
      [...this.agents.values()].filter((x) => x.asks.length > 0),
      a,
    );
    const e = agent?.answer(a, this.#honest);
    if (e) this.apply(e);
  }
  agentActs(a: number): void {
    pick([...this.agents.values()], a)?.act(a >> 1, this.#honest);
  }
  user(a: number): void {
    const to = `c${this.serial()}`;
    const open = this.store.inputs.filter((r) => ["queued", "held", "offered"].includes(r.state));
    const input = pick(open, a >> 4)?.input.id ?? "m0";
    const other = pick(this.store.inputs, a >> 5)?.input.id ?? "m0";
    switch (a % 16) {
      case 0:
      case 1:
        return this.apply({ type: "cancel", to, input });
      case 2:
        return this.apply({ type: "move", to, input, before: a & 64 ? other : null });
      case 3:
      case 4:
      case 5:
        return this.release(to, a & 32 ? input : null);
      case 6:
      case 7:
      case 8:
        return this.apply({ type: "stop", to, turn: (a & 64 ? this.s.parked?.no : turnIn(this.s)?.no) ?? 1 });
      case 9:
        return this.apply({ type: "stop", to, turn: Math.max(1, this.s.turns - 1) });
      case 10:
        return this.apply({ type: "edit", to, input, parts: [text, text], place: a & 64 ? "behind" : "instead" });
      case 11:
        return this.resume(to, a);
      case 12:
        return this.apply({ type: "compact", to, text: null });
      case 13:
        return this.apply({ type: a & 64 ? "close" : "stop-compaction", to });
      default:
        return this.submit(a);
    }
  }
  /** A person asked again: what is uncertain may reach the agent a second time. */
  release(to: string, input: string | null): void {
    for (const w of this.s.queue)
      if (w.held !== null && (input === null || w.input.id === input)) this.#delivered.delete(w.input.id);
    this.apply({ type: "release", to, input });
  }
  resume(to: string, a: number): void {
    for (const w of this.s.queue) if (w.held === "failed") this.#delivered.delete(w.input.id);
    this.apply({
      type: "resume",
      to,
      how: pick(["token", "fresh", "fresh-with-transcript"] as const, a >> 5) ?? "token",
    });
  }
  approve(a: number): void {
    if (this.#ended) return; // the host refuses answers too: they would begin something
    const id = pick(this.s.approvals, a >> 1)?.request.approval ?? pick([...this.store.approvals.keys()], a);
    const answer: Answer = { decision: a % 2 === 0 ? "allow" : "deny", input: null, reason: null, by: "p" };
    if (id) this.apply({ type: "answer", to: `p${this.serial()}`, approval: id, answer });
  }
  hold(a: number): void {
    const reason = a % 2 === 0 ? "backup" : "quiesce";
    this.holdOrRelease(held(this.s) && a % 3 !== 0 ? "unhold" : "hold", reason);
  }
  holdOrRelease(type: "hold" | "unhold", reason: string): void {
    this.#held.set(reason, Math.max(0, (this.#held.get(reason) ?? 0) + (type === "hold" ? 1 : -1)));
    this.apply({ type, reason });
    for (const [name, count] of this.#held)
      assert.equal(this.s.holds[name] ?? 0, count, "H1 holds are counted by name");
  }
  time(a: number): void {
    if (a % 8 === 6) return this.apply({ type: "fired", key: this.#disarmed }); // it was on its way already
    const due = [...this.timers].sort((x, y) => x[1] - y[1]);
    const next = a % 8 === 7 ? pick(due, a >> 3) : due[0]; // now and then the clock jumps
    if (!next || (this.#ended && next[0].startsWith("approval"))) return;
    this.now = Math.max(this.now, next[1]);
    this.timers.delete(next[0]);
    this.apply({ type: "fired", key: next[0] });
  }
  configure(a: number): void {
    if (a % 4 === 0) return this.apply({ type: "prime" });
    if (a % 4 === 1 && this.s.link.kind !== "none")
      return this.apply({ type: "reap", connection: this.s.link.connection });
    if (a % 4 <= 1) return;
    const { tighten: _, ...rest } = this.s.target;
    const hooks = { beforeTurn: a % 3 === 0, beforeSettle: a % 5 < 3 };
    this.target = {
      ...rest,
      tighten: false,
      revision: rest.revision + 1,
      hooks,
      queueAfter: a % 3 === 0 ? "run" : "hold",
      unattended: a % 7 < 2 ? "deny" : "wait",
      onResumeFailed: pick(["ask", "fresh", "fresh-with-transcript"] as const, a >> 4) ?? "ask",
    };
    this.apply({ type: "target", target: this.target, tighten: a % 3 === 0 });
  }
  fault(a: number): void {
    switch (a % 16) {
      case 0:
      case 1:
      case 8:
        this.#crashIn = 1 + ((a >> 4) % 6);
        return;
      case 2:
        this.store.fail = "io";
        return;
      case 3:
        return this.steal();
      case 4:
        if (this.s.phase.kind !== "gone") this.apply({ type: "lease-lost" });
        return;
      case 5:
        for (const agent of this.agents.values()) agent.die();
        return;
      case 6:
        this.store.commit();
        throw new Crash(); // the last commit is safe, its answer is lost
      case 7:
        throw new Crash();
      case 9:
        return this.shutdown();
      default:
        return;
    }
  }
  shutdown(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.holdOrRelease("hold", "shutdown");
    this.apply({ type: "shutdown" });
  }
  /** Another host takes the session, repairs it and gives it up again; ours does not know yet. */
  steal(): void {
    this.forgetSaid();
    if (this.store.pending.length > 0) {
      this.store.fail = "lease-lost";
      this.store.commit();
    } else this.store.life++;
    const [, effects] = this.core.start(this.store.facts(), recovery.freshCarry(this.target, limits, {}));
    for (const f of effects) if (f.type === "save") this.store.transaction(f.ops);
    this.store.answers.push({ type: "lease-lost" });
  }

  // --- coming to rest ---------------------------------------------------------------------------------------------

  rest(): void {
    this.#honest = true;
    this.#crashIn = 0;
    this.store.fail = null;
    if (this.#ended) {
      this.quiet();
      assert(
        this.s.phase.kind === "idle" || this.s.phase.kind === "waiting",
        `L7 a shutdown ends every turn: ${this.s.phase.kind}`,
      );
      this.guarded(() => {
        throw new Crash();
      });
    }
    if (held(this.s)) {
      this.quiet();
      assert(
        drained(this.s) || (this.s.link.kind === "open" && !this.s.link.reading),
        `L6 under a hold the session drains: ${this.s.phase.kind}`,
      );
      for (const reason of Object.keys(this.s.holds))
        while (this.s.holds[reason]) this.guarded(() => this.holdOrRelease("unhold", reason));
    }
    this.quiet();
    this.final();
    for (let i = 0; i < 40 && this.s.approvals.length > 0; i++) {
      this.peopleAnswer(i); // it could wait for ever; now it need not
      this.quiet();
    }
    this.final();
    assert(this.s.phase.kind === "idle" && this.s.link.kind === "none", "L1 once people answered nothing waits");
  }
  peopleAnswer(i: number): void {
    for (const a of this.s.approvals) {
      const answer: Answer = {
        decision: (i + this.#serial) % 3 ? "allow" : "deny",
        input: null,
        reason: null,
        by: "p",
      };
      this.guarded(() => this.apply({ type: "answer", to: `p${this.serial()}`, approval: a.request.approval, answer }));
    }
  }
  quiet(): void {
    let beat = 0;
    let still = 0;
    for (let i = 0; i < 6_000; i++) {
      const before = this.stats.events;
      this.guarded(() => this.honestStep(i, beat++));
      still = this.stats.events === before ? still + 1 : 0;
      if (still > 80) return; // what waits now waits for a person
      const lanes = this.store.pending.length + this.store.answers.length + this.hooks.length;
      const silent = [...this.agents.values()].every((x) => x.quiet || !x.reading);
      if (lanes === 0 && silent && ![...this.timers.keys()].some((k) => !k.startsWith("approval"))) return;
    }
    assert.fail(`L1 does not come to rest: ${JSON.stringify(this.s)} ${[...this.timers.keys()].join()}`);
  }
  honestStep(i: number, beat: number): void {
    if (this.store.pending.length + this.store.answers.length > 0) {
      this.store.commit();
      return this.tell();
    }
    const before = this.stats.events;
    this.answerHook(1);
    for (const agent of this.agents.values()) {
      const e = agent.asks.length > 0 ? agent.answer(i, true) : null;
      if (e) this.apply(e);
    }
    for (let k = 0; k < this.agents.size; k++) this.hear(k);
    for (const agent of this.agents.values()) agent.act(beat, true);
    if (this.stats.events === before && i % 12 === 11) this.timeAtRest();
  }
  /** Approvals have no deadline at rest: people may take for ever. */
  timeAtRest(): void {
    const [key, at] = [...this.timers].filter(([k]) => !k.startsWith("approval")).sort((x, y) => x[1] - y[1])[0] ?? [];
    if (key === undefined || at === undefined) return;
    this.now = Math.max(this.now, at);
    this.timers.delete(key);
    this.apply({ type: "fired", key });
  }
  final(): void {
    const { s, store } = this;
    // what waits for a person rests, and so does what waits for that
    const rests = s.phase.kind === "waiting" ? s.phase.turn.no : null;
    const resting = rests === null ? [] : [rests, s.parked?.no];
    assert(s.phase.kind === "idle" || rests !== null, `L1 comes to rest: ${s.phase.kind}`);
    const asked = s.approvals.some((a) => a.turn === null || !a.request.durable);
    const free = s.parked === null && s.kept.length === 0 && !asked;
    if (free)
      assert.equal(
        s.link.kind,
        "none",
        `L4 an idle connection is closed in the end: ${JSON.stringify(s.link)} ${s.timers}`,
      );
    const over = s.parked === null && s.kept.length === 0 && s.offers.length === 0;
    assert((over || rests !== null) && s.compact === null, "L1 nothing is left over");
    assert(!store.compacting || s.link.kind === "open", "K3 each compaction that was shown has an end");
    assert(
      store.messages.every((m) => !m.open || (m.turn !== null && resting.includes(m.turn))),
      "L3 no message stays open",
    );
    assert(
      [...store.turns].every(([no, t]) => t.end !== null || resting.includes(no)),
      "L3 each turn is settled",
    );
    assert(
      [...store.approvals.values()].every(
        (a) => a.how !== null || (a.turn === null ? s.link.kind === "open" : resting.includes(a.turn)),
      ),
      "L3 each approval is closed",
    );
    for (const r of store.inputs) {
      const inTurn = r.turn !== null && resting.includes(r.turn) && (r.state === "started" || r.state === "taken");
      const behind = rests !== null && (r.state === "queued" || (r.state === "offered" && s.link.kind === "open"));
      assert(
        inTurn || behind || ["answered", "unanswered", "held", "cancelled"].includes(r.state),
        `L2 ${r.input.id} is ${r.state}`,
      );
      bump(this.stats.outcomes, `${r.state}${r.reason ? `:${r.reason}` : ""}`);
    }
    assert.deepEqual(this.viewer, store.journal, "S7 a viewer has seen what is stored");
  }
}
