/**
 * The models a program may use and the keys to them: its own, brought along. Invariants: a key is never written
 * anywhere; a provider's later registration replaces an earlier one whole; reading files reaches no network.
 */
import { join } from "node:path";
import type { z } from "zod";
import { MooringError } from "../../index.ts";
import type { AgentSessionRuntimeDiagnostic } from "../diagnostics.ts";
import { Diagnostics } from "../diagnostics.ts";
import { getAgentDir } from "./agent-dir.ts";
import { authFile, type ModelsFile, modelsFile } from "./config.schema.ts";
import { readJson } from "./read-json.ts";

/** `kind`: the protocol its provider speaks, in the words of the driver; `baseUrl` absent: the provider's own. */
export type RuntimeModel = {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly baseUrl?: string;
};
export type ProviderRegistration = {
  readonly kind?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** False for a provider that takes requests without a key. */
  readonly needsKey?: boolean;
  readonly models: readonly { readonly id: string; readonly name?: string }[];
};
export type ModelRuntimeOptions = {
  /** Absolute. Absent: `auth.json` of the agent directory; null: none. */
  readonly authPath?: string | null;
  /** Absolute. Absent: `models.json` of the agent directory; null: none. */
  readonly modelsPath?: string | null;
  readonly providers?: Readonly<Record<string, ProviderRegistration>>;
  readonly signal?: AbortSignal;
};
type Provider = {
  readonly kind: string;
  readonly baseUrl?: string;
  readonly needsKey: boolean;
  readonly models: ProviderRegistration["models"];
};

/** What other programs' `models.json` call the protocols. */
const kinds: Readonly<Record<string, string>> = {
  "anthropic-messages": "anthropic",
  "openai-completions": "openai-compatible",
  "openai-responses": "openai",
  "google-generative-ai": "google",
};

export class ModelRuntime {
  readonly #providers = new Map<string, Provider>();
  readonly #stored = new Map<string, string>();
  readonly #runtime = new Map<string, string>();
  readonly #diagnostics = new Diagnostics();

  /** Rejects with `bad-config` for a file that is not as it must be, and as `signal` aborts. */
  static async create(options: ModelRuntimeOptions = {}): Promise<ModelRuntime> {
    const made = new ModelRuntime();
    const { authPath = join(getAgentDir(), "auth.json"), modelsPath = join(getAgentDir(), "models.json") } = options;
    if (modelsPath !== null) made.#addModels(await read(modelsPath, modelsFile));
    options.signal?.throwIfAborted();
    if (authPath !== null) made.#addKeys(await read(authPath, authFile));
    options.signal?.throwIfAborted();
    for (const [name, given] of Object.entries(options.providers ?? {})) made.registerProvider(name, given);
    return made;
  }
  #addModels(file: ModelsFile | null): void {
    for (const [name, { api, kind, baseUrl, apiKey, needsKey, models }] of Object.entries(file?.providers ?? {}))
      this.registerProvider(name, {
        kind: kind ?? (api === undefined ? name : (kinds[api] ?? api)),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(needsKey === undefined ? {} : { needsKey }),
        models: models.map(({ id, name: shown }) => ({ id, ...(shown === undefined ? {} : { name: shown }) })),
      });
  }
  #addKeys(file: z.infer<typeof authFile> | null): void {
    for (const [provider, { type, key }] of Object.entries(file ?? {}))
      if (type === "api_key" && key !== undefined) this.#stored.set(provider, key);
      else this.#diagnostics.add("warning", `The login of "${provider}" is of type ${type}, which is not used here.`);
  }

  get diagnostics(): readonly AgentSessionRuntimeDiagnostic[] {
    return this.#diagnostics.all;
  }
  /** Throws `bad-provider` when it names no model. */
  registerProvider(name: string, given: ProviderRegistration): void {
    const { kind = name, baseUrl, apiKey, needsKey = true, models } = given;
    if (name === "" || models.length === 0)
      throw new MooringError("bad-provider", `A provider needs a name and at least one model ("${name}").`);
    this.#providers.set(name, { kind, needsKey, models: [...models], ...(baseUrl === undefined ? {} : { baseUrl }) });
    if (apiKey !== undefined) this.#stored.set(name, apiKey);
  }
  getProviders(): readonly string[] {
    return [...this.#providers.keys()];
  }
  getModels(): readonly RuntimeModel[] {
    return [...this.#providers].flatMap(([provider, { kind, baseUrl, models }]) =>
      models.map(({ id, name = id }) => ({ provider, id, name, kind, ...(baseUrl === undefined ? {} : { baseUrl }) })),
    );
  }
  getModel(provider: string, id: string): RuntimeModel | undefined {
    return this.getModels().find((model) => model.provider === provider && model.id === id);
  }
  /** Models whose provider has a key here, or needs none. */
  async getAvailable(): Promise<readonly RuntimeModel[]> {
    return this.getModels().filter(({ provider }) => this.hasConfiguredAuth(provider));
  }
  hasConfiguredAuth(provider: string): boolean {
    return this.#providers.get(provider)?.needsKey === false || this.apiKeyOf(provider) !== null;
  }
  /** Null: none is known here. */
  apiKeyOf(provider: string): string | null {
    return this.#runtime.get(provider) ?? this.#stored.get(provider) ?? null;
  }
  /** Goes before a stored one, for the life of this object; never written. */
  setRuntimeApiKey(provider: string, key: string): void {
    this.#runtime.set(provider, key);
  }
  removeRuntimeApiKey(provider: string): void {
    this.#runtime.delete(provider);
  }
}

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const value = await readJson(path);
  if (value === null) return null;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new MooringError("bad-config", `${path} is not as it must be: ${where} ${issue?.message ?? ""}`, {
    detail: { path, field: where },
  });
}
