/** Makes an `AgentSessionRuntime` from the program's own factory, which is used again for every replacement. */
import { resolveSession } from "../stored/resolve-session.ts";
import { AgentSessionRuntime } from "./agent-session-runtime.ts";
import type { CreateAgentSessionRuntimeFactory, CreateAgentSessionRuntimeOptions } from "./factory.ts";

/**
 * Rejects with `MissingSessionCwdError` or `no-such-session` before the factory is called, and with whatever the factory
 * rejects with.
 */
export async function createAgentSessionRuntime(
  factory: CreateAgentSessionRuntimeFactory,
  target: CreateAgentSessionRuntimeOptions,
): Promise<AgentSessionRuntime> {
  const { host, sessionManager, cwd } = target;
  await resolveSession(host, sessionManager, cwd);
  const at = sessionManager.target.kind === "open" ? sessionManager.getCwd() : cwd;
  return new AgentSessionRuntime(factory, target, await factory({ ...target, cwd: at }));
}
