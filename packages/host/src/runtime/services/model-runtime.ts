/**
 * The models a program may use and the keys to them: its own, brought along. Invariants: a key is never written
 * anywhere but a refreshed login where it came from; a provider's later registration replaces an earlier one whole; reading
 * files reaches no network.
 */
import { join } from "node:path";
import type { z } from "zod";
import { MooringError } from "../../index.ts";
import type { AgentSessionRuntimeDiagnostic } from "../diagnostics.ts";
import { Diagnostics } from "../diagnostics.ts";
import { getAgentDir } from "./agent-dir.ts";
import { authFile, login, type ModelsFile, modelsFile } from "./config.schema.ts";
import { Logins, type OAuthProvider } from "./logins.ts";
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
  /** For a login in `auth.json`, which goes on as long as this refreshes it. */
  readonly oauth?: OAuthProvider;
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
  readonly #logins: Logins;

  private constructor(authPath: string | null) {
    this.#logins = new Logins(authPath);
  }
  /** Rejects with `bad-config` for a file that is not as it must be, and as `signal` aborts. */
  static async create(options: ModelRuntimeOptions = {}): Promise<ModelRuntime> {
    const { authPath = join(getAgentDir(), "auth.json"), modelsPath = join(getAgentDir(), "models.json") } = options;
    const made = new ModelRuntime(authPath);
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
    for (const [provider, { type, key, ...rest }] of Object.entries(file ?? {})) {
      const found = type === "oauth" ? login.safeParse(rest) : null;
      if (type === "api_key" && key !== undefined) this.#stored.set(provider, key);
      else if (found?.success) this.#logins.add(provider, found.data);
      else this.#diagnostics.add("warning", `The login of "${provider}" is of type ${type}, and no use as it is.`);
    }
  }

  get diagnostics(): readonly AgentSessionRuntimeDiagnostic[] {
    const unusable = this.#logins.unusable.map((provider) => ({
      type: "warning" as const,
      message: `The login of "${provider}" is of type oauth, and no provider was registered that refreshes it.`,
    }));
    return [...this.#diagnostics.all, ...unusable];
  }
  /** Throws `bad-provider` when it names no model. */
  registerProvider(name: string, given: ProviderRegistration): void {
    const { kind = name, baseUrl, apiKey, needsKey = true, oauth, models } = given;
    if (name === "" || models.length === 0)
      throw new MooringError("bad-provider", `A provider needs a name and at least one model ("${name}").`);
    this.#providers.set(name, { kind, needsKey, models: [...models], ...(baseUrl === undefined ? {} : { baseUrl }) });
    if (apiKey !== undefined) this.#stored.set(name, apiKey);
    if (oauth !== undefined) this.#logins.register(name, oauth);
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
  /** Models whose provider has a key or a login here, or needs none. */
  async getAvailable(): Promise<readonly RuntimeModel[]> {
    return this.getModels().filter(({ provider }) => this.hasConfiguredAuth(provider));
  }
  hasConfiguredAuth(provider: string): boolean {
    const { needsKey } = this.#providers.get(provider) ?? {};
    return needsKey === false || this.#keyOf(provider) !== null || this.#logins.providers.includes(provider);
  }
  #keyOf(provider: string): string | null {
    return this.#runtime.get(provider) ?? this.#stored.get(provider) ?? null;
  }
  /** A key, else that of a login, refreshed if it is due. Null: none is known here. Rejects with `login-not-refreshed`. */
  async resolveApiKey(provider: string): Promise<string | null> {
    return this.#keyOf(provider) ?? this.#logins.keyOf(provider);
  }
  /** Providers with a login that is to be refreshed before it is used again. */
  get dueLogins(): readonly string[] {
    return this.#logins.providers.filter((provider) => this.#keyOf(provider) === null && this.#logins.isDue(provider));
  }
  /** What is being refreshed is written. Never rejects. */
  async settled(): Promise<void> {
    await this.#logins.settled();
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
