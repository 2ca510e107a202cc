/**
 * The part of the agent SDK that this driver calls. Declared here because the SDK is loaded from wherever it is
 * installed and never a dependency; the tests on the real binary hold it to what the SDK does. Frames are `unknown`:
 * only `translate/` reads them.
 */
import type { Readable, Writable } from "node:stream";

export type SdkUserMessage = {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: readonly unknown[] };
  readonly parent_tool_use_id: null;
  readonly uuid: string;
};

export type PermissionResult =
  | { readonly behavior: "allow"; readonly updatedInput?: Readonly<Record<string, unknown>> }
  /** `interrupt`: the agent's turn ends with it. */
  | { readonly behavior: "deny"; readonly message: string; readonly interrupt?: true };
export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  facts: { readonly signal: AbortSignal; readonly toolUseID: string; readonly agentID?: string },
) => Promise<PermissionResult>;

export type HookOutput = Readonly<Record<string, unknown>>;
export type HookCallback = (
  input: unknown,
  toolUseId: string | undefined,
  context: { readonly signal: AbortSignal },
) => Promise<HookOutput>;
export type HookMatcher = {
  readonly hooks: readonly HookCallback[];
  /** Seconds. */
  readonly timeout?: number;
  /** `block`: a hook that throws stops the call; the default lets it run. */
  readonly onFailure?: "continue" | "block";
};

export interface SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  on(event: "exit" | "error", listener: (...args: unknown[]) => void): void;
  once(event: "exit" | "error", listener: (...args: unknown[]) => void): void;
  off(event: "exit" | "error", listener: (...args: unknown[]) => void): void;
}
export type SpawnRequest = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type TranscriptEntry = { readonly type: string; readonly uuid?: string };
/** `subpath`: of a sub-agent's transcript. */
export type TranscriptKey = { readonly projectKey: string; readonly sessionId: string; readonly subpath?: string };
/** Where the SDK copies transcripts to, and looks for one to resume before it starts the process. */
export type SessionStore = {
  append(key: TranscriptKey, entries: readonly TranscriptEntry[]): Promise<void>;
  /** Null: it has none, and the agent's own is used. */
  load(key: TranscriptKey): Promise<TranscriptEntry[] | null>;
  listSubkeys(key: Omit<TranscriptKey, "subpath">): Promise<string[]>;
};
export type SdkOptions = {
  readonly cwd: string;
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
  readonly permissionMode: string;
  readonly settingSources: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly systemPrompt: unknown;
  readonly tools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly mcpServers: Readonly<Record<string, unknown>>;
  readonly mcpServersDelivery: "initialize";
  readonly strictMcpConfig: true;
  readonly includePartialMessages: true;
  readonly forwardSubagentText: true;
  readonly canUseTool: CanUseTool;
  readonly hooks: Readonly<Record<string, readonly HookMatcher[]>>;
  spawnClaudeCodeProcess(request: SpawnRequest): SpawnedProcess;
  readonly sessionStore?: SessionStore;
  readonly effort?: string;
  readonly resume?: string;
  readonly sessionId?: string;
  readonly forkSession?: true;
  readonly resumeSessionAt?: string;
};

export interface Query extends AsyncIterable<unknown> {
  initializationResult(): Promise<unknown>;
  interrupt(options?: { readonly cancelQueued: boolean }): Promise<unknown>;
  /** Not in the SDK's types; true: the message will never reach the model. */
  cancelAsyncMessage?(uuid: string): Promise<unknown>;
  setModel(model: string): Promise<unknown>;
  setPermissionMode(mode: string): Promise<unknown>;
  setMcpServers(servers: Readonly<Record<string, unknown>>): Promise<unknown>;
  getContextUsage(options: { readonly detail: "summary" }): Promise<unknown>;
  stopTask(taskId: string): Promise<unknown>;
  close(): void;
}
export type Sdk = {
  query(order: { readonly prompt: AsyncIterable<SdkUserMessage>; readonly options: SdkOptions }): Query;
};
