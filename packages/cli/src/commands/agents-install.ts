/**
 * `mooring agents install NAME`: puts the pinned version of an agent into the data directory, with npm and with its
 * progress shown. Invariant: what is there in that version is left alone; nothing else of the machine is changed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { InstallCommand } from "../command.ts";
import { installations } from "../compose.ts";
import { dataDirOf } from "../data-dir.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { Context } from "./host-request.ts";

type Installation = Awaited<ReturnType<typeof installations>>[number];

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

async function install(agent: Installation, dataDir: string, { env, out, err, command }: Terminal): Promise<number> {
  const directory = agent.directory(dataDir);
  const wanted = { private: true, dependencies: { [agent.package]: agent.version } };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, "package.json"), `${JSON.stringify(wanted, null, 2)}\n`);
  out(`Installing ${agent.package} ${agent.version} (about ${agent.megabytes} MB) into ${directory}\n`);
  const problem = await npmInstall(directory, env);
  const found = problem === null ? await agent.installed(dataDir) : null;
  if (found !== agent.version) {
    err(`It was not installed: ${problem ?? "npm left it out"}.\n`);
    err(`By hand: npm install --prefix ${JSON.stringify(directory)}\n`);
    return exitCodes.failed;
  }
  out(`Installed ${agent.name} ${found}. Next: ${command} agents add NAME --driver ${agent.name} --model MODEL\n`);
  return exitCodes.done;
}

/** Null: it went well. The person's own npm, with the person's settings. */
async function npmInstall(directory: string, env: Terminal["env"]): Promise<string | null> {
  const args = ["install", "--no-audit", "--no-fund", "--progress=true"];
  const npm = spawn("npm", args, { cwd: directory, env: { ...env }, stdio: ["ignore", "inherit", "inherit"] });
  const failed = once(npm, "error").then(([cause]) => (cause instanceof Error ? cause.message : String(cause)));
  const ended = once(npm, "exit").then(([code]) => (code === 0 ? null : `npm ended with ${code ?? "a signal"}`));
  return Promise.race([failed, ended]);
}
