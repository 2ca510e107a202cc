/**
 * Feeds one session's events to the core, one at a time, and has its effects performed in order. It never awaits. An
 * event posted while another is applied waits behind it. A throw out of the core or a performer is our own bug: the
 * session is reloaded from what is stored, once; if that throws too, it is given up.
 */
import { messageOf } from "../../protocol/errors.ts";
import type { Effect, Event, Next } from "../../session/events.ts";
import type { Session } from "../../session/state.ts";
import { transition } from "../../session/transition.ts";

type MailboxPorts = {
  perform(effect: Effect): void;
  /** Everything posted so far is applied. */
  settled(): void;
  /** A bug of ours. `given-up`: nothing will be applied any more. */
  broken(what: "reloading" | "given-up", message: string): void;
};

export class Mailbox {
  readonly #ports: MailboxPorts;
  readonly #mail: Event[] = [];
  #state: Session;
  #busy = false;
  #fate: "sound" | "reloading" | "closed" = "sound";

  constructor(ports: MailboxPorts, state: Session) {
    this.#ports = ports;
    this.#state = state;
  }

  get state(): Session {
    return this.#state;
  }
  /** Performs what the start of an incarnation ordered. */
  begin(effects: readonly Effect[]): void {
    this.#run(() => this.#perform(effects));
  }
  post(event: Event): void {
    if (this.#fate === "closed") return;
    this.#mail.push(event);
    if (!this.#busy) this.#run(() => {});
  }
  /** Nothing is applied from now on. */
  close(): void {
    this.#fate = "closed";
    this.#mail.length = 0;
  }

  #run(first: () => void): void {
    this.#busy = true;
    try {
      this.#guarded(first);
      for (let event = this.#mail.shift(); event; event = this.#mail.shift()) this.#apply(event);
    } finally {
      this.#busy = false;
    }
    if (this.#fate !== "closed") this.#ports.settled();
  }
  #apply(event: Event): void {
    this.#guarded(() => {
      const [next, effects]: Next = transition(this.#state, event);
      this.#state = next;
      this.#perform(effects);
      if (event.type === "reloaded") this.#fate = "sound";
    });
  }
  #perform(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (this.#fate === "closed") return;
      this.#ports.perform(effect);
    }
  }
  #guarded(step: () => void): void {
    try {
      step();
    } catch (cause) {
      this.#broken(messageOf(cause));
    }
  }
  #broken(message: string): void {
    if (this.#fate === "closed") return;
    if (this.#fate === "reloading") {
      this.close();
      return this.#ports.broken("given-up", message);
    }
    this.#fate = "reloading";
    this.#ports.broken("reloading", message);
    this.#mail.push({ type: "refused", save: this.#state.saves + 1, reason: "bug" });
  }
}
