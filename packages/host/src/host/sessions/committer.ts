/**
 * Gives saves to the store, in order, and tells what became of them, in the same order: subscribers first, then those
 * who wait for a reply, then the core (the facts of the save, then `saved`). One per incarnation of a session: after a
 * refusal nothing later of it is written. The core hears nothing of an incarnation that was given up; subscribers hear
 * of everything that was stored.
 */
import type { Store, Write, Written } from "../../ports/store.ts";
import { codeOf, messageOf } from "../../protocol/errors.ts";
import type { StoredEvent } from "../../protocol/events.ts";
import type { Epoch, SaveNo, SessionNo, TurnId } from "../../protocol/ids.ts";
import type { Event, Fact, Reply } from "../../session/events.ts";
import { type Replies, unavailable } from "./replies.ts";

type Commit = {
  readonly writes: readonly Write[];
  readonly save: SaveNo;
  readonly replies: readonly (Reply & { readonly turnId: TurnId | null })[];
  readonly facts: readonly Fact[];
};
type CommitterPorts = {
  readonly store: Store;
  readonly session: SessionNo;
  readonly epoch: Epoch;
  readonly replies: Replies;
  publish(events: readonly StoredEvent[]): void;
  post(event: Event): void;
  refused(code: string, message: string): void;
};
type Settled = { readonly written: Written } | { readonly cause: unknown };
type InFlight = { readonly settle: (how: Settled) => void; settled: Settled | null };

export class Committer {
  readonly #ports: CommitterPorts;
  readonly #inFlight: InFlight[] = [];
  #over = false;

  constructor(ports: CommitterPorts) {
    this.#ports = ports;
  }

  get idle(): boolean {
    return this.#inFlight.length === 0;
  }
  /** Nothing more of this incarnation is written, and the core hears no more of it. */
  abandon(): void {
    this.#over = true;
  }

  save(commit: Commit): void {
    if (this.#over) return this.#drop(commit);
    this.#write(commit.writes, (how) => {
      if ("cause" in how) return this.#refused(commit, how.cause);
      // stored is stored: it is told even if this incarnation was given up meanwhile
      this.#ports.publish(how.written.events);
      for (const reply of commit.replies)
        this.#ports.replies.answer(reply.to, { ...reply, before: how.written.first - 1 });
      if (this.#over) return;
      for (const fact of commit.facts) this.#ports.post(fact);
      this.#ports.post({ type: "saved", save: commit.save });
    });
  }
  /** Writes of the host's own between the core's saves (title, removal): nothing of the core depends on them. */
  aside(writes: readonly Write[]): Promise<void> {
    if (this.#over) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      this.#write(writes, (how) => {
        if ("cause" in how) return reject(how.cause);
        this.#ports.publish(how.written.events);
        resolve();
      });
    });
  }

  #write(writes: readonly Write[], settle: (how: Settled) => void): void {
    const mine: InFlight = { settle, settled: null };
    this.#inFlight.push(mine);
    const settled = (how: Settled): void => {
      mine.settled = how;
      this.#report();
    };
    this.#ports.store.write(this.#ports.session, this.#ports.epoch, writes).then(
      (written) => settled({ written }),
      (cause: unknown) => settled({ cause }),
    );
  }
  #report(): void {
    for (let first = this.#inFlight[0]; first?.settled; first = this.#inFlight[0]) {
      this.#inFlight.shift();
      first.settle(first.settled);
    }
  }
  #drop(commit: Commit): void {
    for (const { to } of commit.replies) this.#ports.replies.refuse(to);
  }
  #refused(commit: Commit, cause: unknown): void {
    this.#drop(commit);
    if (this.#over) return;
    this.#over = true;
    const code = codeOf(cause, "io");
    this.#ports.refused(code, messageOf(cause));
    const { save } = commit;
    this.#ports.post(code === "lease-lost" ? { type: "lease-lost" } : { type: "refused", save, reason: code });
  }
}
