/**
 * Finds and loads the agent SDK: from the user's project, else from the data directory. Invariant: nothing of it is
 * read before the first session or `doctor` asks, and what is missing is said with the command that installs it.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { MooringError } from "@mooring/host/driver";
import type { Sdk } from "./sdk.ts";

export const sdkPackage = "@anthropic-ai/claude-agent-sdk";
/** The one this driver was measured and tested with. */
export const sdkVersion = "0.3.332";
export const installCommand = "mooring agents install claude-code";

/** Where `mooring agents install claude-code` puts it. */
export const agentDirectory = (dataDir: string): string => join(dataDir, "agents", "claude-code");

export type FoundSdk = {
  /** Its main module. */
  readonly path: string;
  readonly version: string;
};

/** `places`: directories, in order of preference. Null: it is in none. */
export async function findSdk(places: readonly string[]): Promise<FoundSdk | null> {
  for (const place of places) {
    const path = resolveFrom(place);
    if (path !== null) return { path, version: await versionOf(path) };
  }
  return null;
}

function resolveFrom(directory: string): string | null {
  try {
    return createRequire(join(directory, "package.json")).resolve(sdkPackage);
  } catch {
    return null;
  }
}

async function versionOf(path: string): Promise<string> {
  const text = await readFile(join(dirname(path), "package.json"), "utf8");
  const found: unknown = JSON.parse(text);
  return typeof found === "object" && found !== null && "version" in found ? String(found.version) : "unknown";
}

/** Rejects with `agent-missing`, whose message is the way out. */
export async function loadSdk(places: readonly string[]): Promise<Sdk> {
  const found = await findSdk(places);
  if (found === null) throw missingSdk();
  const module: unknown = await import(pathToFileURL(found.path).href);
  if (isSdk(module)) return module;
  const message = `${found.path} (${found.version}) is not the agent SDK this driver knows. Run: ${installCommand}`;
  throw new MooringError("agent-missing", message, { detail: { fix: installCommand } });
}

export function missingSdk(): MooringError {
  const message = `Claude Code is not installed. Run: ${installCommand} (or, in your project: npm install --save-exact ${sdkPackage}@${sdkVersion})`;
  return new MooringError("agent-missing", message, { detail: { fix: installCommand } });
}

const isSdk = (module: unknown): module is Sdk =>
  typeof module === "object" && module !== null && "query" in module && typeof module.query === "function";
