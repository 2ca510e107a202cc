/**
 * Questions of tool calls, put to whoever sits at the session. Invariants: nothing is ever allowed that nobody allowed;
 * with nobody there a question is denied at once; a question's dialog ends with the question.
 */
import type { ApprovalId, SessionHost } from "../../index.ts";
import { MooringError, messageOf } from "../../index.ts";
import type { ExtensionUIContext } from "../extensions/types.ts";
import type { Asked } from "./session-event.ts";

/** `wait`: the program answers by `AgentSession.answerApproval`, or another client of the host does. */
export type Unattended = "deny" | "wait";

export class ApprovalDesk {
  readonly #host: SessionHost;
  readonly #open = new Map<ApprovalId, AbortController>();
  ui: ExtensionUIContext | null = null;
  unattended: Unattended;

  constructor(host: SessionHost, unattended: Unattended) {
    this.#host = host;
    this.unattended = unattended;
  }
  requested(asked: Asked): void {
    this.#ask(asked).catch((cause: unknown) => process.emitWarning(`Approval ${asked.id}: ${messageOf(cause)}`));
  }
  closed(id: ApprovalId): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.closed(id);
  }
  async #ask({ id, toolName, input }: Asked): Promise<void> {
    const { ui } = this;
    if (ui === null)
      return this.unattended === "deny" ? this.#answer(id, false, "Nobody is there to allow it.") : undefined;
    const gone = new AbortController();
    this.#open.set(id, gone);
    const { signal } = gone;
    const allowed = await ui.confirm(`Allow ${toolName}?`, JSON.stringify(input) ?? "", { signal });
    if (!signal.aborted) await this.#answer(id, allowed, "Denied by the person.");
  }
  async #answer(id: ApprovalId, allowed: boolean, reason: string): Promise<void> {
    try {
      const by = this.ui === null ? "unattended" : "session";
      await this.#host.answer(id, allowed ? { decision: "allow", by } : { decision: "deny", reason, by });
    } catch (cause) {
      // Another answer was first, or what asked is over.
      if (!MooringError.isInstance(cause)) throw cause;
    }
  }
}
