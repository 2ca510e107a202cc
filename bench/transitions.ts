/** How fast the bare core is: events per second of streamed text, of whole turns and of turns with a steer in them. */
import { defaultLimits, MooringError } from "@mooring/host";
import type { Input } from "../packages/host/src/protocol/input.ts";
import type { Event } from "../packages/host/src/session/events.ts";
import { freshCarry, start } from "../packages/host/src/session/recover.ts";
import type { Session } from "../packages/host/src/session/state.ts";
import { transition } from "../packages/host/src/session/transition.ts";
import { nothingStored } from "../packages/host/src/testing/nothing-stored.ts";
import type { Bench, Line } from "./bench.ts";
import { digits, figure } from "./stats.ts";

export const transitions: Bench = {
  name: "transitions",
  run: async ({ quick }) => {
    const [rounds, ms] = quick ? [1, 5] : [7, 150];
    return [
      lineOf("text chunks", rounds, ms, textChunks),
      lineOf("whole turns of 60 chunks", rounds, ms, () => turns([])),
      lineOf("steered turns of 60 chunks", rounds, ms, () => turns(["steer"])),
    ];
  },
};

/** Does some events and returns how many. */
type Work = () => number;

function lineOf(what: string, rounds: number, ms: number, work: () => Work): Line {
  const some = work();
  const rates = Array.from({ length: rounds + 1 }, () => rateOf(some, ms)).slice(1);
  const measured = figure(rates);
  return {
    what: `core transitions, ${what}`,
    against: "-",
    unit: "/s",
    measured,
    budget: null,
    note: `${digits(1e6 / measured.value)} us an event`,
  };
}

function rateOf(work: Work, ms: number): number {
  const from = performance.now();
  let events = 0;
  let took = 0;
  while (took < ms) {
    events += work();
    took = performance.now() - from;
  }
  return (events / took) * 1_000;
}

// --- events -------------------------------------------------------------------------------------------------------

const of = (turn: number) => ({ connection: 1, generation: `t${turn}` }) as const;
const text = (turn: number): Event => ({
  type: "chunk",
  ...of(turn),
  chunk: { type: "text-delta", id: "x", delta: "word " },
});
const input = (id: string, delivery: Input["delivery"]): Input => ({
  id,
  agentKey: id,
  delivery,
  parts: [{ type: "text", text: "hi" }],
  model: null,
  effort: null,
  headless: false,
  branch: null,
  author: null,
  origin: "user",
});
const submit = (id: string, delivery: Input["delivery"]): Event => ({
  type: "submit",
  to: id,
  input: input(id, delivery),
});

/** A session that does what its store and driver would: facts follow the saves that report them. */
class Driven {
  state: Session;
  events = 0;

  constructor() {
    const target = {
      revision: 0,
      queueAfter: "hold",
      onResumeFailed: "ask",
      hooks: { beforeTurn: false, beforeSettle: false },
      unattended: "deny",
      tighten: false,
    } as const;
    this.state = start(nothingStored, freshCarry(target, defaultLimits.session, {}))[0];
    this.post({ type: "recovered" });
    this.post({ type: "prime" });
    const abilities = { steers: true, steersRich: true, idempotent: false, compacts: true };
    this.post({ type: "connected", connection: 1, abilities });
  }

  /** One event, and those that the commit of its save brings. */
  post(event: Event): void {
    this.events++;
    const [next, effects] = transition(this.state, event);
    this.state = next;
    for (const effect of effects) {
      if (effect.type !== "save") continue;
      for (const fact of effect.facts) this.post(fact);
      this.post({ type: "saved", save: effect.save });
    }
  }
}
/** Text alone; each chunk is confirmed as saved. */
function textChunks(): Work {
  const driven = new Driven();
  driven.post(submit("i1", "queue"));
  const chunk = text(driven.state.turns);
  return () => {
    const before = driven.events;
    for (let n = 0; n < 100; n++) driven.post(chunk);
    return driven.events - before;
  };
}

/** Turns one after the other; each of `steers` is given in the middle and taken at a boundary. */
function turns(steers: readonly string[]): () => number {
  const driven = new Driven();
  let count = 0;
  return () => {
    const before = driven.events;
    driven.post(submit(`i${++count}`, "queue"));
    const no = driven.state.turns;
    for (let n = 0; n < 60; n++) {
      driven.post(text(no));
      if (n === 30) for (const steer of steers) take(driven, no, `${steer}${count}`);
    }
    driven.post({ type: "turn-complete", ...of(no), outcome: "completed", answered: [], anchor: null });
    if (driven.state.phase.kind === "idle") return driven.events - before;
    throw new MooringError("bench-broken", `A turn of the bench is ${driven.state.phase.kind}, not over.`);
  };
}

function take(driven: Driven, turn: number, id: string): void {
  driven.post(submit(id, "steer"));
  driven.post({ type: "steer-boundary", ...of(turn), taken: [id] });
}
