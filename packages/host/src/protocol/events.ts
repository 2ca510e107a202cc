/** What subscribers of a session receive, in the order of the journal. Stored and numbered, except `snapshot`. */
import type { ApprovalRequest } from "./agent-events.ts";
import type { UIMessage, UIMessageChunk } from "./chunks.ts";
import type { ApprovalId, InputId, MessageId, Millis, Seq, SessionId, TurnId } from "./ids.ts";
import type { Answer, ApprovalEnd, HeldReason, InputState, Outcome, Part, UnansweredReason } from "./input.ts";
import type { CompactionState, TurnOrigin } from "./ops.ts";
import type { Asked } from "./permission.ts";
import type { ApprovalRow, InputRow, SessionRow, TurnRow } from "./rows.ts";
import type { TokenUsage } from "./usage.ts";

export type StoredMessage = UIMessage & {
  readonly parentId: MessageId | null;
  readonly status: "open" | Outcome;
  readonly turnId: TurnId | null;
  readonly inputId: InputId | null;
  readonly createdAt: Millis;
  /** It is a flow: what works under this tool call wrote it, outside the branch. */
  readonly flow?: { readonly toolCallId: string };
};
type Of<T extends string, P> = { readonly type: T; readonly sessionId: SessionId } & P;

/** Events as stored. Delivered with their `seq` (see `StoredEvent`). */
export type SessionEvent =
  | Of<"input.accepted", { readonly inputId: InputId; readonly parts: readonly Part[]; readonly author: string | null }>
  | Of<
      "input.changed",
      {
        readonly inputId: InputId;
        readonly state?: InputState;
        readonly reason?: HeldReason | UnansweredReason;
        readonly turnId?: TurnId;
        readonly parts?: readonly Part[];
      }
    >
  /** The waiting list was reordered: all of it, first to last. */
  | Of<"queue.changed", { readonly order: readonly InputId[] }>
  | Of<
      "turn.started",
      { readonly turnId: TurnId; readonly origin: TurnOrigin; readonly inputId?: InputId; readonly source?: string }
    >
  | Of<"turn.waiting", { readonly turnId: TurnId }>
  | Of<"turn.resumed", { readonly turnId: TurnId }>
  | Of<
      "message.opened",
      {
        readonly messageId: MessageId;
        readonly turnId?: TurnId;
        readonly role: "assistant";
        readonly parentId: MessageId | null;
        readonly flow?: { readonly toolCallId: string };
      }
    >
  | Of<"chunk", { readonly messageId: MessageId; readonly turnId?: TurnId; readonly chunk: UIMessageChunk }>
  /** In the journal its message is a reference (`message: null`); readers get the stored message put in. */
  | Of<
      "message.closed",
      { readonly messageId: MessageId; readonly turnId?: TurnId; readonly message: StoredMessage | null }
    >
  | Of<"message.dropped", { readonly messageId: MessageId; readonly turnId?: TurnId }>
  | Of<
      "turn.settled",
      {
        readonly turnId: TurnId;
        readonly outcome: Outcome;
        readonly error?: { readonly code: string; readonly message: string };
        readonly usage: TokenUsage;
        readonly durationMs: number;
      }
    >
  | Of<
      "approval.requested",
      { readonly approvalId: ApprovalId; readonly turnId?: TurnId; readonly messageId?: MessageId } & Omit<
        ApprovalRequest,
        "approval"
      > & { readonly asked?: Asked }
    >
  | Of<
      "approval.closed",
      {
        readonly approvalId: ApprovalId;
        readonly turnId?: TurnId;
        readonly how: ApprovalEnd;
        readonly answer: Answer | null;
      }
    >
  | Of<"background.changed", { readonly data: unknown }>
  | Of<"compaction", { readonly state: CompactionState; readonly detail: string; readonly messageId?: MessageId }>
  | Of<"context", { readonly usage: unknown }>
  | Of<
      "retry",
      {
        readonly turnId?: TurnId;
        readonly attempt: number;
        readonly maxAttempts: number;
        readonly delayMs: number;
        readonly status: number | null;
        readonly message: string;
      }
    >
  | Of<
      "notice",
      {
        readonly turnId?: TurnId;
        readonly level: "info" | "warning" | "error";
        readonly code: string;
        readonly text: string;
      }
    >
  | Of<
      "session.changed",
      {
        readonly change: Partial<Pick<SessionRow, "title" | "permissionMode" | "leaf" | "removedAt">> & {
          readonly model?: string;
          readonly commands?: unknown;
        };
      }
    >;

export type StoredEvent = { readonly seq: Seq; readonly at: Millis; readonly event: SessionEvent };

/** Where a reader starts whose cursor the journal no longer reaches: everything as of one sequence number. */
export type Snapshot = {
  readonly type: "snapshot";
  readonly sessionId: SessionId;
  readonly cursor: string;
  readonly session: SessionRow;
  readonly turn: TurnRow | null;
  readonly open: readonly StoredMessage[];
  readonly inputs: readonly InputRow[];
  readonly approvals: readonly ApprovalRow[];
  /** Pages closed messages: pass as `before`; null when there are none. */
  readonly older: MessageId | null;
  /** Events from here on hold the open messages from their first chunk; null: none is open. */
  readonly replay: string | null;
};
