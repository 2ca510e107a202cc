/**
 * Watches one connection from its opening to its end, whatever the case is about, and notes every rule of the contract
 * that its events break. Invariant: nothing a driver says makes it throw.
 */
import { toAgentEvent } from "../../../host/connections/agent-event.ts";
import type { AgentRuntimeEvent, SteerInput, TurnInput, Waiting } from "../../../ports/driver.ts";
import { messageOf } from "../../../protocol/errors.ts";
import type { ApprovalId, InputId } from "../../../protocol/ids.ts";
import type { Finding } from "../broken.ts";
import { Notes } from "./notes.ts";
import { type SteerEnd, Steers } from "./steers.ts";
import { Turns } from "./turns.ts";
import { Work } from "./work.ts";

const stamp = { connection: 1, generationOf: (turn: string) => turn, clean: (text: string) => text };

export class Witness {
  readonly #notes = new Notes();
  readonly #steers = new Steers(this.#notes);
  readonly #turns = new Turns(this.#notes, this.#steers);
  readonly #work: Work;

  constructor(driverType: string) {
    this.#work = new Work(this.#notes, this.#turns, driverType);
  }

  get findings(): readonly Finding[] {
    return this.#notes.findings;
  }

  // --- what the host asked ----------------------------------------------------------------------------------------

  sent({ turnId, inputId }: TurnInput): void {
    this.#turns.given(turnId, inputId);
  }
  waiting(waiting: Waiting): void {
    this.#turns.continued(waiting);
  }
  offered({ inputId }: SteerInput): void {
    this.#steers.offered(inputId);
  }
  refused(id: InputId): void {
    this.#steers.refused(id);
  }
  withdrew(id: InputId): void {
    this.#steers.ended(id, "withdrawn");
  }
  answered(id: ApprovalId): void {
    this.#turns.answered(id);
  }
  endOf(steer: InputId): SteerEnd | null {
    return this.#steers.endOf(steer);
  }
  /** `hadDied`: the events were over before the host closed. */
  closed(returned: readonly InputId[], hadDied: boolean): void {
    for (const id of returned) this.#steers.ended(id, "returned");
    if (hadDied) return;
    this.#steers.closed();
    this.#work.closed();
  }

  // --- what the driver said ---------------------------------------------------------------------------------------

  heard(event: AgentRuntimeEvent): void {
    const known = toAgentEvent(event, stamp);
    if (known.type === "unknown") return this.#notUnderstood(event, known.name);
    try {
      this.#take(event);
    } catch (cause) {
      this.#notes.report("events/vocabulary", `${event.type} cannot be read: ${messageOf(cause)}`);
    }
  }

  #notUnderstood(event: AgentRuntimeEvent, name: string): void {
    const isAboutTurn = /^malformed:(chunk|turn-complete|error|steer-|part-|autonomous)/.test(name);
    if (isAboutTurn && !("turnId" in event && typeof event.turnId === "string")) {
      this.#notes.report("turn/ids", `${name.replace("malformed:", "")} has no turn id`);
    } else this.#notes.report("events/vocabulary", `an event the host does not understand: ${name}`);
  }

  #take(event: AgentRuntimeEvent): void {
    switch (event.type) {
      case "chunk":
        return this.#turns.chunk(event.turnId, event.chunk);
      case "turn-complete":
      case "error":
        return this.#turns.ended(event);
      case "steer-boundary":
        return this.#turns.boundary(event);
      case "steer-undelivered":
        for (const id of event.inputs) this.#steers.ended(id, "undelivered");
        return;
      case "autonomous-turn-state":
        return event.state === "started" ? this.#turns.began(event) : this.#turns.finished(event.turnId);
      case "part-abandoned":
        return this.#turns.abandoned(event);
      case "api-retry":
        if (event.turnId !== undefined) this.#turns.live(event.turnId, event.type);
        return;
      case "tool-approval-request":
        return this.#turns.asked(event);
      case "approval-withdrawn":
        return this.#turns.withdrawn(event.approvalId);
      default:
        return this.#takeBeside(event);
    }
  }

  #takeBeside(event: AgentRuntimeEvent): void {
    switch (event.type) {
      case "usage":
        return this.#work.usage(event);
      case "compaction-start":
        return this.#work.compactionStarted(event);
      case "compaction-complete":
        return this.#work.compactionEnded(event.done === null);
      case "compaction-error":
        return this.#work.compactionEnded(false);
      case "background-work-state":
        return this.#work.background(event);
      case "background-task-event":
        return this.#work.taskEvent(event.taskId);
      case "background-flow-chunk":
        return this.#work.flow(event);
    }
  }
}
