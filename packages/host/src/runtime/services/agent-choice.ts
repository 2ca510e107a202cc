/**
 * Which agent of the host a new session gets: the named one, one made for a model, else the host's default. Invariant:
 * an agent made here is named after its configuration and never changed, so that sessions of other configurations are
 * not touched.
 */
import { createHash } from "node:crypto";
import { MooringError, type NewAgent, type PermissionMode, type SessionHost } from "../../index.ts";
import type { AgentSessionServices } from "./create-services.ts";
import type { RuntimeModel } from "./model-runtime.ts";

export type AgentOptions = {
  /** Name or id of an agent the host has. */
  readonly agent?: string;
  readonly model?: RuntimeModel;
  /** `off`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`, as far as the model knows them. */
  readonly thinkingLevel?: string;
  readonly excludeTools?: readonly string[];
  /** The only tools the agent has; for a model, not for an agent of the host's. */
  readonly tools?: readonly string[];
  readonly permissionMode?: PermissionMode;
};
export type AgentChoice = { readonly agent: string | null; readonly fallback: string | null };

export const effortOfLevel = (level: string): string => (level === "off" ? "none" : level);

/** Rejects with `no-such-agent` for a named one that is not there, and `bad-option`. */
export async function chooseAgent(
  host: SessionHost,
  services: AgentSessionServices,
  options: AgentOptions,
): Promise<AgentChoice> {
  if (options.agent !== undefined && (options.tools ?? options.excludeTools) !== undefined)
    throw new MooringError(
      "bad-option",
      "An agent of the host has its tools already: choose them there, or name a model.",
    );
  if (options.agent !== undefined) return { agent: (await host.agents.get(options.agent)).id, fallback: null };
  const model = options.model ?? (await preferredModel(services));
  if (model) return { agent: await agentForModel(host, services, model, options), fallback: null };
  const given = await host.agents.default();
  if (given) return { agent: given.id, fallback: null };
  const fallback = "No model is usable: add a key or a model, or an agent of the host, before the first prompt.";
  return { agent: null, fallback };
}
/** Null: the settings name none, and none has a key. */
async function preferredModel({ settingsManager, modelRuntime }: AgentSessionServices): Promise<RuntimeModel | null> {
  const [provider, id] = [settingsManager.get("defaultProvider"), settingsManager.get("defaultModel")];
  const named = provider !== undefined && id !== undefined ? modelRuntime.getModel(provider, id) : undefined;
  if (named && modelRuntime.hasConfiguredAuth(named.provider)) return named;
  return (await modelRuntime.getAvailable())[0] ?? null;
}
async function agentForModel(
  host: SessionHost,
  services: AgentSessionServices,
  model: RuntimeModel,
  options: AgentOptions,
): Promise<string> {
  const key = await services.modelRuntime.resolveApiKey(model.provider);
  const agent = configuration(services, model, options, key);
  const hash = createHash("sha256")
    .update(JSON.stringify([agent, options.tools]))
    .digest("hex")
    .slice(0, 16);
  const name = `runtime-${hash}`;
  const known = (await host.agents.list()).find((row) => row.name === name);
  return known?.id ?? (await host.agents.add({ ...agent, name })).id;
}
function configuration(
  { driver, host, settingsManager, resourceLoader }: AgentSessionServices,
  { id, kind, provider, baseUrl }: RuntimeModel,
  { thinkingLevel = settingsManager.get("defaultThinkingLevel"), excludeTools, permissionMode }: AgentOptions,
  key: string | null,
): Omit<NewAgent, "name"> {
  const apiKeyEnv = key === null ? null : host.giveKey(provider, key);
  const mode = permissionMode ?? settingsManager.get("permissionMode");
  const instructions = resourceLoader.instructions();
  return {
    driver,
    model: id,
    provider: { kind, ...(baseUrl === undefined ? {} : { baseUrl }), ...(apiKeyEnv === null ? {} : { apiKeyEnv }) },
    ...(thinkingLevel === undefined ? {} : { effort: effortOfLevel(thinkingLevel) }),
    ...(instructions === null ? {} : { instructions }),
    ...(excludeTools === undefined ? {} : { disabledTools: excludeTools }),
    ...(mode === undefined ? {} : { permissionMode: mode }),
  };
}
