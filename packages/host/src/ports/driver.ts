/**
 * The driver contract: how the host talks to one kind of agent runtime. A driver translates; it never stores, never
 * decides policy, never sends an input twice, never reads the host's environment.
 *
 * Rules a driver keeps (the contract suite holds each as data):
 * - `events` has one consumer and ends when the connection dies. Every event about a turn carries the `turnId` given to
 *   `send`, or the one the driver made for work the agent began.
 * - Exactly one terminal event per turn: `turn-complete` or `error`. `abortTurn` ends nothing by itself.
 * - A steer answered `offered` has exactly one end: boundary, undelivered, withdrawn, returned by `close`, or adopted.
 */
import type { CompactionDone } from "../protocol/agent-events.ts";
import type { JSONObject, JSONValue, UIMessage, UIMessageChunk } from "../protocol/chunks.ts";
import type { ApprovalId, InputId, SessionId, TurnId } from "../protocol/ids.ts";
import type { Part } from "../protocol/input.ts";
import type { PermissionMode, ToolCategory } from "../protocol/permission.ts";
import type { UsageReport } from "../protocol/usage.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import type { Log } from "./log.ts";
import type { Processes } from "./processes.ts";

export type DriverCapabilities = {
  readonly history: "host" | "native";
  readonly resume: "none" | "load" | "resume";
  readonly idempotentInput: boolean;
  /** An open approval survives the connection: the driver can ask it again under its id. */
  readonly durableApproval: boolean;
  readonly steer: "native" | "hook" | "folds" | "none";
  readonly steerStartsOwnTurn: boolean;
  /** What the agent does with a prompt during a turn. */
  readonly secondPrompt: "fold" | "queue" | "abort" | "refuse";
  readonly rewind: boolean;
  readonly fork: boolean;
  readonly interruptStopsTools: boolean;
  readonly liveModel: boolean;
  readonly liveMode: boolean;
  readonly modes: readonly PermissionMode[];
  readonly tools: "native" | "mcp";
  readonly images: boolean;
  /** Files it takes with their bytes (as data URLs) beside images: media types, or all of one kind as `text/*`. */
  readonly fileTypes?: readonly string[];
  /** It reads files in its home by their absolute path: a file it is not given with its bytes is named by one. */
  readonly filePaths?: boolean;
  readonly contextUsage: boolean;
  readonly compaction: boolean;
  readonly autonomousTurns: boolean;
  readonly hooks: readonly HookPoint[];
  readonly multiSession: boolean;
  /** It reads AGENTS.md and CLAUDE.md of the workspace itself: the prompt does not tell them again. */
  readonly workspaceText?: boolean;
  /** It offers `ConnectInput.ownTools` to its model, and asks the policy about their calls as about any other. */
  readonly ownTools?: boolean;
  /** It takes steers as `ConnectInput.steeringMode` says. */
  readonly steeringModes?: boolean;
};
/** Steers that wait are given to the model together, or one with each request. */
export type SteeringMode = "all" | "one-at-a-time";
/** What this one connection can do; starts from the driver's and is corrected by the handshake. */
export type ConnectionCapabilities = Pick<
  DriverCapabilities,
  "steer" | "steerStartsOwnTurn" | "idempotentInput" | "durableApproval" | "images" | "compaction" | "contextUsage"
>;
export type HookPoint = "before-compaction";

/** Everything a driver may know of a session before it connects. */
export type SessionFacts = {
  readonly sessionId: SessionId;
  readonly workspace: string;
  readonly model: string;
  readonly effort: string | null;
  readonly credentials: Credentials;
  readonly options: Readonly<Record<string, unknown>>;
  readonly resumeToken: string | null;
};
export type Credentials = {
  readonly provider: string;
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
};
export type ToolInfo = {
  readonly name: string;
  readonly description: string;
  readonly category: ToolCategory;
};

/** A tool of the program the host runs in: its code runs there, at the driver's call. */
export type OwnTool = ToolInfo & {
  /** For people; absent: the name. */
  readonly title?: string;
  /** JSON schema of its input, an object. */
  readonly inputSchema: JSONObject;
  /** The input as the tool takes it, or what is wrong with it, by field. Asked before the policy is. Never throws. */
  parse(input: unknown): { readonly input: unknown } | { readonly problem: string };
  /** Rejects when the call failed; the message is its result. May be called when the tool is no more: rejects then. */
  run(call: OwnToolCall): Promise<OwnToolResult>;
};
export type OwnToolCall = {
  readonly toolCallId: string;
  readonly input: unknown;
  /** Aborts when the turn is stopped or the connection closes. */
  readonly signal: AbortSignal;
  /** What it has so far, for viewers. Best effort: some may be left out, and all after the call ended. */
  progress(text: string): void;
};
/** The driver bounds the text for its model as it does those of its own tools. */
export type OwnToolResult = {
  readonly text: string;
  readonly isError?: boolean;
  /** Kept with the result in `toolMetadata.details`, for the program; no model reads it. The tool bounds it. */
  readonly details?: JSONValue;
  /** Once every call of one answer says so the turn completes: the model is not asked again. */
  readonly terminate?: boolean;
};

