/**
 * One turn, from the prompt to its terminal event. Invariants: one terminal event; before it every text is ended, every
 * call has an outcome and every question is withdrawn; after it nothing of the turn is told, whatever the agent says.
 */
import {
  type AgentRuntimeEvent,
  type ApprovalDecision,
  type ApprovalId,
  type ConnectInput,
  type DriverPorts,
  messageOf,
  type PolicyDecision,
  type TurnInput,
  type UIMessageChunk,
} from "@mooring/host/driver";
import type { AgentRecord, HostRecord } from "./agent-records.ts";
import { limits } from "./limits.ts";

type TurnParts = {
  readonly input: TurnInput;
  readonly policy: ConnectInput["policy"];
  readonly ports: DriverPorts;
  readonly model: string;
  isDisabled(tool: string): boolean;
  tell(event: AgentRuntimeEvent): void;
  toAgent(record: HostRecord): void;
  ended(): void;
};
type Of<T extends AgentRecord["type"]> = Extract<AgentRecord, { type: T }>;
type Ending = { readonly outcome: "completed" | "stopped" } | { readonly code: string; readonly message: string };
type CallState = { readonly record: Of<"call">; state: "deciding" | "asked" | "running" | "over" };

export class Turn {
  readonly #parts: TurnParts;
  readonly #calls = new Map<string, CallState>();
  readonly #questions = new Map<ApprovalId, string>();
  readonly #usage = new Set<number>();
  #text: { readonly kind: "text" | "reasoning"; readonly id: string } | null = null;
  #texts = 0;
  #phase: "running" | "stopping" | "late" | "over" = "running";
  #cancelLate: () => void = () => {};
  #ending: Ending = { outcome: "completed" };

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  get id(): string {
    return this.#parts.input.turnId;
  }

  // --- what the host wants ----------------------------------------------------------------------------------------

  /** Asks the agent; its end comes as a record. */
  stop(): void {
    if (this.#phase !== "running") return;
    this.#phase = "stopping";
    this.#parts.toAgent({ type: "cancel", id: this.id });
  }
  /** False: no such question is open. */
  answer(id: ApprovalId, decision: ApprovalDecision): boolean {
    const call = this.#questions.get(id);
    if (call === undefined) return false;
    this.#questions.delete(id);
    const state = this.#calls.get(call);
    if (state !== undefined) this.#release(state, decision);
    return true;
  }
  /** The agent cannot go on with it. */
  fail(code: string, message: string): void {
    if (this.#phase === "over") return;
    this.#ending = { code, message };
    this.#settle();
  }

  // --- what the agent says ----------------------------------------------------------------------------------------

  take(record: AgentRecord): void {
    if (this.#phase === "over") return;
    switch (record.type) {
      case "text":
        return this.#say("text", record.text);
      case "thought":
        return this.#say("reasoning", record.text);
      case "call":
        return this.#called(record);
      case "result":
        return this.#result(record);
      case "usage":
        return this.#used(record);
      case "done":
        return this.#done(record);
    }
  }

  #say(kind: "text" | "reasoning", delta: string): void {
    if (this.#phase === "late") return;
    if (this.#text?.kind !== kind) {
      this.#endText();
      this.#text = { kind, id: `${kind}-${++this.#texts}` };
      this.#chunk({ type: `${kind}-start`, id: this.#text.id });
    }
    this.#chunk({ type: `${kind}-delta`, id: this.#text.id, delta });
  }
  #endText(): void {
    if (this.#text !== null) this.#chunk({ type: `${this.#text.kind}-end`, id: this.#text.id });
    this.#text = null;
  }

  #called(record: Of<"call">): void {
    if (this.#calls.has(record.call) || this.#phase === "late") return; // a record may come twice
    this.#endText();
    const state: CallState = { record, state: "deciding" };
    this.#calls.set(record.call, state);
    const { call: toolCallId, tool: toolName, input } = record;
    this.#chunk({ type: "tool-input-available", toolCallId, toolName, input });
    this.#decision(record).then(
      (decision) => this.#decided(state, decision),
      (cause: unknown) => this.#decided(state, { deny: messageOf(cause) }), // a policy that fails is a denial
    );
  }
  async #decision({ call, tool, input }: Of<"call">): Promise<PolicyDecision> {
    if (this.#parts.isDisabled(tool)) return { deny: `The tool ${tool} is disabled in this session.` };
    const asked = { toolCallId: call, toolName: tool, input, category: "shell", paths: [], turnId: this.id } as const;
    return this.#parts.policy.decide(asked);
  }
  #decided(call: CallState, decision: PolicyDecision): void {
    if (call.state !== "deciding") return; // the turn ended meanwhile
    if (decision === "allow") return this.#release(call, { decision: "allow" });
    if (decision !== "ask") return this.#release(call, { decision: "deny", reason: decision.deny });
    call.state = "asked";
    const { call: toolCallId, tool: toolName, input } = call.record;
    const approvalId = this.#parts.ports.ids.make("apr");
    this.#questions.set(approvalId, toolCallId);
    const request = { approvalId, toolCallId, toolName, input, durable: false } as const;
    this.#parts.tell({ type: "tool-approval-request", turnId: this.id, ...request });
  }
  #release(call: CallState, decision: ApprovalDecision): void {
    const { call: id } = call.record;
    call.state = "running";
    if (decision.decision === "deny") {
      return this.#parts.toAgent({ type: "answer", call: id, allow: false, reason: decision.reason });
    }
    const command = commandOf(decision.input);
    this.#parts.toAgent({ type: "answer", call: id, allow: true, ...(command === null ? {} : { command }) });
  }
  #result({ call: toolCallId, output = "", error }: Of<"result">): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined || call.state === "over") return;
    call.state = "over";
    if (error === undefined) this.#chunk({ type: "tool-output-available", toolCallId, output });
    else this.#chunk({ type: "tool-output-error", toolCallId, errorText: error });
    if (this.#phase === "late" && this.#openCalls.length === 0) this.#settle();
  }

