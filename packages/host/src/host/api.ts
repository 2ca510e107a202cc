/** The public face of a host: what a library user, the HTTP handler and the command call. Types only. */

import type { Clock } from "../ports/clock.ts";
import type {
  AgentRuntimeConnection,
  ContextUsage,
  DriverCapabilities,
  DriverFactory,
  DriverReadiness,
  OwnTool,
  SteeringMode,
  ToolInfo,
} from "../ports/driver.ts";
import type { Ids } from "../ports/ids.ts";
import type { Log } from "../ports/log.ts";
import type { MessagePage, Page, SessionListRow, SessionState, Store, TurnReport, UsageQuery } from "../ports/store.ts";
import type { UIMessage } from "../protocol/chunks.ts";
import type { SessionEvent, Snapshot, StoredMessage } from "../protocol/events.ts";
import type {
  AgentId,
  ApprovalId,
  FileId,
  InputId,
  MessageId,
  RuleId,
  Seq,
  SessionId,
  TurnId,
} from "../protocol/ids.ts";
import type {
  Answer,
  Branch,
  ClientMessage,
  Decision,
  Delivery,
  HeldReason,
  InputState,
  Outcome,
  Part,
  UnansweredReason,
} from "../protocol/input.ts";
import type { AgentRule, AnswerScope, PermissionMode, RuleRow, RuleScope } from "../protocol/permission.ts";
import type {
  AgentRow,
  ApprovalRow,
  FileRow,
  InputRow,
  MessageRow,
  ProviderSettings,
  SessionRow,
  TurnRow,
} from "../protocol/rows.ts";
import type { TokenUsage } from "../protocol/usage.ts";
import type { HostLimits } from "./limits.ts";
import type { ByteSink } from "./viewers/byte-writer.ts";

export type NewAgent = {
  readonly name: string;
  readonly driver: string;
  readonly model?: string;
  readonly effort?: string;
  readonly instructions?: string;
  readonly permissionMode?: PermissionMode;
  /** A literal `apiKey` goes to the secrets file; the row keeps none. */
  readonly provider?: ProviderSettings & { readonly apiKey?: string };
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly disabledTools?: readonly string[];
  /** Its own rules, tried like stored ones of scope `agent`: `{effect: "allow", tool: "bash", pattern: "git status*"}`. */
  readonly rules?: readonly AgentRule[];
  /** Tools whose calls a person decides in every mode, bypassPermissions too; `*` stands for anything. Default `["mcp__*"]`. */
  readonly alwaysAsk?: readonly string[];
  /** A question of an unattended (headless) turn: denied at once (default), or it waits `limits.timerMs.approval`, then ends as `expired`. */
  readonly unattended?: "deny" | "wait";
  readonly defaultDelivery?: "steer" | "queue";
  readonly queueAfter?: "hold" | "run";
  readonly onInterrupted?: "wait" | "continue";
  readonly onResumeFailed?: "ask" | "fresh" | "fresh-with-transcript";
  readonly driverOptions?: Readonly<Record<string, unknown>>;
};
export type NewSession = {
  /** Agent id or name; absent: the default agent. */
  readonly agent?: string;
  /** An existing directory inside an allowed root; absent: a managed one. */
  readonly workspace?: string;
  /** External id. */
  readonly id?: string;
  readonly title?: string;
  readonly permissionMode?: PermissionMode;
};
export type NewInput = {
  readonly text?: string;
  readonly parts?: readonly Part[];
  readonly delivery?: Delivery;
  /** The idempotency key: the same id and body is the same input. */
  readonly id?: InputId;
  readonly model?: string;
  readonly effort?: string;
  readonly headless?: boolean;
  readonly branch?: Branch;
  readonly author?: string;
  /** Of a chat client: its user message keeps this id where it can. No part of what a client of the API may send. */
  readonly client?: ClientMessage;
};
/** Durable when returned. `cursor`: events from here on show what becomes of it. */
export type Receipt = {
  readonly inputId: InputId;
  readonly disposition: "started" | "offered" | "queued" | "held" | "handled" | "ended";
  readonly state: InputState | "handled";
  readonly reason?: HeldReason | UnansweredReason;
  readonly turnId?: TurnId;
  readonly cursor: string;
};
export type StopOutcome = { readonly outcome: "stopping" | "not-running" };
export type NewAnswer = {
  readonly decision: Decision;
  /**
   * `once` (default): this call. Else the same call from now on: a rule of that scope with the decision as its effect,
   * about exactly `approval.asked.rule`, is stored in the same transaction as the answer, and other open questions it
   * decides are answered too, `by: "rule"`. It is given back as `approval.answer.rule`.
   */
  readonly scope?: AnswerScope;
  /** Runs instead of what was asked; with `once` only. Judged again before it is taken. */
  readonly input?: unknown;
  readonly reason?: string;
  readonly by?: string;
};
export type ApprovalResult = { readonly approval: ApprovalRow };
/** `sessionId` (or external id) for scope `session`, `agent` (id or name) for scope `agent`. */
export type NewRule = AgentRule & {
  readonly scope: RuleScope;
  readonly sessionId?: string;
  readonly agent?: string;
  readonly by?: string;
};
export type SessionView = SessionRow & {
  readonly agentName: string;
  readonly state: "idle" | "busy" | "waiting" | "held" | "unavailable";
  readonly turn: { readonly id: TurnId; readonly status: "open" | "waiting" } | null;
};
export type DeliveredEvent =
  | { readonly cursor: string; readonly seq: Seq; readonly at: number; readonly event: SessionEvent }
  | { readonly cursor: string; readonly event: Snapshot };
