/**
 * One transition in the making; lives for one call of `transition`. Session values themselves never change.
 * What an event decides is one transaction: `finish` puts everything saved into one `save`, ahead of the other effects.
 */
import type { Op } from "../protocol/ops.ts";
import type { Answered, Effect, Fact, Next, Reply } from "./events.ts";
import type { Link, OpenLink, Phase, Session, Turn } from "./state.ts";

export class Draft {
  s: Session;
  #ops: Op[] = [];
  #replies: Reply[] = [];
  #facts: Fact[] = [];
  #effects: Effect[] = [];
  constructor(s: Session) {
    this.s = s;
  }

  set(change: Partial<Session>): void {
    this.s = { ...this.s, ...change };
  }
  phase(phase: Phase): void {
    this.set({ phase });
  }
  link(link: Link): void {
    this.set({ link });
  }
  patchLink(change: Partial<OpenLink>): void {
    if (this.s.link.kind === "open") this.link({ ...this.s.link, ...change });
  }
  /** Changes a turn where it is, in the phase or parked, and returns it as it is now. */
  patchTurn(turn: Turn, change: Partial<Turn>): Turn {
    const next = { ...turn, ...change };
    const phase = this.s.phase;
    if (this.s.parked?.no === turn.no) this.set({ parked: next });
    else if ("turn" in phase && phase.turn.no === turn.no) this.phase({ ...phase, turn: next });
    return next;
  }
  save(...ops: readonly Op[]): void {
    this.#ops.push(...ops);
  }
  /** Reported when this commit is safe. */
  fact(fact: Fact): void {
    this.#facts.push(fact);
  }
  /** Leaves when everything decided up to now is durable: a reply never overtakes the state it speaks of. */
  reply(to: string, answer: Answered): void {
    this.#replies.push({ to, answer });
  }
  refuse(to: string, why: Extract<Answered, { kind: "refused" }>["why"]): void {
    this.reply(to, { kind: "refused", why });
  }
  emit(effect: Effect): void {
    this.#effects.push(effect);
  }
  /** The driver broke the contract: counted, told once, never fatal. */
  violation(what: string): void {
    const count = (this.s.violations[what] ?? 0) + 1;
    this.set({ violations: { ...this.s.violations, [what]: count } });
    if (count === 1) this.emit({ type: "violation", what });
  }
  /** Saves the store has not confirmed, the one in the making included. */
  get unsaved(): number {
    return this.s.saves + (this.#dirty ? 1 : 0) - this.s.saved;
  }
  get #dirty(): boolean {
    return this.#ops.length + this.#replies.length + this.#facts.length > 0;
  }
  finish(): Next {
    if (!this.#dirty) return [this.s, this.#effects];
    const save = this.s.saves + 1;
    this.set({ saves: save });
    const commit: Effect = { type: "save", save, ops: this.#ops, replies: this.#replies, facts: this.#facts };
    return [this.s, [commit, ...this.#effects]];
  }
}
