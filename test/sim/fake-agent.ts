/** One connection to an agent that obeys the driver contract, and sometimes does not. */
import type { ApprovalRequest, GenerationEvent } from "../../packages/host/src/protocol/agent-events.ts";
import type { UIMessageChunk } from "../../packages/host/src/protocol/chunks.ts";
import type { Generation, InputId } from "../../packages/host/src/protocol/ids.ts";
import type { Answer, Input } from "../../packages/host/src/protocol/input.ts";
import type { Event, Verdict } from "../../packages/host/src/session/events.ts";
import type { Abilities } from "../../packages/host/src/session/state.ts";

export type Ask =
  | {
      readonly kind: "connect";
      readonly waiting: { readonly generation: Generation; readonly approvals: readonly ApprovalRequest[] } | null;
      readonly how: string;
    }
  | { readonly kind: "close" }
  | { readonly kind: "send"; readonly generation: Generation; readonly input: Input }
  | { readonly kind: "interrupt"; readonly generation: Generation }
  | { readonly kind: "redirect"; readonly generation: Generation; readonly input: Input }
  | { readonly kind: "withdraw"; readonly input: InputId }
  | { readonly kind: "reconcile"; readonly revision: number }
  | { readonly kind: "compact" };
/** What the world wants to know. */
export type Watch = {
  serial(): number;
  delivered(id: InputId): void;
  ran(call: string): void;
  legit(text: string): void;
};
const verdicts: readonly Verdict[] = ["current", "patched", "rebuild", "patched", "invalid", "failed"];
type Out = { text: string | null; tools: Set<string> }; // unfinished parts of one generation
type Question = { readonly request: ApprovalRequest; readonly generation: Generation | null };

export class FakeAgent {
  up = false;
  dead = false;
  reading = true;
  lane: Event[] = [];
  asks: Ask[] = [];
  user: Generation | null = null;
  own: Generation | null = null;
  inbox: { generation: Generation; input: Input }[] = [];
  steers: Input[] = [];
  questions = new Map<string, Question>();
  out = new Map<Generation, Out>();
  flows = new Set<string>();
  background = { active: false, awaitingReply: false };
  compacting = false;
  past: Generation[] = [];
  readonly connection: number;
  readonly mute: boolean; // never acts, never answers
  readonly adopts: boolean; // makes a turn of its own of a steer no tool followed
  readonly watch: Watch;
  constructor(connection: number, mute: boolean, adopts: boolean, watch: Watch) {
    this.connection = connection;
    this.mute = mute;
    this.adopts = adopts;
    this.watch = watch;
  }

  get running(): Generation | null {
    return this.own ?? this.user;
  }
  get quiet(): boolean {
    const works =
      this.up &&
      !this.dead &&
      !this.mute &&
      (this.running !== null ||
        this.inbox.length > 0 ||
        this.background.active ||
        this.compacting ||
        this.flows.size > 0 ||
        (this.adopts && this.steers.length > 0));
    return this.lane.length === 0 && (!works || this.asksPeople);
  }
  /** What runs only waits for people. */
  get asksPeople(): boolean {
    const out = this.running === null ? null : this.out.get(this.running);
    if (
      !out ||
      out.text !== null ||
      out.tools.size === 0 ||
      this.background.active ||
      this.flows.size > 0 ||
      this.compacting
    )
      return false;
    const asked = [...this.questions.values()].map((q) => q.request.toolCallId);
    return [...out.tools].every((id) => asked.includes(id));
  }
  say(e: GenerationEvent): void {
    this.lane.push(e);
  }
  chunk(generation: Generation, chunk: UIMessageChunk): void {
    this.say({ type: "chunk", connection: this.connection, generation, chunk });
  }
  outOf(generation: Generation): Out {
    const out = this.out.get(generation) ?? { text: null, tools: new Set() };
    this.out.set(generation, out);
    return out;
  }

