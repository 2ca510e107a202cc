/**
 * Tells the journal of one session as model loops: `agent_start`, messages and tool calls, `agent_end`. Invariants: every
 * `agent_start` has its `agent_end`; one loop at a time is told; what a sub-agent writes is not part of a loop.
 */
import type { SessionEvent, StoredMessage, TurnId } from "../../index.ts";
import type { AgentMessage } from "./agent-message.ts";
import { AssistantWriter } from "./assistant-writer.ts";
import type { AgentSessionEvent } from "./session-event.ts";
import { userMessages } from "./user-parts.ts";

type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { readonly type: T }>;
type Ports = {
  readonly tell: (event: AgentSessionEvent) => Promise<void>;
  readonly model: () => string;
};
/** A message that did not come to its own end: why is known when its turn is settled. */
type Broken = { readonly status: StoredMessage["status"]; readonly at: number };

export class LoopTeller {
  readonly #ports: Ports;
  readonly #writer: AssistantWriter;
  readonly #flows = new Set<string>();
  #out: AgentSessionEvent[] = [];
  #messages: AgentMessage[] = [];
  #open: TurnId | null = null;
  #broken: Broken | null = null;
  #retry: { readonly attempt: number; readonly message: string } | null = null;
  #at = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#writer = new AssistantWriter({
      model: ports.model,
      now: () => this.#at,
      tell: (event) => this.#out.push(event),
    });
  }

  /** The same request will be made again after a wait. */
  get isRetrying(): boolean {
    return this.#retry !== null;
  }
  async start(turn: TurnId): Promise<void> {
    this.#open = turn;
    this.#messages = [];
    await this.#tell({ type: "agent_start" });
  }
  async take(event: SessionEvent, at: number): Promise<void> {
    this.#at = at;
    switch (event.type) {
      case "message.opened":
        if (event.flow) this.#flows.add(event.messageId);
        return;
      case "chunk":
        if (this.#flows.has(event.messageId)) return;
        await this.#goOn();
        this.#writer.take(event.chunk, at);
        return this.#flush();
      case "message.closed":
        return this.#closed(event, at);
      case "retry":
        return this.#retried(event);
    }
  }
  async #closed({ messageId, message }: Of<"message.closed">, at: number): Promise<void> {
    if (this.#flows.delete(messageId) || message === null) return;
    if (message.role === "user") return this.#said(message, at);
    if (message.status !== "completed") {
      this.#broken = { status: message.status, at };
      return;
    }
    this.#writer.close(null, at);
    await this.#flush();
  }
  async #said({ parts, createdAt }: StoredMessage, at: number): Promise<void> {
    this.#writer.close(null, at); // a steer: what was said before it is whole
    await this.#flush();
    for (const message of userMessages(parts, createdAt)) {
      await this.#tell({ type: "message_start", message });
      await this.#tell({ type: "message_end", message });
    }
  }
  /** The turn did all it will do, or is settled. `error`: of a failed one. Once for a turn: later calls tell nothing. */
  async end(turn: TurnId, error: string | null): Promise<void> {
    if (this.#open !== turn) return;
    this.#open = null;
    const { status, at } = this.#broken ?? { status: "completed", at: this.#at };
    this.#broken = null;
    const retry = this.#retry;
    this.#retry = null;
    const failed = status === "failed";
    if (retry && !failed) return this.#tell(cancelled(retry.attempt));
    if (retry) await this.#tell({ type: "agent_start" });
    const why = { reason: failed ? "error" : "aborted", message: error ?? "" } as const;
    this.#writer.close(status === "completed" ? null : why, at);
    await this.#flush();
    await this.#tell({ type: "agent_end", messages: this.#messages, willRetry: false });
    if (retry)
      await this.#tell({ type: "auto_retry_end", success: false, attempt: retry.attempt, finalError: why.message });
  }

  // --- repeated requests ------------------------------------------------------------------------------------------

  async #retried({ attempt, maxAttempts, delayMs, message }: Of<"retry">): Promise<void> {
    if (this.#open === null) return; // of a compaction
    if (this.#retry) await this.#tell({ type: "agent_start" });
    this.#writer.close(null, this.#at);
    await this.#flush();
    await this.#tell({ type: "agent_end", messages: this.#messages, willRetry: true });
    this.#retry = { attempt, message };
    await this.#tell({ type: "auto_retry_start", attempt, maxAttempts, delayMs, errorMessage: message });
  }
  /** The model answers after all. */
  async #goOn(): Promise<void> {
    const retry = this.#retry;
    if (!retry) return;
    this.#retry = null;
    this.#messages = [];
    await this.#tell({ type: "agent_start" });
    await this.#tell({ type: "auto_retry_end", success: true, attempt: retry.attempt });
  }

  // --- telling ----------------------------------------------------------------------------------------------------

  async #flush(): Promise<void> {
    for (const event of this.#out.splice(0)) await this.#tell(event);
  }
  async #tell(event: AgentSessionEvent): Promise<void> {
    if (event.type === "message_end") this.#messages.push(event.message);
    await this.#ports.tell(event);
  }
}
const cancelled = (attempt: number): AgentSessionEvent => ({
  type: "auto_retry_end",
  success: false,
  attempt,
  finalError: "cancelled",
});
