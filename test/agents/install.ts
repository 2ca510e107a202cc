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
const agents = ["@anthropic-ai/claude-agent-sdk", "@earendil-works/pi-coding-agent"];

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

/** Every installed version is the locked one. */
async function isInstalled(): Promise<boolean> {
  const { packages } = Object(await json("package-lock.json"));
  const found = agents.map(async (name) => {
    const path = `node_modules/${name}`;
    const wanted = Object(packages?.[path]).version;
    return wanted !== undefined && Object(await json(join(path, "package.json"))).version === wanted;
  });
  return (await Promise.all(found)).every(Boolean);
}

async function json(name: string): Promise<unknown> {
  const text = await readFile(join(folder, name), "utf8").catch(() => "null");
  return JSON.parse(text);
}

async function npmCi(): Promise<boolean> {
  console.log(`Installing the agents that are tested, once (about 550 MB): ${command}`);
  const child = spawn("npm", ["ci", "--no-audit", "--no-fund", "--progress=true"], { cwd: folder, stdio: "inherit" });
  const [code] = await Promise.race([once(child, "exit"), once(child, "error").then(() => [1])]);
  return code === 0;
}
