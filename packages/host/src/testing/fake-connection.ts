/**
 * A connection a test drives. It keeps the driver contract by itself: one end for each steer, one terminal event for an
 * aborted turn, `events` that end with `close`. Each rule can be broken through `behaviour`, or by emitting anything.
 */
import type {
  AbortAnswer,
  AgentRuntimeConnection,
  AgentRuntimeEvent,
  ApprovalDecision,
  CloseReason,
  ConnectInput,
  ConnectionCapabilities,
  ReconcileVerdict,
  SessionTarget,
  SteerInput,
  TurnInput,
} from "../ports/driver.ts";
import type { UIMessageChunk } from "../protocol/chunks.ts";
import type { ApprovalId, InputId, TurnId } from "../protocol/ids.ts";
import { PushStream } from "./push-stream.ts";
import { Records } from "./records.ts";

/** What the connection does when it is called; each may be replaced. */
export type FakeBehaviour = {
  send(turn: TurnInput): Promise<void>;
  redirect(steer: SteerInput): Promise<"offered" | "refused">;
  withdraw(input: InputId): Promise<boolean>;
  abortTurn(turn: TurnId): Promise<AbortAnswer>;
  reconcile(target: SessionTarget): Promise<ReconcileVerdict>;
  answerApproval(id: ApprovalId, decision: ApprovalDecision): Promise<void>;
  close(reason: CloseReason): Promise<{ readonly returned: readonly InputId[] }>;
  compact(text: string | undefined): Promise<void>;
};

export class FakeConnection implements AgentRuntimeConnection {
  readonly capabilities: ConnectionCapabilities;
  readonly input: ConnectInput;
  readonly events = new PushStream<AgentRuntimeEvent>();
  readonly sends = new Records<TurnInput>();
  readonly steers = new Records<SteerInput>();
  readonly withdrawals = new Records<InputId>();
  readonly aborts = new Records<TurnId>();
  readonly targets = new Records<SessionTarget>();
  readonly answers = new Records<{ readonly id: ApprovalId; readonly decision: ApprovalDecision }>();
  readonly closes = new Records<CloseReason>();
  readonly compactions = new Records<string | undefined>();
  readonly behaviour: FakeBehaviour;
  readonly #running = new Set<TurnId>();
  readonly #offered = new Set<InputId>();
  #parts = 0;

  constructor(input: ConnectInput, capabilities: ConnectionCapabilities, behaviour: Partial<FakeBehaviour> = {}) {
    this.input = input;
    this.capabilities = capabilities;
    this.behaviour = { ...this.#lawful(), ...behaviour };
  }

  // --- what the agent says ----------------------------------------------------------------------------------------

  emit(event: AgentRuntimeEvent): void {
    if (event.type === "turn-complete" || event.type === "error") this.#running.delete(event.turnId);
    if (event.type === "steer-boundary") for (const id of event.taken) this.#offered.delete(id);
    if (event.type === "steer-undelivered") for (const id of event.inputs) this.#offered.delete(id);
    this.events.push(event);
  }
  chunk(turnId: TurnId, chunk: UIMessageChunk): void {
    this.emit({ type: "chunk", turnId, chunk });
  }
  /** One whole text part. */
  say(turnId: TurnId, text: string): void {
    const id = `p${++this.#parts}`;
    this.chunk(turnId, { type: "text-start", id });
    this.chunk(turnId, { type: "text-delta", id, delta: text });
    this.chunk(turnId, { type: "text-end", id });
  }
  complete(turnId: TurnId, answered: readonly InputId[] = []): void {
    this.emit({ type: "turn-complete", turnId, outcome: "completed", answered });
  }
  /** A tool call that waits for a decision. */
  ask(turnId: TurnId, approvalId: ApprovalId, toolCallId: string, durable = false): void {
    const input = { command: "ls" };
    this.chunk(turnId, { type: "tool-input-available", toolCallId, toolName: "bash", input });
    this.emit({ type: "tool-approval-request", turnId, approvalId, toolCallId, toolName: "bash", input, durable });
  }

  // --- what the host calls ----------------------------------------------------------------------------------------

  send(turn: TurnInput): Promise<void> {
    this.#running.add(turn.turnId);
    this.sends.add(turn);
    return this.behaviour.send(turn);
  }
  async redirect(steer: SteerInput): Promise<"offered" | "refused"> {
    const answer = await this.behaviour.redirect(steer);
    if (answer === "offered") this.#offered.add(steer.inputId);
    this.steers.add(steer);
    return answer;
  }
  withdraw(input: InputId): Promise<boolean> {
    this.withdrawals.add(input);
    return this.behaviour.withdraw(input);
  }
  abortTurn(turn: TurnId): Promise<AbortAnswer> {
    this.aborts.add(turn);
    return this.behaviour.abortTurn(turn);
  }
  reconcile(target: SessionTarget): Promise<ReconcileVerdict> {
    this.targets.add(target);
    return this.behaviour.reconcile(target);
  }
  answerApproval(id: ApprovalId, decision: ApprovalDecision): Promise<void> {
    this.answers.add({ id, decision });
    return this.behaviour.answerApproval(id, decision);
  }
  compact(text?: string): Promise<void> {
    this.compactions.add(text);
    return this.behaviour.compact(text);
  }
  close(reason: CloseReason): Promise<{ readonly returned: readonly InputId[] }> {
    this.closes.add(reason);
    return this.behaviour.close(reason);
  }

  #lawful(): FakeBehaviour {
    return {
      send: async () => {},
      redirect: async () => "offered",
      withdraw: async (input) => this.#offered.delete(input),
      abortTurn: async (turnId) => {
        if (!this.#running.has(turnId)) return "already-settled";
        this.emit({ type: "turn-complete", turnId, outcome: "stopped", answered: [] });
        return "aborted";
      },
      reconcile: async () => "patched",
      answerApproval: async () => {},
      compact: async () => this.emit({ type: "compaction-start", trigger: "asked" }),
      close: async () => {
        const returned = [...this.#offered];
        this.#offered.clear();
        this.events.end();
        return { returned };
      },
    };
  }
}
