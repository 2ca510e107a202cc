/**
 * What an extension is given and may ask for. Types only.
 *
 * Handlers of one event are called one after the other, in the order of the extensions, each awaited. One that throws is
 * reported to `onError` and does not stop the others, with three exceptions that fail closed: `session_before_switch`
 * and `session_before_fork` refuse the replacement with its error, `tool_call` blocks the call.
 */
import type { ToolCategory } from "../../index.ts";
import type { EventBus } from "../event-bus.ts";
import type { ProviderRegistration } from "../services/model-runtime.ts";
import type { CustomMessage, ImageContent, TextContent, UserContent } from "../session/agent-message.ts";
import type { AgentSessionEvent } from "../session/session-event.ts";

export type SessionStartReason = "startup" | "reload" | "new" | "resume" | "fork";
export type SessionStartEvent = {
  readonly type: "session_start";
  readonly reason: SessionStartReason;
  readonly previousSessionFile?: string;
};
export type ShutdownReason = "new" | "resume" | "fork" | "reload" | "quit";
export type ForkPosition = "before" | "at";
type Cancel = { readonly cancel?: boolean };
type Shared<T extends AgentSessionEvent["type"]> = Extract<AgentSessionEvent, { readonly type: T }>;
/** Events of the session that extensions hear too, before its subscribers do. */
export type SharedEventType = Exclude<
  AgentSessionEvent["type"],
  "queue_update" | "entry_appended" | "approval_requested" | "approval_closed" | "notice"
>;

/** Event, and what its handler may return. */
export type ExtensionEvents = { [T in SharedEventType]: { readonly event: Shared<T>; readonly result: unknown } } & {
  session_start: { readonly event: SessionStartEvent; readonly result: unknown };
  resources_discover: { readonly event: { readonly type: "resources_discover" }; readonly result: unknown };
  session_shutdown: {
    readonly event: {
      readonly type: "session_shutdown";
      readonly reason: ShutdownReason;
      readonly targetSessionFile?: string;
    };
    readonly result: unknown;
  };
  session_before_switch: {
    readonly event: {
      readonly type: "session_before_switch";
      readonly reason: "new" | "resume";
      readonly targetSessionFile?: string;
    };
    readonly result: Cancel | undefined;
  };
  session_before_fork: {
    readonly event: { readonly type: "session_before_fork"; readonly entryId: string; readonly position: ForkPosition };
    readonly result: Cancel | undefined;
  };
  session_before_tree: {
    readonly event: { readonly type: "session_before_tree"; readonly targetId: string; readonly summarize: boolean };
    /** `summary`: of the branch that is left, instead of none. */
    readonly result: (Cancel & { readonly summary?: string }) | undefined;
  };
  session_tree: {
    readonly event: {
      readonly type: "session_tree";
      readonly oldLeafId: string | null;
      readonly newLeafId: string | null;
    };
    readonly result: unknown;
  };
  session_before_compact: {
    readonly event: { readonly type: "session_before_compact" };
    readonly result: Cancel | undefined;
  };
  session_compact_failed: {
    readonly event: { readonly type: "session_compact_failed"; readonly error: string };
    readonly result: unknown;
  };
  input: {
    readonly event: { readonly type: "input"; readonly text: string; readonly source: InputSource };
    readonly result:
      | { readonly action: "continue" | "handled" }
      | { readonly action: "transform"; readonly text: string }
      | undefined;
  };
  before_agent_start: {
    readonly event: { readonly type: "before_agent_start"; readonly prompt: string };
    /** Given to the agent behind the prompt. */
    readonly result: { readonly message?: CustomMessageDraft } | undefined;
  };
  agent_before_settle: {
    readonly event: { readonly type: "agent_before_settle" };
    /** `continue`: the run goes on with what the entries say. */
    readonly result: { readonly continue?: boolean; readonly entries?: readonly CustomMessageDraft[] } | undefined;
  };
  tool_call: {
    readonly event: {
      readonly type: "tool_call";
      readonly toolName: string;
      readonly toolCallId: string;
      /**
       * A copy. What a handler changes in it is what runs, without another look at the tool's schema; the permission mode
       * and the rules decide about it, a person is asked about it, and the record shows it.
       */
      readonly input: Record<string, unknown>;
    };
    readonly result: { readonly block?: boolean; readonly reason?: string } | undefined;
  };
};
export type ExtensionEventType = keyof ExtensionEvents;
export type InputSource = "interactive" | "rpc" | "extension";
export type CustomMessageDraft = Pick<CustomMessage, "customType" | "content"> &
  Partial<Pick<CustomMessage, "display" | "details">>;

