/**
 * Carries out what the core orders of a session's connections, numbered by the core. Invariants: a connection that
 * opens late is closed unused; `closed` is told once, after what the connection still said; after a kill nothing of it
 * is told; no call to a driver is made twice.
 */

import type { Clock } from "../../ports/clock.ts";
import type {
  AgentRuntimeConnection,
  AgentSessionRuntimeDriver,
  CloseReason,
  ConnectInput,
  ContextUsage,
  SessionTarget,
  TurnInput,
} from "../../ports/driver.ts";
import type { Log } from "../../ports/log.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { codeOf, MooringError, messageOf } from "../../protocol/errors.ts";
import type { ConnectionNo, Generation, InputId, SessionId, TurnId } from "../../protocol/ids.ts";
import type { Answer, Part } from "../../protocol/input.ts";
import { compactionStop } from "../../session/compaction.ts";
import type { Effect, Event } from "../../session/events.ts";
import type { Abilities } from "../../session/state.ts";
import { wrapSteer } from "../prompt/told-parts.ts";
import type { ConnectOrder } from "./connect-input.ts";
import type { ConnectionPool, Slot } from "./connection-pool.ts";
import { Pump } from "./pump.ts";

type Of<T extends Effect["type"]> = Extract<Effect, { type: T }>;
type ConnectionPorts = {
  readonly sessionId: SessionId;
  readonly pool: ConnectionPool;
  readonly clock: Clock;
  readonly log: Log;
  readonly noteMs: number;
  post(event: Event): void;
  /** What the agent says as it is kept: with who allowed what it did. */
  said(event: AgentEvent): AgentEvent;
  /** Throws a typed error when the session's driver is not there. */
  driver(): AgentSessionRuntimeDriver;
  input(order: ConnectOrder, alive: () => boolean): Promise<ConnectInput>;
  target(): SessionTarget;
  /** Parts as the agent gets them; null: as they are. Never rejects. */
  given(parts: readonly Part[], images: boolean): Promise<readonly Part[]> | null;
  /** What the agent says, its files stored; null: it has none. */
  stored(event: AgentEvent): Promise<AgentEvent> | null;
  generationOf(turn: TurnId): Generation;
  driverTurn(generation: Generation): TurnId;
  /** Takes secrets out of text that people or logs will see. */
  clean(text: string): string;
  /** Ends the children of the session. Never rejects. */
  endChildren(): Promise<void>;
};
type Link = {
  readonly no: ConnectionNo;
  connection: AgentRuntimeConnection | null;
  pump: Pump | null;
  slot: Slot | null;
  /** Gives up waiting for a slot; null while none is waited for. */
  giveUp: (() => void) | null;
  /** Called when the waiting for a slot is over. */
  started: (() => void)[];
  /** Calls that wait, each for the one before it, while files are read for one of them; null: none does. */
  line: Promise<void> | null;
  closing: string | null;
  returned: readonly InputId[] | null;
  over: boolean;
};
type After<T> = { readonly done?: (value: T) => void; readonly failed: (message: string) => void };
const closeReasons: readonly CloseReason[] = [
  "idle",
  "reap",
  "rebuild",
  "rewind",
  "stop",
  "waiting",
  "failure",
  "shutdown",
];
const closeReason = (reason: string): CloseReason =>
  reason === compactionStop ? "stop" : (closeReasons.find((known) => known === reason) ?? "failure");

