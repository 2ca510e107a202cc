/** What is stored, row by row, with public ids. The store keeps these and nothing of the core's own. */
import type { UIMessage } from "./chunks.ts";
import type {
  AgentId,
  ApprovalId,
  Epoch,
  FileId,
  InputId,
  MessageId,
  Millis,
  Seq,
  SessionId,
  TurnId,
  TurnNo,
} from "./ids.ts";
import type { Answer, ApprovalEnd, HeldReason, Input, InputState, Outcome, UnansweredReason } from "./input.ts";
import type { TurnOrigin } from "./ops.ts";
import type { AgentRule, Asked, PermissionMode } from "./permission.ts";
import type { UsageReport } from "./usage.ts";

export type ProviderSettings = { readonly kind?: string; readonly baseUrl?: string; readonly apiKeyEnv?: string };
/** A named configuration. A key given at creation goes to the secrets file; a row holds only a variable's name. */
export type AgentRow = {
  readonly id: AgentId;
  readonly name: string; // unique
  readonly driver: string;
  readonly model: string | null;
  readonly effort: string | null;
  readonly instructions: string | null;
  readonly permissionMode: PermissionMode;
  readonly provider: ProviderSettings;
  readonly mcpServers: Readonly<Record<string, unknown>>;
  readonly disabledTools: readonly string[];
  readonly rules: readonly AgentRule[];
  /** Names of tools, `*` in them for anything, whose calls a person decides in every mode. */
  readonly alwaysAsk: readonly string[];
  /** What becomes of a question while nobody watches: denied at once, or it waits until its deadline. */
  readonly unattended: "deny" | "wait";
  readonly defaultDelivery: "steer" | "queue";
  readonly queueAfter: "hold" | "run";
  readonly onInterrupted: "wait" | "continue";
  readonly onResumeFailed: "ask" | "fresh" | "fresh-with-transcript";
  readonly driverOptions: Readonly<Record<string, unknown>>;
  /** Rises with each change: what a warm connection is reconciled to. */
  readonly revision: number;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
};
export type SessionRow = {
  readonly id: SessionId;
  readonly agentId: AgentId;
  readonly workspace: string;
  readonly managed: boolean; // the host made the workspace
  readonly title: string | null;
  readonly externalId: string | null; // unique
  readonly permissionMode: PermissionMode | null; // overrides the agent's
  readonly parentId: SessionId | null; // forked from
  readonly leaf: MessageId | null; // the branch shown ends here
  readonly driver: string;
  readonly resumeToken: string | null;
  readonly compacting: boolean; // its history is being made shorter
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  readonly removedAt: Millis | null; // hidden, removed after ten minutes
};
export type InputRow = {
  readonly id: InputId;
  readonly input: Input;
  readonly state: InputState;
  readonly reason: HeldReason | UnansweredReason | null;
  readonly turnId: TurnId | null;
  /** Its user message, once taken or started. */
  readonly messageId: MessageId | null;
  /** Place in the waiting list; null when it does not wait. */
  readonly position: number | null;
  /** Hash of what the client sent: the same key with another body is a conflict. */
  readonly bodyHash: string;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
};
export type TurnRow = {
  readonly id: TurnId;
  readonly no: TurnNo;
  readonly origin: TurnOrigin;
  readonly inputId: InputId | null;
  readonly status: "open" | "waiting" | Outcome;
  readonly reason: string | null;
  readonly message: string | null; // for people, when it did not complete
  readonly model: string | null;
  readonly startedAt: Millis;
  readonly endedAt: Millis | null;
};
export type MessageKind = "message" | "entry" | "flow";
export type MessageRow = {
  readonly id: MessageId;
  readonly parentId: MessageId | null;
  readonly kind: MessageKind;
  readonly role: "user" | "assistant" | "system";
  readonly status: "open" | Outcome;
  /** Ordinal inside its turn (assistant messages) or of the flow; null for user messages and entries. */
  readonly ordinal: number | null;
  readonly turnId: TurnId | null;
  readonly inputId: InputId | null;
  readonly parts: UIMessage["parts"]; // of an open message: empty, its text is in the journal
  readonly metadata: unknown;
  readonly model: string | null;
  readonly author: string | null;
  readonly resumeToken: string | null;
  readonly anchor: string | null;
  /** Id in the place it was copied or imported from. */
  readonly originId: string | null;
  /** Of a flow: the tool call it runs under. Of an entry: its kind (`compaction`). */
  readonly label: string | null;
  readonly timing: unknown;
  readonly createdAt: Millis;
  readonly closedAt: Millis | null;
};
export type ApprovalRow = {
  readonly id: ApprovalId;
  readonly sessionId: SessionId;
  readonly turnId: TurnId | null;
  readonly messageId: MessageId | null;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly durable: boolean;
  /** Null: the agent asked without asking the host first. */
  readonly asked: Asked | null;
  readonly how: ApprovalEnd | null; // null: open
  readonly answer: Answer | null;
  readonly createdAt: Millis;
  readonly closedAt: Millis | null;
};
export type UsageRow = {
  readonly sessionId: SessionId;
  readonly turnId: TurnId | null;
  readonly messageId: MessageId | null;
  readonly report: UsageReport;
  readonly at: Millis;
};
/** A file that parts name by its id. Its bytes lie on the disk under their hash, once for all rows that have it. */
export type FileRow = {
  readonly id: FileId;
  readonly hash: string; // SHA-256, in hexadecimal
  readonly name: string | null;
  readonly mediaType: string;
  readonly size: number; // bytes
  readonly createdAt: Millis;
};
/** A child the supervisor started: what a new host of the same data directory must end first. */
export type ProcessRow = {
  readonly pid: number;
  readonly startTime: string;
  readonly purpose: string;
  readonly sessionId: SessionId | null;
  readonly hostPid: number;
  readonly startedAt: Millis;
};

/** One session as stored, for recovery: only what is not over. */
export type StoredSession = {
  readonly session: SessionRow;
  readonly epoch: Epoch;
  readonly nextSeq: Seq;
  readonly horizon: Seq;
  /** Waiting, offered, taken and started inputs; the waiting ones in queue order. */
  readonly inputs: readonly InputRow[];
  readonly openTurns: readonly TurnRow[];
  readonly lastTurn: TurnNo; // highest ever
  readonly lastFlow: number;
  /** Open messages and flows. `opened`: no event of it is older. */
  readonly open: readonly { readonly row: MessageRow; readonly opened: Seq }[];
  readonly openApprovals: readonly ApprovalRow[];
};
