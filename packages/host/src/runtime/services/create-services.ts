/**
 * Everything a session needs that depends on the directory it works in. Made anew when that changes. Invariant: creation
 * resolves with diagnostics for what can be gone without, and rejects only for what a program must not go on without.
 */
import { isAbsolute } from "node:path";
import { MooringError, messageOf } from "../../index.ts";
import type { AgentSessionRuntimeDiagnostic } from "../diagnostics.ts";
import { Diagnostics } from "../diagnostics.ts";
import type { Extension } from "../extensions/extension.ts";
import type { RuntimeHost } from "../hosting/runtime-host.ts";
import { getAgentDir } from "./agent-dir.ts";
import { ModelRuntime } from "./model-runtime.ts";
import { ResourceLoader, type ResourceLoaderOptions } from "./resource-loader.ts";
import { SettingsManager } from "./settings-manager.ts";

export type FlagValues = ReadonlyMap<string, boolean | string>;
export type AgentSessionServicesOptions = {
  /** Absolute. Need not be there yet. */
  readonly cwd: string;
  readonly host: RuntimeHost;
  /** Absolute. Absent: `getAgentDir()`. */
  readonly agentDir?: string;
  /** Driver type of agents made for models. */
  readonly driver?: string;
  readonly settingsManager?: SettingsManager;
  readonly modelRuntime?: ModelRuntime;
  readonly modelRuntimeSignal?: AbortSignal;
  readonly extensionFlagValues?: FlagValues;
  readonly resourceLoader?: ResourceLoader;
  readonly resourceLoaderOptions?: ResourceLoaderOptions;
};
export type AgentSessionServices = {
  readonly cwd: string;
  readonly agentDir: string;
  readonly host: RuntimeHost;
  readonly driver: string;
  readonly modelRuntime: ModelRuntime;
  readonly settingsManager: SettingsManager;
  readonly resourceLoader: ResourceLoader;
  readonly flagValues: FlagValues;
  readonly diagnostics: readonly AgentSessionRuntimeDiagnostic[];
};

/** Rejects with `bad-path`, `bad-config` or `extension-failed`. */
export async function createAgentSessionServices(options: AgentSessionServicesOptions): Promise<AgentSessionServices> {
  const { cwd, host, agentDir = getAgentDir(), driver = "loop", extensionFlagValues: flagValues = new Map() } = options;
  for (const path of [cwd, agentDir])
    if (!isAbsolute(path)) throw new MooringError("bad-path", `${path} is relative. Give an absolute path.`);
  const diagnostics = new Diagnostics();
  const settingsManager = options.settingsManager ?? (await SettingsManager.create(cwd, agentDir));
  const modelRuntime = options.modelRuntime ?? (await modelRuntimeIn(agentDir, options.modelRuntimeSignal));
  const resourceLoader = options.resourceLoader ?? new ResourceLoader(agentDir, options.resourceLoaderOptions);
  await resourceLoader.reload();
  const { extensions } = resourceLoader.getExtensions();
  for (const { type, message } of [settingsManager, modelRuntime, resourceLoader].flatMap((part) => part.diagnostics))
    diagnostics.add(type, message);
  registerProviders(extensions, modelRuntime, diagnostics);
  for (const message of applyFlags(extensions, flagValues)) diagnostics.add("error", message);
  const made = { cwd, agentDir, host, driver, modelRuntime, settingsManager, resourceLoader, flagValues };
  return { ...made, diagnostics: diagnostics.all };
}
const modelRuntimeIn = (agentDir: string, signal: AbortSignal | undefined): Promise<ModelRuntime> =>
  ModelRuntime.create({
    authPath: `${agentDir}/auth.json`,
    modelsPath: `${agentDir}/models.json`,
    ...(signal === undefined ? {} : { signal }),
  });

function registerProviders(extensions: readonly Extension[], models: ModelRuntime, diagnostics: Diagnostics): void {
  for (const { providers, path } of extensions)
    for (const [name, provider] of providers)
      try {
        models.registerProvider(name, provider);
      } catch (cause) {
        diagnostics.add("error", `The extension ${path} registers a provider that is no good: ${messageOf(cause)}`);
      }
}
/** Gives each extension the values of its flags. Returns what is wrong with the values, each once. */
export function applyFlags(extensions: readonly Extension[], values: FlagValues): readonly string[] {
  return [...values].flatMap(([name, value]) => {
    const owners = extensions.filter(({ flags }) => flags.has(name));
    if (owners.length === 0) return [`There is no option --${name}.`];
    const wrong = owners.find(({ flags }) => flags.get(name)?.type !== typeof value);
    if (wrong) return [flagProblem(name, value)];
    for (const owner of owners) owner.setFlag(name, value);
    return [];
  });
}
const flagProblem = (name: string, value: boolean | string): string =>
  typeof value === "boolean" ? `The option --${name} requires a value.` : `The option --${name} takes no value.`;