export class Connections {
  readonly #ports: ConnectionPorts;
  readonly #links = new Map<ConnectionNo, Link>();
  #childrenEnded: Promise<void> = Promise.resolve();

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#links.size;
  }
  /** Calls back once the connection no longer waits for a place in the pool: its time counts from then. */
  onceStarted(no: ConnectionNo, call: () => void): void {
    const link = this.#links.get(no);
    if (link?.giveUp) link.started.push(call);
    else call();
  }

  // --- opening ----------------------------------------------------------------------------------------------------

  connect(order: ConnectOrder): void {
    const link: Link = {
      no: order.connection,
      connection: null,
      pump: null,
      slot: null,
      giveUp: null,
      started: [],
      line: null,
      closing: null,
      returned: null,
      over: false,
    };
    this.#links.set(link.no, link);
    this.#open(link, order).then(
      (connection) => this.#opened(link, connection),
      (cause: unknown) => this.#failed(link, cause),
    );
  }
  async #open(link: Link, order: ConnectOrder): Promise<AgentRuntimeConnection> {
    await this.#slot(link);
    await this.#childrenEnded; // a native session has one owner
    const driver = this.#ports.driver();
    const input = await this.#ports.input(order, () => !link.over && link.closing === null);
    if (link.over || link.closing !== null) throw unused();
    return await driver.connect(input);
  }
  #slot(link: Link): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = this.#ports.pool.acquire((slot) => {
        link.slot = slot;
        link.giveUp = null;
        resolve();
        for (const call of link.started.splice(0)) call();
      });
      if (link.slot !== null) return;
      link.giveUp = () => {
        link.giveUp = null;
        leave();
        reject(unused());
      };
    });
  }
  #opened(link: Link, connection: AgentRuntimeConnection): void {
    link.connection = connection;
    if (link.over) return this.#discard(link, connection);
    if (link.closing !== null) return this.#close(link, connection, link.closing);
    link.pump = this.#pump(link, connection);
    this.#ports.post({ type: "connected", connection: link.no, abilities: abilitiesOf(connection) });
  }
  #pump(link: Link, connection: AgentRuntimeConnection): Pump {
    const { clock, noteMs, generationOf, clean, post, said, stored } = this.#ports;
    return new Pump(
      {
        clock,
        noteMs,
        stamp: { connection: link.no, generationOf, clean },
        stored,
        post: (event) => post(said(event)),
        ended: (cause) => this.#ended(link, cause),
      },
      connection.events,
    );
  }
  #failed(link: Link, cause: unknown): void {
    if (link.over) return this.#forget(link);
    if (link.closing !== null) return this.#finish(link, []);
    this.#forget(link);
    const reason = codeOf(cause, "connect-failed");
    this.#ports.post({ type: "connect-failed", connection: link.no, reason, message: this.#text(cause) });
  }
  /** Opened after it was killed: nobody knows of it any more. */
  #discard(link: Link, connection: AgentRuntimeConnection): void {
    this.#forget(link);
    this.#quietly("late-close", async () => {
      await connection.close("failure");
    });
  }

  // --- the end ----------------------------------------------------------------------------------------------------

  close({ connection: no, reason }: Of<"close">): void {
    const link = this.#links.get(no);
    if (!link) return this.#ports.post({ type: "closed", connection: no, returned: [] });
    link.closing = reason;
    if (link.connection) return this.#close(link, link.connection, reason);
    link.giveUp?.();
  }
  #close(link: Link, connection: AgentRuntimeConnection, reason: string): void {
    const close = async () => (await connection.close(closeReason(reason))).returned;
    close().then(
      (returned) => this.#closed(link, returned),
      (cause: unknown) => {
        this.#warn("close-failed", cause);
        this.#closed(link, []);
      },
    );
  }
  /** What the connection said before its end is heard first, unless nobody reads. */
  #closed(link: Link, returned: readonly InputId[]): void {
    link.returned = returned;
    if (link.pump === null || link.pump.over || !link.pump.reading) this.#finish(link, returned);
  }
  #ended(link: Link, cause: unknown): void {
    if (cause !== undefined) this.#warn("events-failed", cause);
    if (link.closing === null) return this.#ports.post({ type: "driver-ended", connection: link.no });
    if (link.returned !== null) this.#finish(link, link.returned);
  }
  #finish(link: Link, returned: readonly InputId[]): void {
    if (link.over) return;
    this.#forget(link);
    this.#ports.post({ type: "closed", connection: link.no, returned });
  }
  kill({ connection: no }: Of<"kill">): void {
    const link = this.#links.get(no);
    if (!link) return;
    this.#forget(link);
    link.giveUp?.();
    this.#childrenEnded = this.#ports.endChildren();
  }
  /** The session leaves memory or the host goes down: closes what is open, tells nobody. */
  async abandon(reason: CloseReason): Promise<void> {
    const links = [...this.#links.values()];
    for (const link of links) {
      this.#forget(link);
      link.giveUp?.();
    }
    const open = links.flatMap(({ connection, closing }) => (connection && closing === null ? [connection] : []));
    await Promise.allSettled(open.map(async (connection) => connection.close(reason)));
  }
  #forget(link: Link): void {
    link.over = true;
    link.pump?.stop();
    link.slot?.release();
    this.#links.delete(link.no);
  }

  // --- calls ------------------------------------------------------------------------------------------------------

  send({ connection: no, generation, input, context, midTurn }: Of<"send">): void {
    const turn = this.#turnInput(generation, input, midTurn, context);
    this.#tell(no, turn, async (connection, given) => connection.send(given), {
      failed: (message) => this.#ports.post({ type: "send-failed", connection: no, generation, message }),
    });
  }
  redirect({ connection: no, generation, input }: Of<"redirect">): void {
    const steer = this.#turnInput(generation, input, true, []);
    const refused = (): void => this.#ports.post({ type: "redirect-refused", connection: no, input: input.id });
    this.#tell(no, steer, async (connection, given) => (await connection.redirect?.(given)) ?? "refused", {
      done: (answer) => answer === "refused" && refused(),
      // it may or may not have reached the agent: its end with the turn tells, never a second sending
      failed: (message) => this.#warn("redirect-failed", message),
    });
  }
  withdraw({ connection: no, input }: Of<"withdraw">): void {
    const told = (ok: boolean): void => this.#ports.post({ type: "withdrawn", connection: no, input, ok });
    this.#call(no, async (connection) => (await connection.withdraw?.(input)) ?? false, {
      done: told,
      failed: () => told(false),
    });
  }
  interrupt({ connection: no, generation }: Of<"interrupt">): void {
    const told = (answer: "aborted" | "already-settled" | "unsupported"): void =>
      this.#ports.post({ type: "interrupted", connection: no, generation, answer });
    const turn = this.#ports.driverTurn(generation);
    this.#call(no, async (connection) => connection.abortTurn(turn), { done: told, failed: () => told("unsupported") });
  }
  reconcile({ connection: no, revision }: Of<"reconcile">): void {
    const told = (verdict: Extract<Event, { type: "reconciled" }>["verdict"]): void =>
      this.#ports.post({ type: "reconciled", connection: no, revision, verdict });
    let target: SessionTarget;
    try {
      target = this.#ports.target();
    } catch (cause) {
      this.#warn("config-invalid", cause);
      return told("invalid");
    }
    this.#call(no, async (connection) => connection.reconcile(target), { done: told, failed: () => told("failed") });
  }
  release({ connection: no, approval, answer }: Of<"release-approval">): void {
    this.#call(no, async (connection) => connection.answerApproval(approval, decisionOf(answer)), {
      failed: (message) => this.#warn("release-failed", message),
    });
  }
  compact({ connection: no, text }: Of<"compact">): void {
    const failed = (message: string): void => this.#ports.post({ type: "compaction-error", connection: no, message });
    const compact = async (connection: AgentRuntimeConnection): Promise<void> => {
      if (!connection.compact) throw new MooringError("unsupported", "This agent cannot compact its history.");
      await connection.compact(text ?? undefined);
    };
    this.#call(no, compact, { failed });
  }
  /** As the connection itself says; null when it is not open, or does not know. Never rejects. */
  async contextUsage(no: ConnectionNo): Promise<ContextUsage | null> {
    try {
      return (await this.#links.get(no)?.connection?.getContextUsage?.()) ?? null;
    } catch (cause) {
      this.#warn("context-usage-failed", cause);
      return null;
    }
  }
  read({ connection: no, on }: Of<"read">): void {
    this.#links.get(no)?.pump?.read(on);
  }
  /** A call with what a person said, files in it given as the agent takes them. */
  #tell<T>(
    no: ConnectionNo,
    turn: TurnInput,
    work: (connection: AgentRuntimeConnection, turn: TurnInput) => Promise<T>,
    then: After<T>,
  ): void {
    const images = this.#links.get(no)?.connection?.capabilities.images ?? false;
    const given = this.#ports.given(turn.parts, images);
    const call = (connection: AgentRuntimeConnection, parts: readonly Part[] | null) =>
      work(connection, parts === null ? turn : { ...turn, parts });
    this.#call(no, call, then, given);
  }
  #call<T>(
    no: ConnectionNo,
    work: (connection: AgentRuntimeConnection, parts: readonly Part[] | null) => Promise<T>,
    then: After<T>,
    given: Promise<readonly Part[]> | null = null,
  ): void {
    const link = this.#links.get(no);
    if (!link?.connection) return then.failed("The connection is over.");
    const { connection } = link;
    inOrder(link, given, (parts) => work(connection, parts)).then(
      (value) => {
        if (!link.over) then.done?.(value);
      },
      (cause: unknown) => {
        this.#warn("driver-call-failed", cause);
        if (!link.over) then.failed(this.#text(cause));
      },
    );
  }
  #turnInput(
    generation: Generation,
    { id, agentKey, parts, headless }: Of<"send">["input"],
    midTurn: boolean,
    context: Of<"send">["context"],
  ): TurnInput {
    const said = midTurn ? wrapSteer(parts) : parts;
    const turnId = this.#ports.driverTurn(generation);
    return { turnId, inputId: id, agentKey, parts: [...said, ...context], arrivedMidTurn: midTurn, headless };
  }
  #quietly(what: string, work: () => Promise<void>): void {
    work().catch((cause: unknown) => this.#warn(what, cause));
  }
  #warn(what: string, cause: unknown): void {
    this.#ports.log.warn(what, { session: this.#ports.sessionId, message: this.#text(cause) });
  }
  #text(cause: unknown): string {
    return this.#ports.clean(messageOf(cause));
  }
}
/** Calls reach the agent in the order they were ordered: one that comes while files are read waits behind them. */
function inOrder<T>(
  link: Link,
  given: Promise<readonly Part[]> | null,
  call: (parts: readonly Part[] | null) => Promise<T>,
): Promise<T> {
  if (link.line === null && given === null) return call(null);
  const before = link.line ?? Promise.resolve();
  return new Promise((resolve, reject) => {
    const line = before
      .then(() => given)
      .then((parts) => {
        if (link.line === line) link.line = null;
        if (link.over || link.closing !== null) reject(unused());
        else call(parts).then(resolve, reject);
      });
    link.line = line;
  });
}
const unused = (): MooringError => new MooringError("connect-cancelled", "The connection is not needed any more.");
const decisionOf = (answer: Answer) =>
  answer.decision === "allow"
    ? ({ decision: "allow", ...(answer.input === null ? {} : { input: answer.input }) } as const)
    : ({ decision: "deny", reason: answer.reason ?? "Denied." } as const);
function abilitiesOf(connection: AgentRuntimeConnection): Abilities {
  const { steer, images, idempotentInput, compaction } = connection.capabilities;
  const steers = steer !== "none" && connection.redirect !== undefined;
  return {
    steers,
    steersRich: steers && images,
    idempotent: idempotentInput,
    compacts: compaction && connection.compact !== undefined,
  };
}