/** What a function without `return` returns. */
type Nothing = ReturnType<VoidFunction>;
type Awaitable<T> = T | Promise<T>;
type Handlers = {
  [T in ExtensionEventType]: (
    event: ExtensionEvents[T]["event"],
    context: ExtensionContext,
  ) => Awaitable<ExtensionEvents[T]["result"] | Nothing>;
};
export type ExtensionHandler<T extends ExtensionEventType> = Handlers[T];

/** How the program that runs the session shows things. `dialog` methods end early when their signal aborts. */
export type ExtensionUIContext = {
  select(title: string, options: readonly string[], o?: DialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, o?: DialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, o?: DialogOptions): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
};
export type DialogOptions = { readonly signal?: AbortSignal; readonly timeoutMs?: number };
export type ExtensionMode = "print" | "json" | "rpc" | "tui";

/** What every handler gets. Using it after its session was replaced, reloaded or closed throws `StaleContextError`. */
export type ExtensionContext = {
  readonly cwd: string;
  readonly mode: ExtensionMode;
  /** Somebody can answer `ui`'s dialogs. */
  readonly hasUI: boolean;
  readonly ui: ExtensionUIContext;
  readonly sessionId: string;
  readonly sessionFile: string | undefined;
  /** Aborts when the session is stopped or closed. */
  readonly signal: AbortSignal;
  isIdle(): boolean;
  /** Stops what runs; does not wait for its end. */
  abort(): void;
  hasPendingMessages(): boolean;
};
/** What a command's handler gets: it is not part of a run, so it may wait for one and replace the session. */
export type ExtensionCommandContext = ExtensionContext & {
  waitForIdle(): Promise<void>;
  newSession(options?: NewSessionOptions): Promise<{ readonly cancelled: boolean }>;
  fork(entryId: string, options?: ForkOptions): Promise<{ readonly cancelled: boolean }>;
  switchSession(path: string, options?: SwitchOptions): Promise<{ readonly cancelled: boolean }>;
  navigateTree(targetId: string, options?: NavigateOptions): Promise<{ readonly cancelled: boolean }>;
  reload(): Promise<void>;
};
/** What `withSession` gets: the new session's command context, and a way to speak in it. */
export type ReplacedSessionContext = ExtensionCommandContext & Pick<ExtensionAPI, "sendMessage" | "sendUserMessage">;
export type WithSession = (context: ReplacedSessionContext) => void | Promise<void>;
export type NewSessionOptions = {
  readonly parentSession?: string;
  /** Fills the new session before anything is bound to it. */
  readonly setup?: (draft: SessionDraft) => void | Promise<void>;
  readonly withSession?: WithSession;
};
/** The new session's beginning: stored with it, in one go. Each returns the entry's id. */
export type SessionDraft = {
  appendMessage(message: { readonly role: "user" | "assistant"; readonly content: UserContent }): string;
  appendCustomEntry(customType: string, data?: unknown): string;
  appendCustomMessageEntry(customType: string, content: UserContent, display: boolean, details?: unknown): string;
};
export type SwitchOptions = { readonly cwdOverride?: string; readonly withSession?: WithSession };
export type ForkOptions = { readonly position?: ForkPosition; readonly withSession?: WithSession };
export type NavigateOptions = { readonly summarize?: boolean; readonly label?: string };
export type CommandContextActions = Omit<ExtensionCommandContext, keyof ExtensionContext>;

