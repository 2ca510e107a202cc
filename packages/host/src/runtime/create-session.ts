/** Makes an `AgentSession` from services, or with services of its own. */

import type { LoadError } from "./extensions/load-extensions.ts";
import { programTools } from "./extensions/program-tools.ts";
import type { SessionStartEvent, ToolDefinition } from "./extensions/types.ts";
import { type AgentOptions, chooseAgent } from "./services/agent-choice.ts";
import {
  type AgentSessionServices,
  type AgentSessionServicesOptions,
  createAgentSessionServices,
} from "./services/create-services.ts";
import { AgentSession } from "./session/agent-session.ts";
import type { Unattended } from "./session/approval-desk.ts";
import { QueueModes } from "./session/queue-modes.ts";
import { resolveSession } from "./stored/resolve-session.ts";
import { SessionManager } from "./stored/session-manager.ts";

export type CreateAgentSessionOptions = AgentOptions & {
  readonly sessionManager?: SessionManager;
  /** Absent: reason `startup`. */
  readonly sessionStartEvent?: SessionStartEvent | undefined;
  /** Of questions no `uiContext` can be asked: denied at once (default), or kept for `answerApproval`. */
  readonly unattended?: Unattended;
  /** Takes away every tool, the program's own too. */
  readonly noTools?: boolean;
  /** Tools of the program's own, as `ExtensionAPI.registerTool` takes them. */
  readonly customTools?: readonly ToolDefinition[];
};
export type CreateAgentSessionResult = {
  readonly session: AgentSession;
  readonly extensionsResult: { readonly errors: readonly LoadError[] };
  /** Why the session has no agent yet, or not the one it had. */
  readonly modelFallbackMessage?: string;
};

/**
 * Rejects with `MissingSessionCwdError`, `no-such-session`, `session-attached`, `no-memory-store`, `bad-tool`, or
 * `UnsupportedByDriver` for tools its agent does not take. Without a usable model it resolves, and prompts reject with
 * `no-model`.
 */
export async function createAgentSessionFromServices({
  services,
  sessionManager = SessionManager.create(services.cwd),
  sessionStartEvent = { type: "session_start", reason: "startup" },
  unattended = "deny",
  noTools = false,
  customTools = [],
  ...given
}: CreateAgentSessionOptions & { readonly services: AgentSessionServices }): Promise<CreateAgentSessionResult> {
  const { host, id } = await resolveSession(services.host, sessionManager, services.cwd);
  const options = noTools ? { ...given, tools: [] } : given;
  const { driver, fallback } = id === null ? await chosenAgent(host, services, options) : await storedAgent(host, id);
  const tools = programTools(host, driver, customTools);
  const queueModes = new QueueModes(host, driver, services.settingsManager);
  const shared = { host, services, manager: sessionManager, options, unattended };
  const parts = { ...shared, startEvent: sessionStartEvent, tools, queueModes };
  const session = await AgentSession.open(parts, id);
  return {
    session,
    extensionsResult: { errors: services.resourceLoader.getExtensions().errors },
    ...(fallback === null ? {} : { modelFallbackMessage: fallback }),
  };
}
type Host = Parameters<typeof chooseAgent>[0];
type Agent = { readonly driver: string; readonly fallback: string | null };

async function chosenAgent(host: Host, services: AgentSessionServices, options: AgentOptions): Promise<Agent> {
  const { agent, fallback } = await chooseAgent(host, services, options);
  return { driver: agent === null ? services.driver : (await host.agents.get(agent)).driver, fallback };
}
/** Of a stored session, whose agent may have been removed. */
async function storedAgent(host: Host, id: string): Promise<Agent> {
  const { agentId, driver } = await host.get(id);
  const known = (await host.agents.list()).some((agent) => agent.id === agentId);
  const lost = "The agent of this session was removed: it can be read, not spoken to.";
  return { driver, fallback: known ? null : lost };
}

export type CreateStandaloneOptions = CreateAgentSessionOptions &
  Omit<AgentSessionServicesOptions, "cwd"> & { readonly cwd?: string; readonly services?: AgentSessionServices };
/** One session that is not replaced. `cwd` absent: the session manager's, else the process's. */
export async function createAgentSession(options: CreateStandaloneOptions): Promise<CreateAgentSessionResult> {
  const cwd = options.cwd ?? (options.sessionManager?.getCwd() || process.cwd());
  const services = options.services ?? (await createAgentSessionServices({ ...options, cwd }));
  return createAgentSessionFromServices({ ...options, services });
}
