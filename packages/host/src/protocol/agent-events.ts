/**
 * What a connection says, as the core hears it: the driver's event plus the connection's number, with the turn it
 * belongs to as a generation. The pump (`host/connections/pump.ts`) makes these from the driver contract's events.
 */
import type { UIMessageChunk } from "./chunks.ts";
import type { ApprovalId, ConnectionNo, Generation, InputId } from "./ids.ts";
import type { UsageReport } from "./usage.ts";

/** A request for a decision. `durable`: the driver can ask again after its process is gone. */
export type ApprovalRequest = {
  readonly approval: ApprovalId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly durable: boolean;
};

/** Shown to people, journaled, and of no consequence for the turn. */
export type AgentNote =
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly status: number | null;
      readonly message: string;
    }
  | { readonly kind: "context"; readonly usage: unknown }
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "error";
      readonly code: string;
      readonly text: string;
    }
  | { readonly kind: "commands"; readonly commands: unknown }
  | { readonly kind: "background"; readonly data: unknown }
  | { readonly kind: "config"; readonly model: string | null; readonly permissionMode: string | null }
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "tool-timing"; readonly toolCallId: string; readonly durationMs: number };

/** A compaction entry of the history: what replaced everything up to and including message `covers`. */
export type CompactionDone = {
  readonly trigger: string;
  readonly summary: string | null;
  readonly covers: string | null;
  readonly data: unknown;
};

type OfGeneration<T extends string, P> = {
  readonly type: T;
  readonly connection: ConnectionNo;
  readonly generation: Generation;
} & P;

/** Events of one generation, in the agent's order. Kept as they are while their generation has to wait. */
export type GenerationEvent =
  | OfGeneration<"chunk", { readonly chunk: UIMessageChunk }>
  | OfGeneration<"steer-boundary", { readonly taken: readonly InputId[] }>
  | OfGeneration<"steer-undelivered", { readonly inputs: readonly InputId[] }>
  | OfGeneration<
      "turn-complete",
      {
        readonly outcome: "completed" | "stopped";
        readonly answered: readonly InputId[];
        readonly anchor: string | null;
      }
    >
  | OfGeneration<"agent-error", { readonly code: string; readonly message: string }>
  | OfGeneration<"approval-request", { readonly request: ApprovalRequest }>
  | OfGeneration<"part-abandoned", { readonly part: string; readonly reason: string }>
  | OfGeneration<"usage", { readonly usage: UsageReport }>
  | OfGeneration<"autonomous-started", { readonly origin: string; readonly input: InputId | null }>
  | OfGeneration<"autonomous-finished", object>;

type OfConnection<T extends string, P> = { readonly type: T; readonly connection: ConnectionNo } & P;
/** Events of the connection: applied at once, whatever any turn is doing. */
export type ConnectionEvent =
  | OfConnection<"loose-approval-request", { readonly request: ApprovalRequest }>
  | OfConnection<"approval-withdrawn", { readonly approval: ApprovalId; readonly reason: string }>
  | OfConnection<"resume-token", { readonly token: string }>
  | OfConnection<"background-work", { readonly active: boolean; readonly awaitingReply: boolean }>
  | OfConnection<"flow-chunk", { readonly root: string; readonly chunk: UIMessageChunk }>
  | OfConnection<"compaction-start", { readonly trigger: string }>
  | OfConnection<"compaction-complete", { readonly done: CompactionDone | null }>
  | OfConnection<"compaction-error", { readonly message: string }>
  | OfConnection<"loose-usage", { readonly usage: UsageReport }>
  | OfConnection<"note", { readonly note: AgentNote }>
  | OfConnection<"unknown", { readonly name: string }>;

export type AgentEvent = GenerationEvent | ConnectionEvent;
