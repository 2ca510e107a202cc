/** Makes an `AgentSession` from services, or with services of its own. */

import { UnsupportedByDriver } from "./errors.ts";
import type { LoadError } from "./extensions/load-extensions.ts";
import type { SessionStartEvent } from "./extensions/types.ts";
import { type AgentOptions, chooseAgent } from "./services/agent-choice.ts";
import {
  type AgentSessionServices,
  type AgentSessionServicesOptions,
  createAgentSessionServices,
} from "./services/create-services.ts";
import { AgentSession } from "./session/agent-session.ts";
import type { Unattended } from "./session/approval-desk.ts";
import { resolveSession } from "./stored/resolve-session.ts";
import { SessionManager } from "./stored/session-manager.ts";

export type CreateAgentSessionOptions = AgentOptions & {
  readonly sessionManager?: SessionManager;
  /** Absent: reason `startup`. */
  readonly sessionStartEvent?: SessionStartEvent | undefined;
  /** Of questions no `uiContext` can be asked: denied at once (default), or kept for `answerApproval`. */
  readonly unattended?: Unattended;
  /** Takes away every tool. */
  readonly noTools?: boolean;
  /** Throws `UnsupportedByDriver`: no driver takes tools of the program's own. */
  readonly customTools?: readonly { readonly name: string }[];
};
export type CreateAgentSessionResult = {
  readonly session: AgentSession;
  readonly extensionsResult: { readonly errors: readonly LoadError[] };
  /** Why the session has no agent yet, or not the one it had. */
  readonly modelFallbackMessage?: string;
};

/**
 * Rejects with `MissingSessionCwdError`, `no-such-session`, `session-attached`, `no-memory-store` or
 * `UnsupportedByDriver`. Without a usable model it resolves, and prompts reject with `no-model`.
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
  if (customTools.length > 0) throw new UnsupportedByDriver("tools of the program's own", services.driver);
  const { host, id } = await resolveSession(services.host, sessionManager, services.cwd);
  const options = noTools ? { ...given, tools: [] } : given;
  const fallback = id === null ? await fallbackOf(host, services, options) : await lostAgent(host, id);
  const parts = { host, services, manager: sessionManager, options, unattended, startEvent: sessionStartEvent };
  const session = await AgentSession.open(parts, id);
  return {
    session,
    extensionsResult: { errors: services.resourceLoader.getExtensions().errors },
    ...(fallback === null ? {} : { modelFallbackMessage: fallback }),
  };
}
type Host = Parameters<typeof chooseAgent>[0];
async function fallbackOf(host: Host, services: AgentSessionServices, options: AgentOptions): Promise<string | null> {
  return (await chooseAgent(host, services, options)).fallback;
}
/** Of a stored session whose agent was removed. */
async function lostAgent(host: Host, id: string): Promise<string | null> {
  const { agentId } = await host.get(id);
  const known = (await host.agents.list()).some((agent) => agent.id === agentId);
  return known ? null : "The agent of this session was removed: it can be read, not spoken to.";
}

export type CreateStandaloneOptions = CreateAgentSessionOptions &
  Omit<AgentSessionServicesOptions, "cwd"> & { readonly cwd?: string; readonly services?: AgentSessionServices };
/** One session that is not replaced. `cwd` absent: the session manager's, else the process's. */
export async function createAgentSession(options: CreateStandaloneOptions): Promise<CreateAgentSessionResult> {
  const cwd = options.cwd ?? (options.sessionManager?.getCwd() || process.cwd());
  const services = options.services ?? (await createAgentSessionServices({ ...options, cwd }));
  return createAgentSessionFromServices({ ...options, services });
}
