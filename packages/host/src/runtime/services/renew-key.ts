/** A login that ran out is refreshed before its session speaks again; a connection that has the old key is closed first. */
import { MooringError, type SessionHost } from "../../index.ts";
import type { AgentSessionServices } from "./create-services.ts";

/** Rejects with `login-not-refreshed`. */
export async function renewKey(
  { host: runtimeHost, modelRuntime }: AgentSessionServices,
  host: SessionHost,
  session: string,
): Promise<void> {
  const due = modelRuntime.dueLogins;
  if (due.length === 0) return;
  const { agentId } = await host.get(session);
  const agent = (await host.agents.list()).find(({ id }) => id === agentId); // it may have been removed
  const provider = due.find((name) => runtimeHost.keyName(name) === agent?.provider.apiKeyEnv);
  if (provider === undefined) return;
  const key = await modelRuntime.resolveApiKey(provider);
  if (key === null) return;
  runtimeHost.giveKey(provider, key);
  await host.close(session).catch((cause: unknown) => {
    if (!MooringError.isInstance(cause) || cause.code !== "session-busy") throw cause; // it has begun with the old key
  });
}
