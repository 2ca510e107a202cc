/**
 * Tool calls a person decides. Invariants: a question is asked once per connection and ends once: answered, withdrawn,
 * or left to the next connection when it is durable; an answer counts only for the call it was asked about.
 */
import type { AgentRuntimeEvent, ApprovalDecision, ApprovalId, TurnId } from "@mooring/host/driver";

export type Question = {
  readonly approvalId: ApprovalId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly turnId: TurnId | null;
  readonly durable: boolean;
};
export type OpenQuestion = { readonly question: Question; readonly answer: (decision: ApprovalDecision) => void };

export class Questions {
  readonly #push: (events: readonly AgentRuntimeEvent[]) => void;
  readonly #open = new Map<ApprovalId, OpenQuestion>();

  constructor(push: (events: readonly AgentRuntimeEvent[]) => void) {
    this.#push = push;
  }

  /** Resolves with the person's decision, or with a refusal when the question is withdrawn. */
  ask(question: Question): Promise<ApprovalDecision> {
    const { turnId, ...asked } = question;
    const decided = new Promise<ApprovalDecision>((answer) => {
      this.#open.set(question.approvalId, { question, answer });
    });
    this.#push([{ type: "tool-approval-request", ...(turnId === null ? {} : { turnId }), ...asked }]);
    return decided;
  }

  /** Nobody else ends it any more: whoever takes it calls `answer`. Null: no such question is open. */
  take(id: ApprovalId): OpenQuestion | null {
    const open = this.#open.get(id) ?? null;
    this.#open.delete(id);
    return open;
  }

  withdraw(id: ApprovalId, reason: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    this.#push([{ type: "approval-withdrawn", approvalId: id, reason }]);
    open.answer({ decision: "deny", reason });
  }
  withdrawTurn(turnId: TurnId, reason: string): void {
    for (const { question } of [...this.#open.values()])
      if (question.turnId === turnId) this.withdraw(question.approvalId, reason);
  }

  /** The connection is over: who waits is told no, and the host learns it from the end of the connection. */
  leave(): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { answer } of open) answer({ decision: "deny", reason: "The connection was closed." });
  }
}
