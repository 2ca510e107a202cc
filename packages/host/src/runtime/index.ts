/** One active session for a program without a server, and its safe replacement: `@mooring/host/runtime`. */
export {
  type CreateAgentSessionOptions,
  type CreateAgentSessionResult,
  type CreateStandaloneOptions,
  createAgentSession,
  createAgentSessionFromServices,
} from "./create-session.ts";
export type { AgentSessionRuntimeDiagnostic } from "./diagnostics.ts";
export {
  MissingSessionCwdError,
  SessionClosedError,
  SessionImportFileNotFoundError,
  StaleContextError,
  UnsupportedByDriver,
  WouldDeadlockError,
} from "./errors.ts";
export { createEventBus, type EventBus, type EventBusController, type EventBusHandler } from "./event-bus.ts";
export { defineTool } from "./extensions/registered-tool.ts";
export type * from "./extensions/types.ts";
export { HookRouter } from "./hosting/hook-router.ts";
export {
  createRuntimeHost,
  RuntimeHost,
  type RuntimeHostOptions,
  type RuntimeHostParts,
} from "./hosting/runtime-host.ts";
export type { SessionFileInfo } from "./jsonl/session-directory.ts";
export { type PrintModeOptions, runPrintMode } from "./modes/print-mode.ts";
export { type RpcModeOptions, runRpcMode } from "./modes/rpc-mode.ts";
export { AgentSessionRuntime, type Forked, type Replaced } from "./replacement/agent-session-runtime.ts";
export { createAgentSessionRuntime } from "./replacement/create-runtime.ts";
export type {
  CreateAgentSessionRuntimeFactory,
  CreateAgentSessionRuntimeOptions,
  CreateAgentSessionRuntimeResult,
} from "./replacement/factory.ts";
export { getAgentDir } from "./services/agent-dir.ts";
export {
  type AgentSessionServices,
  type AgentSessionServicesOptions,
  createAgentSessionServices,
} from "./services/create-services.ts";
export type { OAuthCredentials, OAuthProvider } from "./services/logins.ts";
export {
  ModelRuntime,
  type ModelRuntimeOptions,
  type ProviderRegistration,
  type RuntimeModel,
} from "./services/model-runtime.ts";
export { ResourceLoader, type ResourceLoaderOptions } from "./services/resource-loader.ts";
export { type Settings, SettingsManager } from "./services/settings-manager.ts";
export type * from "./session/agent-message.ts";
export { AgentSession } from "./session/agent-session.ts";
export type { ExtensionBindings } from "./session/extension-face.ts";
export type { PreflightResult, PromptOptions } from "./session/prompt-options.ts";
export type { QueueMode } from "./session/queue-modes.ts";
export type * from "./session/session-event.ts";
export type { Branches, ExportOptions } from "./session/session-tree.ts";
export { type NewSessionManagerOptions, SessionManager } from "./stored/session-manager.ts";