export type CommandHandler = (args: string, context: ExtensionCommandContext) => void | Promise<void>;
export type Command = { readonly description?: string; readonly handler: CommandHandler };
export type Flag = {
  readonly type: "boolean" | "string";
  readonly default?: boolean | string;
  readonly description?: string;
};
export type SendOptions = {
  /** Idle: starts a run. Absent: waits for the next prompt. */
  readonly triggerTurn?: boolean;
  readonly deliverAs?: "steer" | "followUp" | "nextTurn";
};

/**
 * A tool of the program's own. Its calls are decided, recorded and stopped like those of any other tool.
 *
 * `execute` may be called several times at once. What it throws is the call's error result, as is `isError`. `signal`
 * aborts when the run is stopped; the tool then ends what it started. Inside it, what would wait for the run throws
 * `WouldDeadlockError`.
 */
export type ToolDefinition<Params = Record<string, unknown>, Details = unknown> = {
  /** 1 to 64 letters, digits, `_` and `-`. That of a tool the agent has already: it takes its place. */
  readonly name: string;
  /** For people. */
  readonly label?: string;
  /** For the model. */
  readonly description: string;
  /** JSON schema of an object, as TypeBox makes them. What does not pass is an error result that names the field. */
  readonly parameters: object;
  /** What a call does, which the permission mode goes by. Default `other`: asked about in `default`, denied in `plan`. */
  readonly category?: ToolCategory;
  execute(
    toolCallId: string,
    params: Params,
    signal: AbortSignal,
    /** Tells viewers what there is so far: `tool_execution_update`. Long ones are cut, some may be left out. */
    onUpdate: (partial: ToolResult<Details>) => void,
    context: ExtensionContext,
  ): Promise<ToolResult<Details>>;
};
export type ToolResult<Details = unknown> = {
  /** For the model: its start and end when it is long. */
  readonly content: readonly TextContent[];
  /** For the program, as JSON: in the result's message, not told to the model. */
  readonly details?: Details;
  readonly isError?: boolean;
  /** The run ends without asking the model again, once every call of the same answer says so. */
  readonly terminate?: boolean;
};

/** What a factory registers with while it loads, and acts with once its session is bound. */
export interface ExtensionAPI {
  readonly events: EventBus;
  on<T extends ExtensionEventType>(event: T, handler: ExtensionHandler<T>): void;
  registerCommand(name: string, command: Command): void;
  registerFlag(name: string, flag: Flag): void;
  getFlag(name: string): boolean | string | undefined;
  registerProvider(name: string, provider: ProviderRegistration): void;
  /**
   * A tool for the agent of this session, run in this process; a second of that name takes its place. The agent is offered
   * it from its next turn on, and no more once the session is replaced, reloaded or closed. Throws `bad-tool`, and
   * `UnsupportedByDriver` where the agent takes none; of one that is loading, whoever makes the session hears that.
   */
  registerTool<Params = Record<string, unknown>, Details = unknown>(tool: ToolDefinition<Params, Details>): void;
  sendMessage(message: CustomMessageDraft, options?: SendOptions): Promise<void>;
  sendUserMessage(content: string, options?: { readonly deliverAs?: "steer" | "followUp" }): Promise<void>;
  /**
   * Kept with the session, never shown to the agent. Resolves when it is stored; inside a handler, which may be what the
   * message being written waits for, at once.
   */
  appendEntry(customType: string, data?: unknown): Promise<void>;
  setLabel(entryId: string, label: string | undefined): Promise<void>;
  setSessionName(name: string): Promise<void>;
  getSessionName(): string | undefined;
  getCommands(): readonly { readonly name: string; readonly description?: string }[];
}
export type ExtensionFactory = (pi: ExtensionAPI) => void | Promise<void>;
/** `required`: creation rejects when it does not load, for one that enforces a policy. */
export type InlineExtension =
  | ExtensionFactory
  | { readonly name: string; readonly factory: ExtensionFactory; readonly required?: boolean };
export type ExtensionError = { readonly extensionPath: string; readonly event: string; readonly error: string };
export type { ImageContent };
