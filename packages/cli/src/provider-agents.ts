/** The agents a first start makes: one for each provider whose key is in the environment, then `demo`. Pure. */
import type { NewAgent } from "@mooring/host";
import type { Environment } from "./data-dir.ts";

type ProviderDefaults = {
  /** Also the agent's name. */
  readonly kind: string;
  readonly model: string;
  /** Variables that may hold the key, the usual one first. */
  readonly keys: readonly string[];
  /** Variable that may hold another address. */
  readonly baseUrl: string | null;
};

const table: readonly ProviderDefaults[] = [
  { kind: "anthropic", model: "claude-sonnet-4-5", keys: ["ANTHROPIC_API_KEY"], baseUrl: "ANTHROPIC_BASE_URL" },
  { kind: "openai", model: "gpt-5.1", keys: ["OPENAI_API_KEY"], baseUrl: "OPENAI_BASE_URL" },
  {
    kind: "google",
    model: "gemini-2.5-pro",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    baseUrl: null,
  },
];

/** Needs no key and no network; its demonstration writes a file and runs no shell. */
export const demoAgent: NewAgent = {
  name: "demo",
  driver: "loop",
  model: "scripted",
  provider: { kind: "scripted" },
  permissionMode: "acceptEdits",
};

/** A key itself is never stored: the agent names its variable. */
export function providerAgents(env: Environment): readonly NewAgent[] {
  return table.flatMap(({ kind, model, keys, baseUrl }) => {
    const apiKeyEnv = keys.find((key) => env[key]);
    if (apiKeyEnv === undefined) return [];
    const address = baseUrl === null ? undefined : env[baseUrl];
    const provider = { kind, apiKeyEnv, ...(address ? { baseUrl: address } : {}) };
    return [{ name: kind, driver: "loop", model, provider }];
  });
}