export type ApprovalEvent = Extract<SessionEvent, { readonly type: "approval.requested" | "approval.closed" }>;
/**
 * What a viewer of all sessions hears. `snapshot`: the newest sessions as `list` shows them (`next`: pass as `after` for
 * older ones) and the newest open approvals; first, once. `session.changed`: as the list shows it now, null when it does
 * not any more. What the snapshot shows already may come once more.
 */
export type HostEvent =
  | {
      readonly type: "snapshot";
      readonly sessions: readonly SessionListRow[];
      readonly next: string | null;
      readonly approvals: readonly ApprovalRow[];
    }
  | {
      readonly type: "session.changed";
      readonly sessionId: SessionId;
      readonly session: SessionListRow | null;
    }
  | ApprovalEvent;
export type NewFile = { readonly name?: string; readonly mediaType: string; readonly bytes: Uint8Array };
export type StoredFile = FileRow & { readonly bytes: Uint8Array };
/** `path`: absolute, links resolved. */
export type Directory = { readonly name: string; readonly path: string };
/** By name. `path`: what was listed; null: the roots. `more`: there are more than are given. */
export type Directories = {
  readonly path: string | null;
  readonly directories: readonly Directory[];
  readonly more: boolean;
};
export type Work = {
  readonly sessionId: SessionId;
  readonly kind: "turn" | "waiting-turn" | "start" | "saving" | "flow" | "closing" | "background";
  readonly turnId?: TurnId;
  readonly since: number;
};
export type Drained = { readonly stragglerIds: readonly SessionId[] };
export type DriverInfo = { readonly type: string; readonly readiness: DriverReadiness };
export type UsageView = {
  readonly total: TokenUsage;
  readonly requests: number;
  /** Milliseconds the requests took, of those that said so. */
  readonly modelMs: number;
  readonly cost: readonly { readonly currency: string; readonly amount: number }[];
};

/**
 * A note an embedder keeps in a conversation. `label`: its kind, any but `compaction`. `told`: an agent whose history the
 * host keeps is told its parts, as if the user had said them; else no agent hears of it.
 */
export type NewEntry = {
  readonly label: string;
  readonly parts?: readonly Part[];
  readonly metadata?: unknown;
  readonly told?: boolean;
};
/** Messages and entries of every branch, in the order they were stored: each after its parent. An open one has no parts. */
export type SessionTree = {
  readonly leaf: MessageId | null;
  readonly rows: readonly Omit<MessageRow, "resumeToken" | "anchor">[];
};

/** Absent `messageId`: the whole branch shown, and `position` is `at`. `before` is for user messages. */
export type Fork = {
  readonly messageId?: MessageId;
  readonly position?: "before" | "at";
  /** For an agent that cannot fork its own history: it begins anew and is told what was said. */
  readonly seed?: "transcript";
};
export type ExportFormat = "json" | "markdown";
/** `document`: the text of a `json` export. Its permission mode and directory are not taken over. */
export type ImportSource = Pick<NewSession, "agent" | "workspace" | "id" | "title"> & { readonly document: string };
/** `name`: of the agent, or the key. */
export type UsageTotal = UsageView & { readonly key: string; readonly name: string };

