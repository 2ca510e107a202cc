/**
 * The providers the loop reaches: what each needs, and how its model is made. Invariants: a provider's package is
 * loaded when its first model is made, not before; nothing is read from the environment, so every address and key is
 * given explicitly.
 */
import { type Credentials, MooringError } from "@mooring/host/driver";
import type { ProviderModel } from "./retrying-model.ts";

/** What makes a model that needs no provider, for example the scripted one. */
export type ModelFactory = (options: { readonly modelId: string }) => ProviderModel;
export type ModelFactories = Readonly<Record<string, ModelFactory>>;
type ModelChoice = { readonly model: string; readonly credentials: Credentials };

type Made = { readonly modelId: string; readonly apiKey: string; readonly baseUrl: string };
type Provider = {
  readonly label: string;
  /** Usual name of the variable that holds the key; null: a key is not needed. */
  readonly keyVariable: string | null;
  /** Used when the agent names none; null: it must. */
  readonly baseUrl: string | null;
  make(options: Made): Promise<ProviderModel>;
};

const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    "anthropic",
    {
      label: "Anthropic",
      keyVariable: "ANTHROPIC_API_KEY",
      baseUrl: "https://api.anthropic.com/v1",
      async make({ modelId, apiKey, baseUrl }) {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return createAnthropic({ apiKey, baseURL: withVersion(baseUrl) })(modelId);
      },
    },
  ],
  [
    "openai",
    {
      label: "OpenAI",
      keyVariable: "OPENAI_API_KEY",
      baseUrl: "https://api.openai.com/v1",
      async make({ modelId, apiKey, baseUrl }) {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI({ apiKey, baseURL: baseUrl })(modelId);
      },
    },
  ],
  [
    "google",
    {
      label: "Google",
      keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      async make({ modelId, apiKey, baseUrl }) {
        const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
        return createGoogleGenerativeAI({ apiKey, baseURL: baseUrl })(modelId);
      },
    },
  ],
  [
    "openai-compatible",
    {
      label: "The OpenAI-compatible provider",
      keyVariable: null,
      baseUrl: null,
      async make({ modelId, apiKey, baseUrl }) {
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
        const key = apiKey === "" ? {} : { apiKey };
        return createOpenAICompatible({ name: "compatible", baseURL: baseUrl, includeUsage: true, ...key })(modelId);
      },
    },
  ],
]);

/** An Anthropic address is usually given without its version, as `ANTHROPIC_BASE_URL` is. */
function withVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.pathname === "/" ? new URL("/v1", url).href : baseUrl;
}

type ModelProblem = { readonly code: string; readonly message: string; readonly fix: string };

/** Why no model can be made of this choice; null when one can. Loads and reaches nothing. */
export function modelProblem({ model, credentials }: ModelChoice, factories: ModelFactories): ModelProblem | null {
  if (model === "") {
    return { code: "no-model", message: "The agent names no model.", fix: "Set the agent's model." };
  }
  return factoryFor(model, credentials.provider, factories) ? null : credentialsProblem(credentials);
}

export function credentialsProblem({ provider, apiKey, baseUrl }: Credentials): ModelProblem | null {
  const found = providers.get(provider);
  if (found === undefined) {
    const message = isUnnamed(provider)
      ? "The agent names no provider for its model."
      : `The loop driver knows no provider "${provider}".`;
    const fix = `Set the agent's provider.kind to one of: ${[...providers.keys()].join(", ")}.`;
    return { code: "unknown-provider", message, fix };
  }
  if (found.keyVariable !== null && !apiKey) {
    return {
      code: "no-credentials",
      message: `There is no API key for ${found.label}.`,
      fix: `Set the agent's provider.apiKey, or provider.apiKeyEnv to the variable that holds it, usually ${found.keyVariable}.`,
    };
  }
  const address = baseUrl ?? found.baseUrl;
  if (address !== null && URL.canParse(address)) return null;
  const message =
    address === null ? `${found.label} needs a base URL.` : `${found.label} has a base URL that is not one.`;
  return {
    code: "no-base-url",
    message,
    fix: "Set the agent's provider.baseUrl, for example http://127.0.0.1:11434/v1.",
  };
}

const factoryFor = (model: string, provider: string, factories: ModelFactories): ModelFactory | undefined =>
  [model, provider]
    .map((name) => (Object.hasOwn(factories, name) ? factories[name] : undefined))
    .find((found) => found);

/** A host without a provider's kind gives the driver's own name. */
export const isUnnamed = (provider: string): boolean => provider === "" || provider === "loop";

export const needsKey = (provider: string): boolean => (providers.get(provider)?.keyVariable ?? null) !== null;

/** Rejects with the coded error of `modelProblem`. */
export async function makeModel(choice: ModelChoice, factories: ModelFactories): Promise<ProviderModel> {
  const problem = modelProblem(choice, factories);
  if (problem !== null) throw problemError(problem);
  const { model: modelId, credentials } = choice;
  const factory = factoryFor(modelId, credentials.provider, factories);
  if (factory !== undefined) return factory({ modelId });
  const provider = providers.get(credentials.provider);
  const baseUrl = credentials.baseUrl ?? provider?.baseUrl;
  if (provider === undefined || !baseUrl) throw new MooringError("no-model", `${modelId} cannot be made.`);
  return provider.make({ modelId, apiKey: credentials.apiKey ?? "", baseUrl });
}

export const problemError = ({ code, message, fix }: ModelProblem): MooringError =>
  new MooringError(code, `${message} ${fix}`, { detail: { fix } });
