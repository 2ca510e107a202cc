/**
 * The person's settings for sessions of the runtime: `settings.json` of the agent directory, or values given in memory.
 * Invariant: nothing of a workspace is ever read as a setting.
 */
import { join } from "node:path";
import { messageOf } from "../../index.ts";
import type { AgentSessionRuntimeDiagnostic } from "../diagnostics.ts";
import { type Settings, settingsFile } from "./config.schema.ts";
import { readJson } from "./read-json.ts";

export type { Settings };

export class SettingsManager {
  readonly diagnostics: readonly AgentSessionRuntimeDiagnostic[];
  readonly #settings: Settings;

  private constructor(settings: Settings, diagnostics: readonly AgentSessionRuntimeDiagnostic[]) {
    this.#settings = settings;
    this.diagnostics = diagnostics;
  }
  /** A file that cannot be used is an error diagnostic, and no setting is taken from it. */
  static async create(_cwd: string, agentDir: string): Promise<SettingsManager> {
    const path = join(agentDir, "settings.json");
    try {
      return new SettingsManager(settingsFile.parse((await readJson(path)) ?? {}), []);
    } catch (cause) {
      return new SettingsManager({}, [{ type: "error", message: `${path}: ${messageOf(cause)}` }]);
    }
  }
  static inMemory(settings: Partial<Settings> = {}): SettingsManager {
    return new SettingsManager({ ...settings }, []);
  }
  get<Key extends keyof Settings>(key: Key): Settings[Key] {
    return this.#settings[key];
  }
}
