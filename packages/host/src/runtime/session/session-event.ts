/** What subscribers of an `AgentSession` hear. Types only; the order is in `docs/session-runtime.md`. */
import type { ApprovalEnd, ApprovalRow } from "../../index.ts";
import type { AgentMessage, AssistantMessage, ToolResultMessage } from "./agent-message.ts";

/** One member for each of the types. */
type Each<T extends string, P> = T extends string ? { readonly type: T } & P : never;

/** A piece of the assistant message that is being written. `contentIndex`: its place in the message's content. */
export type AssistantMessageEvent =
  | Each<"text_start" | "thinking_start", { readonly contentIndex: number }>
  | Each<"text_delta" | "thinking_delta", { readonly contentIndex: number; readonly delta: string }>
  | Each<"text_end" | "thinking_end", { readonly contentIndex: number; readonly content: string }>
  | {
      readonly type: "toolcall_start";
      readonly contentIndex: number;
      readonly id: string;
      readonly toolName: string;
    }
  | { readonly type: "toolcall_delta"; readonly contentIndex: number; readonly delta: string }
  | {
      readonly type: "toolcall_end";
      readonly contentIndex: number;
      readonly toolCall: { readonly id: string; readonly name: string; readonly arguments: unknown };
    };

type ToolExecution = { readonly toolCallId: string; readonly toolName: string };
/** One model loop: from the message it answers until it needs nothing more. */
type LoopEvent =
  | { readonly type: "agent_start" }
  /** `willRetry`: the same request is repeated after a wait. Times in milliseconds. */
  | { readonly type: "agent_end"; readonly messages: readonly AgentMessage[]; readonly willRetry: boolean }
  | { readonly type: "turn_start" }
  | {
      readonly type: "turn_end";
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  | Each<"message_start" | "message_end", { readonly message: AgentMessage }>
  | { readonly type: "message_update"; readonly assistantMessageEvent: AssistantMessageEvent }
  | ({ readonly type: "tool_execution_start"; readonly args: unknown } & ToolExecution)
  | ({ readonly type: "tool_execution_update"; readonly partialResult: unknown } & ToolExecution)
  | ({ readonly type: "tool_execution_end"; readonly result: unknown; readonly isError: boolean } & ToolExecution)
  | {
      readonly type: "auto_retry_start";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly errorMessage: string;
    }
  | {
      readonly type: "auto_retry_end";
      readonly success: boolean;
      readonly attempt: number;
      readonly finalError?: string;
    };
/** `aborted`: the run ended by a stop. Nothing more follows by itself. */
type RunEvent =
  | { readonly type: "agent_settled"; readonly aborted: boolean }
  | { readonly type: "queue_update"; readonly steering: readonly string[]; readonly followUp: readonly string[] }
  | { readonly type: "compaction_start"; readonly reason: string }
  | {
      readonly type: "compaction_end";
      readonly reason: string;
      readonly aborted: boolean;
      readonly willRetry: boolean;
      readonly errorMessage?: string;
    };
type StoredEvent =
  /** `entryId` names it in the tree. */
  | { readonly type: "entry_appended"; readonly entryId: string; readonly entryType: string }
  | { readonly type: "session_info_changed"; readonly name: string | undefined }
  | { readonly type: "thinking_level_changed"; readonly level: string }
  /** A tool call waits for a person: `AgentSession.answerApproval`. */
  | { readonly type: "approval_requested"; readonly approval: Asked }
  | { readonly type: "approval_closed"; readonly approvalId: string; readonly how: ApprovalEnd }
  | { readonly type: "notice"; readonly level: "info" | "warning" | "error"; readonly message: string };
export type Asked = Pick<ApprovalRow, "id" | "toolCallId" | "toolName" | "input">;

export type AgentSessionEvent = LoopEvent | RunEvent | StoredEvent;
export type AgentSessionEventListener = (event: AgentSessionEvent) => void;