/**
 * One message of any branch. `message`: of an open one without its parts, which are in its events. `cursor`: its events
 * come after it; null: the journal has them no longer. `turn`: that wrote it, null for what was copied.
 */
export type PlacedMessage = {
  readonly message: StoredMessage;
  readonly turn: TurnRow | null;
  readonly cursor: string | null;
};
/** What the useChat routes must know of a session beside its events. Reading only. */
export interface ChatFacts {
  /** The newest input that a chat client's message id names, else the input with that id. */
  input(clientId: string): Promise<InputRow | null>;
  message(id: MessageId): Promise<PlacedMessage | null>;
  /** The assistant message that answers an input; null: none has opened, or the input was merged into another. */
  reply(inputId: InputId): Promise<PlacedMessage | null>;
  /** Null: it is none of this session. */
  approval(id: ApprovalId): Promise<ApprovalRow | null>;
}

export interface InputsOf {
  /** Inputs that have not ended, the waiting ones in queue order. */
  list(): Promise<readonly InputRow[]>;
  get(id: InputId): Promise<InputRow>;
  edit(id: InputId, parts: readonly Part[]): Promise<void>;
  /**
   * Puts these behind what it says, so that one turn answers both. Durable when it resolves. Rejects with `not-waiting`
   * (of a held one too), `too-late`, `no-such-input`, `bad-input` or `input-too-large`.
   */
  extend(id: InputId, parts: readonly Part[]): Promise<void>;
  /** Before another waiting input, or to the end (null). */
  move(id: InputId, before: InputId | null): Promise<void>;
  cancel(id: InputId): Promise<"cancelled" | "withdrawing">;
  /** Frees one held input, or all. */
  release(id?: InputId): Promise<void>;
}

/** `input`: the call goes on with this one instead, and is decided as if it had been made so. */
export type ToolHookAnswer = "pass" | "ask" | { readonly deny: string } | { readonly input: unknown };
/**
 * Embedder hooks. Each is awaited: 30 s, then the work goes on without it (`toolCall`: 60 s, then denied).
 * `afterSettle` style observation needs no hook: subscribe to events.
 */
export type HostHooks = {
  admit?(call: {
    readonly sessionId: SessionId;
    readonly input: NewInput;
  }): Promise<
    { readonly do: "pass" } | { readonly do: "transform"; readonly input: NewInput } | { readonly do: "handled" }
  >;
  beforeTurn?(call: {
    readonly sessionId: SessionId;
    readonly turnId: TurnId;
    readonly parts: readonly Part[];
  }): Promise<{ readonly context?: readonly Part[] } | undefined>;
  toolCall?(call: {
    readonly sessionId: SessionId;
    readonly turnId: TurnId | null;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  }): Promise<ToolHookAnswer>;
  /** Called when all the turn wrote so far is stored. */
  beforeSettle?(call: {
    readonly sessionId: SessionId;
    readonly turnId: TurnId;
    readonly message: UIMessage;
  }): Promise<{ readonly continueWith?: readonly Part[] } | undefined>;
  beforeCompaction?(call: { readonly sessionId: SessionId }): Promise<"go" | "cancel">;
  /**
   * Tools of the program's own for that session. Asked before every request and call of an agent whose driver has the
   * capability `ownTools`: what is not named any more is not run any more. Must not throw.
   */
  ownTools?(call: { readonly sessionId: SessionId }): readonly OwnTool[];
  /** How an agent whose driver has the capability `steeringModes` takes steers. Absent: `all`. Must not throw. */
  steeringMode?(call: { readonly sessionId: SessionId }): SteeringMode;
};