  // --- answers ----------------------------------------------------------------------------------------------------

  /** How it answers one call of the host. Variant 0 obeys. */
  answer(variant: number, honest: boolean): Event | null {
    const ask = this.asks.shift();
    if (!ask || (this.mute && ask.kind !== "connect")) return null;
    const { connection } = this;
    const v = honest ? 0 : variant;
    switch (ask.kind) {
      case "connect":
        return this.connect(ask, v, variant);
      case "close": {
        this.dead = true;
        return { type: "closed", connection, returned: v % 4 === 3 ? [] : this.steers.map((i) => i.id) };
      }
      case "send":
        if (!this.dead && v % 16 !== 7) return null;
        this.inbox = this.inbox.filter((x) => x.generation !== ask.generation);
        return { type: "send-failed", connection, generation: ask.generation, message: "broken pipe" };
      case "interrupt":
        return this.abort(ask.generation, v);
      case "redirect":
        if (!this.dead && v % 4 !== 3 && this.user === ask.generation) {
          this.steers.push(ask.input);
          return null;
        }
        return { type: "redirect-refused", connection, input: ask.input.id };
      case "withdraw": {
        const ok = this.steers.some((i) => i.id === ask.input);
        this.steers = this.steers.filter((i) => i.id !== ask.input);
        return { type: "withdrawn", connection, input: ask.input, ok };
      }
      case "reconcile":
        return {
          type: "reconciled",
          connection,
          revision: ask.revision,
          verdict: verdicts[honest ? variant % 4 : v % 6] ?? "current",
        };
      case "compact":
        if (v % 5 === 4) return { type: "compaction-error", connection, message: "no" };
        this.compacting = true;
        return { type: "compaction-start", connection, trigger: "asked" };
    }
  }
  connect(ask: Extract<Ask, { kind: "connect" }>, v: number, variant: number): Event | null {
    const { connection } = this;
    if (this.dead) return null;
    if (v % 16 === 7 || (ask.how === "token" && v % 16 === 9)) {
      this.dead = true;
      return { type: "connect-failed", connection, reason: v % 16 === 9 ? "resume-failed" : "spawn", message: "no" };
    }
    this.up = true;
    if (ask.waiting) this.goOn(ask.waiting.generation, ask.waiting.approvals);
    const abilities: Abilities = {
      steers: variant % 4 !== 3,
      steersRich: variant % 3 === 0,
      idempotent: variant % 8 === 1,
      compacts: variant % 5 !== 2,
    };
    return { type: "connected", connection, abilities };
  }
  /** A turn that waited for people: it asks again, under the same names. */
  goOn(generation: Generation, approvals: readonly ApprovalRequest[]): void {
    this.user = generation;
    for (const request of approvals) {
      this.outOf(generation).tools.add(request.toolCallId);
      this.questions.set(request.approval, { request, generation });
      this.say({ type: "approval-request", connection: this.connection, generation, request });
    }
  }
  abort(generation: Generation, v: number): Event | null {
    const { connection } = this;
    if (v % 8 === 5) return { type: "interrupted", connection, generation, answer: "unsupported" };
    if (v % 8 === 7) return null;
    const known =
      this.user === generation || this.own === generation || this.inbox.some((x) => x.generation === generation);
    this.inbox = this.inbox.filter((x) => x.generation !== generation);
    if (this.user === generation || this.own === generation) this.complete(generation, "stopped", 0);
    else if (known)
      this.say({ type: "turn-complete", connection, generation, outcome: "stopped", answered: [], anchor: null });
    return { type: "interrupted", connection, generation, answer: known ? "aborted" : "already-settled" };
  }
  released(approval: string, answer: Answer): void {
    const question = this.questions.get(approval);
    if (!question || this.dead) return;
    this.questions.delete(approval);
    const { generation, request } = question;
    if (answer.decision === "allow") this.watch.ran(request.toolCallId);
    if (generation === null || !this.outOf(generation).tools.delete(request.toolCallId)) return;
    this.chunk(
      generation,
      answer.decision === "allow"
        ? { type: "tool-output-available", toolCallId: request.toolCallId, output: "ran" }
        : { type: "tool-output-denied", toolCallId: request.toolCallId },
    );
  }

