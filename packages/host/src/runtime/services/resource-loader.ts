/**
 * What a session is furnished with: extensions, skills, context files and prompt texts, given in memory or by explicit
 * absolute path. Invariants: trust in the workspace is off unless the program says so, and even then nothing in a
 * workspace is run: its text is loaded by the host, its code by nobody; every session gets extensions of its own.
 */
import { isAbsolute, join } from "node:path";
import type { AgentSessionRuntimeDiagnostic } from "../diagnostics.ts";
import { Diagnostics } from "../diagnostics.ts";
import { createEventBus, type EventBus } from "../event-bus.ts";
import { type LoadError, type LoadedExtensions, loadExtensions } from "../extensions/load-extensions.ts";
import type { InlineExtension } from "../extensions/types.ts";
import {
  type ContextFile,
  contextFile,
  type LoadedSkill,
  loadSkill,
  type Skill,
  type SkillSource,
  skillText,
} from "./skills.ts";

export type ResourceLoaderOptions = {
  readonly extensionFactories?: readonly InlineExtension[];
  /** Absolute paths of modules whose default export is a factory. They are the program's choice, and run. */
  readonly additionalExtensionPaths?: readonly string[];
  readonly skills?: readonly SkillSource[];
  readonly contextFiles?: readonly string[];
  /** Replaces the agent's own base instructions. */
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: readonly string[];
  readonly eventBus?: EventBus;
  /** Off unless true. A workspace's executable resources are not loaded either way. */
  readonly projectTrusted?: boolean;
  readonly noExtensions?: boolean;
  readonly noSkills?: boolean;
  readonly noContextFiles?: boolean;
  /** Accepted; there is nothing they would turn off. */
  readonly noPromptTemplates?: boolean;
  readonly noThemes?: boolean;
  readonly promptTemplates?: readonly string[];
  readonly themes?: readonly string[];
};

export class ResourceLoader {
  readonly #agentDir: string;
  readonly #options: ResourceLoaderOptions;
  readonly #diagnostics = new Diagnostics();
  readonly events: EventBus;
  #loaded: LoadedExtensions | null = null;
  #claimed = false;
  #errors: readonly LoadError[] = [];
  #skills: readonly LoadedSkill[] = [];
  #contextFiles: readonly ContextFile[] = [];

  constructor(agentDir: string, options: ResourceLoaderOptions = {}) {
    this.#agentDir = agentDir;
    this.#options = options;
    this.events = options.eventBus ?? createEventBus();
  }

  get diagnostics(): readonly AgentSessionRuntimeDiagnostic[] {
    return this.#diagnostics.all;
  }
  /** Reads and runs everything anew. Rejects with `extension-failed` when a required one does not load. */
  async reload(): Promise<void> {
    this.#note();
    const { noSkills, noContextFiles, skills = [], contextFiles = [] } = this.#options;
    this.#contextFiles = noContextFiles === true ? [] : await this.#readContextFiles(contextFiles);
    const read = noSkills === true ? [] : skills;
    this.#skills = (await Promise.all(read.map((source) => loadSkill(source, this.#diagnostics)))).flat();
    await this.#load();
  }
  #note(): void {
    const { promptTemplates = [], themes = [], projectTrusted, additionalExtensionPaths = [] } = this.#options;
    if (promptTemplates.length > 0) this.#diagnostics.add("warning", "Prompt templates are not used here.");
    if (themes.length > 0) this.#diagnostics.add("warning", "Themes are not used here: there is no screen.");
    if (projectTrusted === true)
      this.#diagnostics.add(
        "info",
        "The workspace is trusted; its code is not loaded all the same. Name what is to run.",
      );
    for (const path of additionalExtensionPaths.filter((one) => !isAbsolute(one)))
      this.#diagnostics.add("error", `The extension path ${path} is relative. Give an absolute path.`);
  }
  async #readContextFiles(named: readonly string[]): Promise<readonly ContextFile[]> {
    const own = await contextFile(join(this.#agentDir, "AGENTS.md"), this.#diagnostics, "optional");
    const more = await Promise.all(named.map((path) => contextFile(path, this.#diagnostics, "named")));
    return [...own, ...more.flat()];
  }
  async #load(): Promise<LoadedExtensions> {
    const { noExtensions, extensionFactories = [], additionalExtensionPaths = [] } = this.#options;
    const paths = noExtensions === true ? [] : additionalExtensionPaths.filter((path) => isAbsolute(path));
    const loaded = await loadExtensions({ factories: extensionFactories, paths }, this.events);
    this.#loaded = loaded;
    this.#claimed = false;
    this.#errors = loaded.errors;
    return loaded;
  }

  getExtensions(): { readonly extensions: LoadedExtensions["extensions"]; readonly errors: readonly LoadError[] } {
    return { extensions: this.#loaded?.extensions ?? [], errors: this.#errors };
  }
  /** For one session: nobody else gets these, so that its end releases no other session's. */
  async claimExtensions(): Promise<LoadedExtensions> {
    const loaded = this.#loaded === null || this.#claimed ? await this.#load() : this.#loaded;
    this.#claimed = true;
    return loaded;
  }
  getSkills(): readonly Skill[] {
    return this.#skills.map(({ name, description, path }) => ({ name, description, path }));
  }
  getContextFiles(): readonly ContextFile[] {
    return this.#contextFiles;
  }
  /** What the agent is told beside the host's own words; null: nothing. */
  instructions(): string | null {
    const { systemPrompt, appendSystemPrompt = [] } = this.#options;
    const files = this.#contextFiles.map(({ path, content }) => `# ${path}\n\n${content}`);
    const texts = [...(systemPrompt === undefined ? [] : [systemPrompt]), ...files, ...this.#skills.map(skillText)];
    const all = [...texts, ...appendSystemPrompt].join("\n\n");
    return all === "" ? null : all;
  }
}
