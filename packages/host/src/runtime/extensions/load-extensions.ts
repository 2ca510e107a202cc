/**
 * Runs extension factories for one session: those given in memory and those at explicit absolute paths. Invariants:
 * nothing is discovered in a workspace; one that fails is an error beside the others, unless it is required.
 */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { MooringError, messageOf } from "../../index.ts";
import type { EventBus } from "../event-bus.ts";
import { Extension } from "./extension.ts";
import type { ExtensionFactory, InlineExtension } from "./types.ts";

export type ExtensionSources = {
  readonly factories: readonly InlineExtension[];
  /** Absolute paths of modules whose default export is a factory. */
  readonly paths: readonly string[];
};
export type LoadError = { readonly path: string; readonly error: string };
export type LoadedExtensions = { readonly extensions: readonly Extension[]; readonly errors: readonly LoadError[] };

/** Rejects with `extension-failed` when a required one does not load. */
export async function loadExtensions(sources: ExtensionSources, bus: EventBus): Promise<LoadedExtensions> {
  const extensions: Extension[] = [];
  const errors: LoadError[] = [];
  for (const { path, factory, required } of [...inline(sources.factories), ...atPaths(sources.paths)]) {
    const extension = new Extension(path, bus);
    try {
      await (await factory())(extension.api);
      extensions.push(extension);
    } catch (cause) {
      extension.release();
      if (required) return await refuse(extensions, path, cause);
      errors.push({ path, error: messageOf(cause) });
    }
  }
  return { extensions, errors };
}
function refuse(loaded: readonly Extension[], path: string, cause: unknown): never {
  for (const extension of loaded) extension.release();
  throw new MooringError("extension-failed", `The required extension ${path} did not load: ${messageOf(cause)}`, {
    detail: { path },
    cause,
  });
}
type Source = { readonly path: string; readonly required: boolean; factory(): Promise<ExtensionFactory> };

function inline(factories: readonly InlineExtension[]): readonly Source[] {
  return factories.map((given, index) => {
    const named = typeof given === "function" ? { name: String(index + 1), factory: given } : given;
    const { name, factory, required = false } = named;
    return { path: `<inline:${name}>`, required, factory: async () => factory };
  });
}
function atPaths(paths: readonly string[]): readonly Source[] {
  return paths.map((path) => ({ path, required: false, factory: () => factoryAt(path) }));
}
async function factoryAt(path: string): Promise<ExtensionFactory> {
  if (!isAbsolute(path)) throw new MooringError("bad-path", `${path} is relative. Give an absolute path.`);
  const loaded: unknown = await import(pathToFileURL(path).href);
  const made: unknown = typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : null;
  if (isFactory(made)) return made;
  throw new MooringError("bad-extension", `${path} has no default export that is a function.`);
}
const isFactory = (value: unknown): value is ExtensionFactory => typeof value === "function";
