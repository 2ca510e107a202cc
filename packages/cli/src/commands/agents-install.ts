/**
 * `mooring agents install NAME`: puts the pinned version of an agent into the data directory, with npm and with its
 * progress shown on standard error. Invariants: what is there in that version is left alone; it is there whole or not at
 * all, whatever ends the install; nothing else of the machine is changed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { InstallCommand } from "../command.ts";
import { installations } from "../compose.ts";
import { dataDirOf } from "../data-dir.ts";
import { exitCodes } from "../exit-codes.ts";
import { limits } from "../limits.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { Context } from "./host-request.ts";

type Installation = Awaited<ReturnType<typeof installations>>[number];
/** `stopped`: the person wants no more of it. */
type NpmEnd = "done" | "stopped" | { readonly problem: string };

/** Resolves to the exit status. */
export async function installAgent({ name }: InstallCommand, { terminal }: Context): Promise<number> {
  const known = await installations();
  const agent = known.find((one) => one.name === name);
  if (agent === undefined) {
    const names = known.map((one) => one.name).join(", ");
    throw new UsageError(`There is no agent "${name}" to install.`, `These can be: ${names}.`);
  }
  const dataDir = dataDirOf(terminal.env, terminal.cwd);
  if ((await agent.installed(dataDir)) === agent.version) {
    terminal.out(`${name} ${agent.version} is installed already.\n`);
    return exitCodes.done;
  }
  return install(agent, dataDir, terminal);
}

async function install(agent: Installation, dataDir: string, terminal: Terminal): Promise<number> {
  const { out, err, command } = terminal;
  const directory = agent.directory(dataDir);
  err(`Installing ${agent.package} ${agent.version} (about ${agent.megabytes} MB) into ${directory}\n`);
  err("Where there is no network, npm says so after a minute.\n");
  const staging = await stagingIn(dataDir);
  try {
    const end = await npmInstall(agent, agent.directory(staging), terminal);
    if (end === "stopped") return exitCodes.stopped;
    const isThere = end === "done" && (await agent.installed(staging)) === agent.version;
    if (!isThere) {
      const problem = end === "done" ? "npm left it out" : end.problem;
      err(`${agent.name} was not installed: ${problem}. Nothing was changed.\n`);
      err("npm needs the network, or a registry it can reach (npm config set registry URL); what it says is above.\n");
      err(`Then again: ${command} agents install ${agent.name}\n`);
      return exitCodes.failed;
    }
    await replace(directory, agent.directory(staging), staging);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  out(
    `Installed ${agent.name} ${agent.version}. Next: ${command} agents add NAME --driver ${agent.name} --model MODEL\n`,
  );
  return exitCodes.done;
}

/** A data directory for the time of an install, beside the agents. What killed ones left is removed. */
async function stagingIn(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dataDir)) {
    const pid = /^installing-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  return join(dataDir, `installing-${process.pid}`);
}
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false; // of another process that had this number
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
async function replace(directory: string, by: string, staging: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  await rename(directory, join(staging, "before")).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cause;
  });
  await rename(by, directory);
}

/** The person's own npm, with the person's settings. */
async function npmInstall(agent: Installation, directory: string, { env, onStop }: Terminal): Promise<NpmEnd> {
  const wanted = { private: true, dependencies: { [agent.package]: agent.version } };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, "package.json"), `${JSON.stringify(wanted, null, 2)}\n`);
  const args = ["install", "--no-audit", "--no-fund", "--progress=true"];
  const npm = spawn("npm", args, { cwd: directory, env: { ...env }, stdio: ["ignore", 2, "inherit"] });
  let killing: ReturnType<typeof setTimeout> | null = null;
  const unwatch = onStop(() => {
    npm.kill("SIGTERM");
    killing ??= setTimeout(() => npm.kill("SIGKILL"), limits.npmGraceMs); // it was seen to download on
  });
  const failed = once(npm, "error").then(([cause]) => (cause instanceof Error ? cause.message : String(cause)));
  const ended = once(npm, "exit").then(([code]) => (code === 0 ? null : `npm ended with ${code ?? "a signal"}`));
  const problem = await Promise.race([failed, ended]).finally(unwatch);
  if (killing === null) return problem === null ? "done" : { problem };
  clearTimeout(killing);
  return "stopped";
}
