/**
 * Puts the pinned agents into this folder before its tests run, once: `npm ci` with this folder's own lock file, its
 * progress shown. Where that cannot be done the tests are skipped and the command is said; with `MOORING_AGENTS=required` (or `all`)
 * the run fails instead.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const folder = import.meta.dirname;
const command = "npm ci --prefix test/agents";
const isRequired = ["required", "all"].includes(process.env["MOORING_AGENTS"] ?? "");
const agent = "node_modules/@anthropic-ai/claude-agent-sdk";

declare module "vitest" {
  interface ProvidedContext {
    /** Null: the agents are there. Else what to run to get them. */
    readonly agentsMissing: string | null;
  }
}

export default async function install(project: TestProject): Promise<void> {
  const isThere = (await isInstalled()) || ((await npmCi()) && (await isInstalled()));
  if (!isThere && isRequired) throw new TypeError(`The agents are missing: ${command}`);
  if (!isThere) console.warn(`The tests on real agents are skipped: they could not be installed. Try: ${command}`);
  project.provide("agentsMissing", isThere ? null : command);
}

/** The installed version is the locked one. */
async function isInstalled(): Promise<boolean> {
  const wanted = Object(await json("package-lock.json")).packages?.[agent]?.version;
  return wanted !== undefined && Object(await json(join(agent, "package.json"))).version === wanted;
}

async function json(name: string): Promise<unknown> {
  const text = await readFile(join(folder, name), "utf8").catch(() => "null");
  return JSON.parse(text);
}

async function npmCi(): Promise<boolean> {
  console.log(`Installing the agents that are tested, once (about 450 MB): ${command}`);
  const child = spawn("npm", ["ci", "--no-audit", "--no-fund", "--progress=true"], { cwd: folder, stdio: "inherit" });
  const [code] = await Promise.race([once(child, "exit"), once(child, "error").then(() => [1])]);
  return code === 0;
}