  // --- what it does of itself ---------------------------------------------------------------------------------------

  act(n: number, honest: boolean): void {
    if (!this.up || this.dead || this.mute) return;
    if (!this.user && !this.own) this.user = this.inbox.shift()?.generation ?? null;
    const moves = honest ? honestMoves : anyMoves;
    moves[n % moves.length]?.(this, n >> 5, honest);
  }
  beginText(run: Generation): string {
    const id = `x${this.watch.serial()}`;
    this.outOf(run).text = id;
    this.chunk(run, { type: "text-start", id });
    return id;
  }
  text(run: Generation): void {
    const id = this.outOf(run).text ?? this.beginText(run);
    const delta = `${run}#${this.watch.serial()};`;
    this.watch.legit(delta);
    this.chunk(run, { type: "text-delta", id, delta });
  }
  endText(run: Generation): void {
    const out = this.outOf(run);
    if (out.text !== null) this.chunk(run, { type: "text-end", id: out.text });
    out.text = null;
  }
  tool(run: Generation): string {
    const toolCallId = `c${this.watch.serial()}`;
    this.outOf(run).tools.add(toolCallId);
    this.chunk(run, { type: "tool-input-available", toolCallId, toolName: "bash", input: {} });
    return toolCallId;
  }
  finishTools(run: Generation): void {
    const asked = [...this.questions.values()].map((q) => q.request.toolCallId);
    for (const toolCallId of this.outOf(run).tools) {
      if (asked.includes(toolCallId)) continue;
      this.outOf(run).tools.delete(toolCallId);
      this.watch.ran(toolCallId);
      this.chunk(run, { type: "tool-output-available", toolCallId, output: "ran" });
    }
  }
  ask(run: Generation | null, durable: boolean): void {
    const approval = `q${this.watch.serial()}`;
    const { connection } = this;
    const request = {
      approval,
      toolCallId: run ? this.tool(run) : `c${this.watch.serial()}`,
      toolName: "bash",
      input: {},
      durable,
    };
    this.questions.set(approval, { request, generation: run });
    if (run) this.say({ type: "approval-request", connection, generation: run, request });
    else this.lane.push({ type: "loose-approval-request", connection, request });
  }
  take(run: Generation, count: number): void {
    this.endText(run);
    this.finishTools(run);
    if (this.outOf(run).tools.size > 0) return;
    const taken = this.steers.splice(0, count).map((i) => i.id);
    for (const id of taken) this.watch.delivered(id);
    this.say({ type: "steer-boundary", connection: this.connection, generation: run, taken });
  }
  undelivered(generation: Generation): void {
    this.say({
      type: "steer-undelivered",
      connection: this.connection,
      generation,
      inputs: this.steers.splice(0).map((i) => i.id),
    });
  }
  complete(run: Generation, how: "completed" | "stopped" | "error", merge: number): void {
    const { connection } = this;
    const answered: InputId[] = [];
    if (run === this.user && merge % 3 === 1 && how === "completed")
      answered.push(...this.steers.splice(0).map((i) => i.id));
    for (const id of answered) this.watch.delivered(id);
    if (run === this.user && !(this.adopts && how === "completed") && this.steers.length > 0) this.undelivered(run);
    this.endText(run);
    for (const id of this.outOf(run).tools)
      this.chunk(run, { type: "tool-output-error", toolCallId: id, errorText: "aborted" });
    this.out.delete(run);
    for (const [id, q] of this.questions) if (q.generation === run) this.questions.delete(id);
    if (how === "error")
      this.say({ type: "agent-error", connection, generation: run, code: "model", message: "refused" });
    else
      this.say({
        type: "turn-complete",
        connection,
        generation: run,
        outcome: how,
        answered,
        anchor: merge % 2 ? `n${merge}` : null,
      });
    if (run === this.own) {
      this.own = null;
      this.say({ type: "autonomous-finished", connection, generation: run });
    } else this.user = null;
    this.past.push(run);
  }
  beginOwn(): void {
    const input = this.adopts && !this.user ? this.steers.shift() : undefined;
    if (this.own || (!input && this.adopts && this.steers.length > 0)) return;
    this.own = `a${this.watch.serial()}`;
    if (input) this.watch.delivered(input.id);
    this.say({
      type: "autonomous-started",
      connection: this.connection,
      generation: this.own,
      origin: input ? "steer" : "wake",
      input: input?.id ?? null,
    });
  }
  setBackground(active: boolean, awaitingReply: boolean): void {
    this.background = { active, awaitingReply };
    if (!active) this.flows.clear();
    this.lane.push({ type: "background-work", connection: this.connection, active, awaitingReply });
  }
  flow(n: number, ending: boolean): void {
    const root = ending || n % 3 === 1 ? ([...this.flows][0] ?? (ending ? null : "g0")) : `g${this.watch.serial()}`;
    if (root === null) return;
    const chunk: UIMessageChunk = ending
      ? ({ type: "finish" } as const)
      : n % 2
        ? { type: "text-start", id: `y${this.watch.serial()}` }
        : { type: "tool-input-available", toolCallId: `z${this.watch.serial()}`, toolName: "grep", input: {} };
    if (ending) this.flows.delete(root);
    else this.flows.add(root);
    this.lane.push({ type: "flow-chunk", connection: this.connection, root, chunk });
  }
  compact(n: number): void {
    this.compacting = !this.compacting;
    const { connection } = this;
    if (this.compacting) this.lane.push({ type: "compaction-start", connection, trigger: "auto" });
    else if (n % 3 === 1) this.lane.push({ type: "compaction-error", connection, message: "no" });
    else this.lane.push({ type: "compaction-complete", connection, done: null });
  }
  usage(run: Generation | null): void {
    const usage = {
      requestId: `u${this.watch.serial()}`,
      model: "m",
      tokens: { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
      timing: { firstTokenMs: null, totalMs: null },
      cost: null,
    };
    const { connection } = this;
    this.lane.push(
      run ? { type: "usage", connection, generation: run, usage } : { type: "loose-usage", connection, usage },
    );
  }
  withdrawQuestion(): void {
    const [id, q] = [...this.questions][0] ?? [];
    if (!id || !q) return;
    this.questions.delete(id);
    this.lane.push({ type: "approval-withdrawn", connection: this.connection, approval: id, reason: "moot" });
    if (q.generation && this.outOf(q.generation).tools.delete(q.request.toolCallId))
      this.chunk(q.generation, { type: "tool-output-error", toolCallId: q.request.toolCallId, errorText: "moot" });
  }
  /** Out of contract: late, doubled, invented. */
  violate(n: number): void {
    const { connection } = this;
    const past = this.past.at(-1) ?? "t999";
    const run = this.running ?? past;
    const request = {
      approval: `q${this.watch.serial()}`,
      toolCallId: "never",
      toolName: "bash",
      input: {},
      durable: false,
    };
    const bad: readonly GenerationEvent[] = [
      { type: "chunk", connection, generation: past, chunk: { type: "text-delta", id: "late", delta: "late;" } },
      { type: "turn-complete", connection, generation: past, outcome: "completed", answered: [], anchor: null },
      { type: "steer-boundary", connection, generation: run, taken: ["never"] },
      { type: "steer-undelivered", connection, generation: run, inputs: ["never"] },
      { type: "autonomous-finished", connection, generation: past },
      { type: "approval-request", connection, generation: past, request },
      { type: "autonomous-started", connection, generation: this.own ?? "a0", origin: "", input: null },
      { type: "part-abandoned", connection, generation: run, part: "never", reason: "x" },
      {
        type: "autonomous-started",
        connection,
        generation: `a${this.watch.serial()}`,
        origin: "steer",
        input: "never",
      },
    ];
    const e = bad[n % bad.length];
    if (e?.type === "autonomous-started" && e.input === "never") this.own ??= e.generation;
    if (e) this.say(e);
  }
  die(): void {
    this.dead = true;
    this.lane.push({ type: "driver-ended", connection: this.connection });
  }
}

type Move = (a: FakeAgent, n: number, honest: boolean) => void;
const withRun =
  (then: (a: FakeAgent, run: Generation, n: number) => void): Move =>
  (a, n) => {
    if (a.running) then(a, a.running, n);
  };
const text = withRun((a, run) => a.text(run));
const tool = withRun((a, run) => void a.tool(run));
const ends = withRun((a, run) => {
  a.endText(run);
  a.finishTools(run);
});
const take: Move = (a, n) => {
  if (a.user && a.running === a.user && a.steers.length > 0) a.take(a.user, 1 + (n % 2));
};
const done: Move = (a, n, honest) => {
  if (!a.running || a.asksPeople) return;
  if (honest || n % 4 > 0)
    a.text(a.running); // now and then it ends without a word
  else if (n % 8 === 4 && a.outOf(a.running).text === null) a.beginText(a.running);
  a.finishTools(a.running);
  a.complete(a.running, !honest && n % 9 === 8 ? "error" : "completed", honest ? 0 : n);
};
const own: Move = (a) => a.beginOwn();
const adopt: Move = (a) => {
  if (a.adopts && a.steers.length > 0 && !a.user) a.beginOwn();
};
const endFlows: Move = (a) => a.flow(0, true);
const restBackground: Move = (a) => {
  if (a.background.active) a.setBackground(false, false);
};
const restCompaction: Move = (a) => {
  if (a.compacting) a.compact(0);
};
const honestMoves: readonly Move[] = [text, take, ends, done, restBackground, restCompaction, adopt, endFlows];
const anyMoves: readonly Move[] = [
  text,
  text,
  text,
  tool,
  ends,
  take,
  take,
  done,
  done,
  text,
  ends,
  (a) => {
    if (a.user && a.steers.length > 0 && a.running === a.user) a.undelivered(a.user);
  },
  own,
  adopt,
  (a, n) => a.setBackground(!a.background.active, !a.background.active && n % 3 !== 0),
  (a) => {
    if (a.background.active) a.beginOwn();
  },
  (a, n) => a.compact(n),
  (a, n) => void a.lane.push({ type: "resume-token", connection: a.connection, token: `k${n % 5}` }),
  withRun((a, run, n) => {
    a.endText(run);
    a.ask(run, n % 4 !== 3);
  }),
  withRun((a, run, n) => {
    a.endText(run);
    a.finishTools(run);
    a.ask(run, n % 4 !== 3);
  }),
  (a, n) => {
    if (n % 4 === 0) a.ask(null, false);
    else if (n % 4 === 1) a.withdrawQuestion();
    else a.usage(n % 8 > 4 ? null : a.running);
  },
  (a, n) => a.violate(n),
  (a, n) =>
    void a.lane.push(
      n % 3
        ? { type: "note", connection: a.connection, note: { kind: "title", title: "t" } }
        : { type: "unknown", connection: a.connection, name: "x" },
    ),
  (a, n) => {
    if (n % 4 === 0) a.die();
  },
  (a, n) => a.flow(n, n % 4 === 3),
  withRun((a, run) => {
    const id = a.outOf(run).text;
    if (id) {
      a.say({ type: "part-abandoned", connection: a.connection, generation: run, part: id, reason: "cut" });
      a.outOf(run).text = null;
    }
  }),
  done,
  text,
];
