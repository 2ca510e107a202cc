/**
 * Tool calls that a person has to decide. Invariants: every question is asked once per connection, under one id, and
 * ends once: answered, withdrawn, or left open by a connection that closed, to be asked again by the next.
 */

import type { ApprovalDecision, ApprovalId, TurnId, UIMessageChunk, WaitingApproval } from "@mooring/host/driver";
import { untilAborted } from "../abort.ts";
import type { SessionContext } from "./session-context.ts";

type Asked = { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
type Question = {
  readonly answered: Promise<ApprovalDecision>;
  answer(decision: ApprovalDecision): void;
};

export class Questions {
  readonly #context: SessionContext;
  readonly #turnId: TurnId;
  readonly #asked = new Map<ApprovalId, Question>();
  readonly #open = new Set<ApprovalId>();
  /** Asked before this connection, by tool call. */
  readonly #earlier = new Map<string, ApprovalId>();

  constructor(context: SessionContext, turnId: TurnId) {
    this.#context = context;
    this.#turnId = turnId;
  }

  /** Asks again what an earlier connection asked. */
  repeat(approvals: readonly WaitingApproval[]): void {
    for (const { approvalId, ...asked } of approvals) {
      this.#earlier.set(asked.toolCallId, approvalId);
      this.#put(approvalId, asked);
    }
  }

  /** The question an earlier connection asked about this call, if any. */
  earlier(toolCallId: string): ApprovalId | null {
    return this.#earlier.get(toolCallId) ?? null;
  }

  /** The part of the message shows the question before the host hears it. */
  ask(asked: Asked): ApprovalId {
    const approvalId = this.#context.ports.ids.make("apr");
    this.#chunk({ type: "tool-approval-request", approvalId, toolCallId: asked.toolCallId });
    this.#put(approvalId, asked);
    return approvalId;
  }

  #put(approvalId: ApprovalId, asked: Asked): void {
    this.#asked.set(approvalId, newQuestion());
    this.#open.add(approvalId);
    const request = {
      type: "tool-approval-request",
      turnId: this.#turnId,
      approvalId,
      ...asked,
      durable: true,
    } as const;
    this.#context.events.push(request);
  }

  /** The person's decision; rejects with the signal's reason. */
  async decision(id: ApprovalId, signal: AbortSignal): Promise<ApprovalDecision> {
    const question = this.#asked.get(id);
    if (question === undefined) return { decision: "deny", reason: "The question was never asked." };
    return untilAborted(question.answered, signal);
  }

  /** The part of the message moves on. */
  close(id: ApprovalId, decision: ApprovalDecision): void {
    const approved = decision.decision === "allow";
    const reason = decision.decision === "deny" ? { reason: decision.reason } : {};
    this.#chunk({ type: "tool-approval-response", approvalId: id, approved, ...reason });
  }

  /** False: there is no such open question. */
  answer(id: ApprovalId, decision: ApprovalDecision): boolean {
    if (!this.#open.delete(id)) return false;
    this.#asked.get(id)?.answer(decision);
    return true;
  }

  withdrawAll(reason: string): void {
    for (const approvalId of this.#open) {
      this.#context.events.push({ type: "approval-withdrawn", approvalId, reason });
    }
    this.#open.clear();
  }

  #chunk(chunk: UIMessageChunk): void {
    this.#context.events.push({ type: "chunk", turnId: this.#turnId, chunk });
  }
}

function newQuestion(): Question {
  let answer: Question["answer"] = () => {};
  const answered = new Promise<ApprovalDecision>((resolve) => {
    answer = resolve;
  });
  return { answered, answer };
}