export type ToolCall = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly category: ToolCategory;
  /** Absolute paths the call would touch, symlinks resolved where they exist. */
  readonly paths: readonly string[];
  readonly turnId: TurnId | null;
  /** The tool is a question to a person in itself (which option? is this plan good?): no mode and no rule answers it. */
  readonly needsPerson?: boolean;
  /**
   * A person allowed this call under that approval with another input, which this is. Decided again before it runs: a
   * denial stands, `ask` counts as allowed.
   */
  readonly editedUnder?: ApprovalId;
  /**
   * Makes the call another: with this input, as it is, not held against the tool's schema. It is shown as the call's and
   * run if the call is; resolves with the paths it would touch, which it is decided by. Absent: the agent cannot, and a
   * hook that wants to is a denial.
   */
  replaceInput?(input: unknown): Promise<readonly string[]>;
};
export type PolicyDecision = "allow" | "ask" | { readonly deny: string };
export interface Policy {
  /** Asked at call time, every call; the host answers from the session's state of that moment. */
  decide(call: ToolCall): Promise<PolicyDecision>;
}

/** One message of the branch, or a compaction entry that stands for all before it (and up to `covers`). */
export type HistoryEntry =
  | { readonly kind: "message"; readonly message: UIMessage }
  | { readonly kind: "compaction"; readonly done: CompactionDone };

export type WaitingApproval = {
  readonly approvalId: ApprovalId;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
};
export type Waiting = { readonly turnId: TurnId; readonly approvals: readonly WaitingApproval[] };

export type ConnectInput = {
  readonly session: SessionFacts;
  readonly workspace: string;
  readonly model: string;
  readonly effort: string | null;
  readonly prompt: { readonly base: string | null; readonly append: string };
  readonly disabledTools: readonly string[];
  readonly mcpServers: Readonly<Record<string, unknown>>;
  readonly permissionMode: PermissionMode;
  readonly policy: Policy;
  readonly credentials: Credentials;
  /** Null: a new native session. */
  readonly resumeToken: string | null;
  /** Host history (capability `history: "host"`): the branch from its last compaction entry, oldest first. */
  history(): Promise<readonly HistoryEntry[]>;
  /** A turn that waited for a person: continue it under its id, ask each approval again under its id, send nothing. */
  readonly waiting: Waiting | null;
  readonly hooks: { beforeCompaction(): Promise<"go" | "cancel"> };
  /** The program's tools as of now; absent: none. One with the name of a tool of the driver's own takes its place. */
  ownTools?(): readonly OwnTool[];
  /** As of now: asked whenever steers could be taken. Absent: `all`. */
  steeringMode?(): SteeringMode;
  /** The child's environment, whole. */
  readonly env: Readonly<Record<string, string>>;
  /** A private home for the agent. */
  readonly home: string;
};
export type TurnInput = {
  readonly turnId: TurnId;
  readonly inputId: InputId;
  readonly agentKey: string;
  readonly parts: readonly Part[] /** It came while another turn ran: wrapped accordingly already. */;
  readonly arrivedMidTurn: boolean;
  readonly headless: boolean;
};
export type SteerInput = TurnInput;
export type SessionTarget = {
  readonly model: string;
  readonly effort: string | null;
  readonly permissionMode: PermissionMode;
  readonly disabledTools: readonly string[];
  readonly prompt: ConnectInput["prompt"];
  readonly mcpServers: Readonly<Record<string, unknown>>;
};
export type ReconcileVerdict = "current" | "patched" | "rebuild" | "invalid" | "failed";
export type ApprovalDecision =
  | { readonly decision: "allow" /** Edited input; undefined: as asked. */; readonly input?: unknown }
  | { readonly decision: "deny"; readonly reason: string };
export type AbortAnswer = "aborted" | "already-settled" | "unsupported";
export type CloseReason = "idle" | "reap" | "rebuild" | "rewind" | "stop" | "waiting" | "failure" | "shutdown";
export type ContextUsage = { readonly used: number; readonly window: number; readonly categories?: unknown };
export type DriverReadiness = {
  readonly found: boolean;
  readonly version: string | null;
  readonly credentials: "ok" | "missing" | "not-needed";
  readonly problem: string | null /** The exact command that fixes it. */;
  readonly fix: string | null;
};