  #used({ n, input, output }: Of<"usage">): void {
    if (this.#usage.has(n) || this.#phase === "late") return;
    this.#usage.add(n);
    const tokens = { input, output, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    const timing = { firstTokenMs: null, totalMs: null };
    const usage = { requestId: `minimal:${this.id}:${n}`, model: this.#parts.model, tokens, timing, cost: null };
    this.#parts.tell({ type: "usage", turnId: this.id, usage });
  }

  // --- its end ----------------------------------------------------------------------------------------------------

  /** Results of calls may still be on their way: they are given a moment. */
  #done({ reason, message }: Of<"done">): void {
    if (this.#phase === "late") return;
    if (reason === "cancelled") this.#ending = { outcome: "stopped" };
    else if (reason !== "end") this.#ending = { code: "agent-error", message: message ?? "The agent failed." };
    if (this.#openCalls.length === 0 || reason !== "end") return this.#settle();
    this.#phase = "late";
    this.#cancelLate = this.#parts.ports.clock.after(limits.lateMs, () => this.#settle());
  }
  get #openCalls(): readonly CallState[] {
    return [...this.#calls.values()].filter(({ state }) => state !== "over");
  }
  #settle(): void {
    this.#cancelLate();
    this.#endText();
    for (const call of this.#openCalls) {
      call.state = "over";
      this.#chunk({ type: "tool-output-error", toolCallId: call.record.call, errorText: "The outcome is unknown." });
    }
    for (const approvalId of this.#questions.keys()) {
      this.#parts.tell({ type: "approval-withdrawn", approvalId, reason: "The turn ended." });
    }
    this.#questions.clear();
    this.#phase = "over";
    this.#parts.tell(this.#terminal());
    this.#parts.ended();
  }
  #terminal(): AgentRuntimeEvent {
    const { turnId, inputId } = this.#parts.input;
    if ("code" in this.#ending) return { type: "error", turnId, ...this.#ending, retry: "later" };
    const { outcome } = this.#ending;
    return { type: "turn-complete", turnId, outcome, answered: outcome === "completed" ? [inputId] : [] };
  }
  #chunk(chunk: UIMessageChunk): void {
    this.#parts.tell({ type: "chunk", turnId: this.id, chunk });
  }
}

function commandOf(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("command" in input)) return null;
  return typeof input.command === "string" ? input.command : null;
}
