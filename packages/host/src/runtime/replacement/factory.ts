/** What a program's factory is given, and makes. Types only. */
import type { CreateAgentSessionResult } from "../create-session.ts";
import type { AgentSessionRuntimeDiagnostic } from "../diagnostics.ts";
import type { SessionStartEvent } from "../extensions/types.ts";
import type { RuntimeHost } from "../hosting/runtime-host.ts";
import type { AgentSessionServices } from "../services/create-services.ts";
import type { SessionManager } from "../stored/session-manager.ts";

export type CreateAgentSessionRuntimeOptions = {
  /** Where the session works: services are made for it. Absolute. */
  readonly cwd: string;
  readonly agentDir: string;
  readonly host: RuntimeHost;
  readonly sessionManager: SessionManager;
  readonly sessionStartEvent?: SessionStartEvent;
};
export type CreateAgentSessionRuntimeResult = CreateAgentSessionResult & {
  readonly services: AgentSessionServices;
  readonly diagnostics: readonly AgentSessionRuntimeDiagnostic[];
};
export type CreateAgentSessionRuntimeFactory = (
  options: CreateAgentSessionRuntimeOptions,
) => Promise<CreateAgentSessionRuntimeResult>;