/** Events about a turn. */
export type TurnEvent =
  | { readonly type: "chunk"; readonly turnId: TurnId; readonly chunk: UIMessageChunk }
  | { readonly type: "steer-boundary"; readonly turnId: TurnId; readonly taken: readonly InputId[] }
  | { readonly type: "steer-undelivered"; readonly turnId: TurnId; readonly inputs: readonly InputId[] }
  | {
      readonly type: "turn-complete";
      readonly turnId: TurnId;
      readonly outcome: "completed" | "stopped";
      readonly answered: readonly InputId[];
      readonly anchor?: string;
    }
  | {
      readonly type: "error";
      readonly turnId: TurnId;
      readonly code: string;
      readonly message: string;
      readonly retry: "never" | "later" | "now";
    }
  | { readonly type: "part-abandoned"; readonly turnId: TurnId; readonly part: string; readonly reason: string }
  | {
      readonly type: "autonomous-turn-state";
      readonly turnId: TurnId;
      readonly state: "started" | "finished";
      readonly origin: string;
      readonly inputId?: InputId;
    };
/** Events that may carry a turn or come outside one. */
export type LooseEvent =
  | {
      readonly type: "tool-approval-request";
      readonly turnId?: TurnId;
      readonly approvalId: ApprovalId;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly durable: boolean;
    }
  | { readonly type: "approval-withdrawn"; readonly approvalId: ApprovalId; readonly reason: string }
  | { readonly type: "resume-token"; readonly token: string }
  | { readonly type: "usage"; readonly turnId?: TurnId; readonly usage: UsageReport }
  | { readonly type: "tool-timing"; readonly toolCallId: string; readonly durationMs: number }
  | { readonly type: "context-usage"; readonly usage: ContextUsage }
  | { readonly type: "compaction-start"; readonly turnId?: TurnId; readonly trigger: string }
  | { readonly type: "compaction-complete"; readonly turnId?: TurnId; readonly done: CompactionDone | null }
  | { readonly type: "compaction-error"; readonly turnId?: TurnId; readonly message: string }
  | {
      readonly type: "api-retry";
      readonly turnId?: TurnId;
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly status: number | null;
      readonly message: string;
    }
  | { readonly type: "supported-commands"; readonly commands: unknown }
  | { readonly type: "background-tasks"; readonly tasks: unknown }
  | { readonly type: "background-work-state"; readonly active: boolean; readonly awaitingReply?: boolean }
  | { readonly type: "background-task-event"; readonly taskId: string; readonly data: unknown }
  | {
      readonly type: "background-flow-chunk";
      readonly turnId?: TurnId;
      readonly rootToolCallId: string;
      readonly chunk: UIMessageChunk;
    }
  | { readonly type: "config-changed"; readonly model?: string; readonly permissionMode?: PermissionMode }
  | { readonly type: "title"; readonly title: string }
  | {
      readonly type: "notice";
      readonly level: "info" | "warning" | "error";
      readonly code: string;
      readonly text: string;
    };
export type AgentRuntimeEvent = TurnEvent | LooseEvent;

export interface AgentRuntimeConnection {
  readonly capabilities: ConnectionCapabilities;
  /** One consumer; ends when the connection dies. */
  readonly events: AsyncIterable<AgentRuntimeEvent>;
  /** Resolves when the agent accepted it, not when it answered. */
  send(turn: TurnInput): Promise<void>;
  redirect?(steer: SteerInput): Promise<"offered" | "refused">;
  /** Takes back a steer the agent has not taken: true when it never will be. */
  withdraw?(inputId: InputId): Promise<boolean>;
  /** Resolves when the interrupt was accepted; the terminal event still follows. */
  abortTurn(turnId: TurnId): Promise<AbortAnswer>;
  reconcile(target: SessionTarget): Promise<ReconcileVerdict>;
  answerApproval(id: ApprovalId, decision: ApprovalDecision): Promise<void>;
  getContextUsage?(): Promise<ContextUsage | null>;
  compact?(instructions?: string): Promise<void>;
  stopTask?(taskId: string): Promise<boolean>;
  /** Steers it held and never delivered. Idempotent. */
  close(reason: CloseReason): Promise<{ readonly returned: readonly InputId[] }>;
}

export type ForkInput = {
  readonly session: SessionFacts;
  readonly token: string;
  readonly anchor: string;
  readonly home: string;
};
export type ForkResult = { readonly token: string };

export interface AgentSessionRuntimeDriver {
  readonly type: string;
  readonly capabilities: DriverCapabilities;
  /** Rejects with a coded error when the session cannot be served. No side effects. */
  validateSession(session: SessionFacts): Promise<void>;
  listAvailableTools(session: SessionFacts): Promise<readonly ToolInfo[]>;
  /** May reject with `ResumeFailed`. */
  connect(input: ConnectInput): Promise<AgentRuntimeConnection>;
  onSessionIdle?(session: SessionFacts): Promise<void>;
  fork?(input: ForkInput): Promise<ForkResult>;
  doctor(input: {
    readonly credentials: Credentials;
    readonly env: Readonly<Record<string, string>>;
    readonly home: string;
  }): Promise<DriverReadiness>;
}
export type DriverPorts = {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly dataDir: string;
};
export type DriverFactory = (ports: DriverPorts) => AgentSessionRuntimeDriver;