export type HostOptions = {
  readonly store: Store;
  readonly drivers: readonly DriverFactory[];
  /** Managed workspaces, agent homes, secrets and files live here. */
  readonly dataDir: string;
  /** Directories a named workspace may be in; the managed root is always one. */
  readonly roots: readonly string[];
  readonly hooks?: HostHooks;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly limits?: Partial<HostLimits>;
  /** A hold in force from the start, before recovery lets anything begin: for a host that only looks. */
  readonly paused?: string;
  /** The environment that `apiKeyEnv` names are read from at connect; nothing else of it reaches an agent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

export interface SessionHost {
  readonly agents: {
    add(agent: NewAgent): Promise<AgentRow>;
    get(idOrName: string): Promise<AgentRow>;
    list(): Promise<readonly AgentRow[]>;
    update(idOrName: string, patch: Partial<NewAgent>): Promise<AgentRow>;
    remove(idOrName: string): Promise<void>;
    /** The agent a session gets that names none. */
    setDefault(idOrName: string): Promise<void>;
    default(): Promise<AgentRow | null>;
  };
  readonly rules: {
    /**
     * Stored rules, oldest first. `sessionId` (or external id): all that hold in that session, its own, its agent's and
     * the host's. `agent` (id or name): that agent's own. An agent's configuration (`NewAgent.rules`) is not among them.
     */
    list(q?: { readonly sessionId?: string; readonly agent?: string }): Promise<readonly RuleRow[]>;
    /**
     * Durable when it resolves; one that is there already is given back as it is. A new deny or ask binds the next call,
     * a new allow the next turn. Rejects with `bad-rule`, `too-many-rules`, `no-such-session` or `no-such-agent`.
     */
    add(rule: NewRule): Promise<RuleRow>;
    /** An allow is gone from the next call on, a deny or ask from the next turn on. Rejects with `no-such-rule`. */
    remove(id: RuleId): Promise<void>;
  };
  /** A session's conversation as a tree. */
  readonly tree: {
    read(id: string): Promise<SessionTree>;
    /**
     * Adds an entry to the branch shown, behind the message that is being written if one is. Durable when it resolves, with
     * its id. Rejects with `bad-entry` or `unavailable`.
     */
    append(id: string, entry: NewEntry): Promise<MessageId>;
    /**
     * From now on the branch shown ends at `leaf` (null: before everything), then at `entry` if one is given, which goes
     * there. Resolves with where it ends. Rejects with `session-busy`, `no-such-message`, `bad-entry`, or
     * `rewind-unsupported` when the agent keeps its history itself.
     */
    move(id: string, to: { readonly leaf: MessageId | null; readonly entry?: NewEntry }): Promise<MessageId | null>;
  };
  create(session: NewSession): Promise<SessionView>;
  /** By session id or external id. */
  get(id: string): Promise<SessionView>;
  list(q?: {
    readonly text?: string;
    readonly state?: SessionState;
    readonly after?: string;
    readonly limit?: number;
  }): Promise<Page<SessionListRow>>;
  update(
    id: string,
    patch: { readonly title?: string; readonly permissionMode?: PermissionMode | null },
  ): Promise<SessionView>;
  /** Hides it now, removes it for ever after ten minutes; a running turn is stopped. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<SessionView>;
  /** Durable when it resolves. */
  submit(id: string, input: NewInput): Promise<Receipt>;
  inputs(id: string): InputsOf;
  chat(id: string): ChatFacts;
  /** Ends that turn and no later one; waiting inputs are held. Resolves when it is noted. Rejects with `no-such-turn`. */
  stop(id: string, turnId: TurnId): Promise<StopOutcome>;
  /**
   * Durable when it resolves. Rejects with `no-such-approval`, `approval-conflict` (another decision won),
   * `approval-ended`, `bad-input`, `call-denied` (an allow of what may not run: its mode, a rule, its place; the question
   * stays open) or, with a scope, `scope-unavailable` (no rule says exactly this call) or `too-many-rules`.
   */
  answer(approvalId: ApprovalId, answer: NewAnswer): Promise<ApprovalResult>;
  approvals(q?: { readonly sessionId?: SessionId; readonly open?: boolean }): Promise<readonly ApprovalRow[]>;
  messages(id: string, page?: { readonly before?: MessageId; readonly limit?: number }): Promise<MessagePage>;
  /**
   * From a cursor on (absent: from now; null: from a snapshot of now), without a gap and without an end. Starts with a
   * snapshot when the journal no longer reaches back.
   */
  events(
    id: string,
    o?: { readonly after?: string | null; readonly signal?: AbortSignal },
  ): AsyncIterable<DeliveredEvent>;
  /**
   * The same as server-sent events in bytes: first a `retry:` line, a comment when it is silent. Fails with what `events`
   * throws, before its first bytes if it cannot begin. Read it only: other readers are given the same bytes.
   */
  bytes(id: string, o?: { readonly after?: string | null; readonly signal?: AbortSignal }): ReadableStream<Uint8Array>;
  /**
   * The same into a sink, without a stream between. Resolves when the signal ended it; rejects as `bytes` fails, also
   * while the sink takes nothing: then the reader is to be cut off.
   */
  writeBytes(
    id: string,
    sink: ByteSink,
    o?: { readonly after?: string | null; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** All sessions: the list, then what changes in it, without an end. Throws `slow-subscriber`: begin again with the list. */
  watch(o?: { readonly signal?: AbortSignal }): AsyncIterable<HostEvent>;
  /** The cursor of the newest event. */
  cursor(id: string): Promise<string>;
  snapshot(id: string): Promise<Snapshot>;
  resume(id: string, choice: "retry" | "fresh" | "fresh-with-transcript"): Promise<void>;
  /**
   * Asks the agent to make its history shorter; `text`: what to keep, in the agent's words. Events `compaction` tell how
   * it goes: `started`, then one end. `session-busy` beside a turn, a hold or another one; `unsupported`.
   */
  compact(id: string, text?: string): Promise<void>;
  /**
   * Ends the compaction that runs or waits for its connection; event `compaction` with state `stopped`. The connection
   * to the agent closes with it. `not-running`; `session-busy` inside a turn (stop the turn) or beside background work.
   */
  stopCompaction(id: string): Promise<void>;
  /** Closes an idle connection. */
  close(id: string): Promise<void>;
  /**
   * A new session in the same workspace with the conversation up to a message; waiting inputs stay where they are.
   * `session-busy` while a turn is open, `rewind-unsupported` when the agent's own history cannot be forked there.
   */
  fork(id: string, fork?: Fork): Promise<SessionView>;
  /** The whole tree as a document for `import`, or the conversation shown for people. */
  export(id: string, format: ExportFormat): Promise<string>;
  /** A new session with what had ended in the old one. `bad-export` names the field that is wrong. */
  import(source: ImportSource): Promise<SessionView>;
  /** Those of these turns that are there, oldest first, with what each used; `bad-query` for more than 200. */
  turns(id: string, turnIds: readonly TurnId[]): Promise<readonly TurnReport[]>;
  usage(id: string): Promise<UsageView>;
  /** Of every session, by key. `day` is of UTC, as `2026-01-31`. */
  usageTotals(q: UsageQuery): Promise<readonly UsageTotal[]>;
  /** How full the agent's context is; null: not known. Opens no connection. */
  context(id: string): Promise<ContextUsage | null>;
  /** Those of its driver, then the program's own (`HostHooks.ownTools`) where the driver takes them. */
  tools(id: string): Promise<readonly ToolInfo[]>;
  /**
   * Keeps a file; a part names it by the URL `mooring:file/<id>`. Durable when it resolves. Rejects with `bad-file`,
   * `file-too-large` or `file-not-stored`.
   */
  putFile(file: NewFile): Promise<FileRow>;
  /** Rejects with `no-such-file`, also when its bytes are not there any more. */
  file(fileId: FileId): Promise<StoredFile>;
  /** Directories a session may work in: those inside a directory, or the allowed roots. Rejects with `bad-workspace`. */
  directories(path?: string): Promise<Directories>;
  drivers(): Promise<readonly DriverInfo[]>;
  /** What a driver claims before any connection. Throws `driver-unknown`. */
  capabilities(driver: string): DriverCapabilities;
  /**
   * Copies what is stored, while it runs, into a new directory that opens as a data directory: sessions and files, no
   * keys, no agent homes, no workspaces. Whole or not there. Rejects with `backup-exists` or `backup-failed`.
   */
  backup(path: string): Promise<void>;
  /** No turn starts on any session while a hold is in force. Disposing twice is once. */
  pause(reason: string): Disposable;
  /** Waits for work in flight to end; never aborts, never rejects. */
  drainInFlight(o: { readonly timeoutMs: number }): Promise<Drained>;
  listActiveWork(): readonly Work[];
  /** Turns get `graceMs` (30 s), then end as interrupted; waiting ones with durable approvals stay. Idempotent; a shorter grace shortens it. */
  shutdown(o?: { readonly graceMs?: number }): Promise<void>;
}
export type { AgentId, AgentRuntimeConnection, Answer, ByteSink, InputState, Outcome, StoredMessage, TurnReport };
