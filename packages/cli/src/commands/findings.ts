/** What `doctor` looks at, as values. Pure: the host and the environment were asked already. */
import type { AgentRow, DriverInfo } from "@mooring/host";
import type { Environment } from "../data-dir.ts";
import { demoAgent } from "../provider-agents.ts";

export type Finding = {
  /** `node`, `data`, `driver loop`, `agent demo`. */
  readonly what: string;
  readonly isOk: boolean;
  /** Something does not work without it. A driver that no agent uses is not needed. */
  readonly isNeeded: boolean;
  readonly detail: string;
  /** What to do; null: nothing, or it is not known. */
  readonly fix: string | null;
};

/** `version` and `needed`: `24.1.0`. */
export function nodeFinding(version: string, needed: string): Finding {
  const isOk = version.localeCompare(needed, "en", { numeric: true }) >= 0;
  const fix = isOk ? null : `Install Node.js ${needed} or newer.`;
  return { what: "node", isOk, isNeeded: true, detail: `version ${version}, ${needed} is needed`, fix };
}

export function driverFinding({ type, readiness }: DriverInfo): Finding {
  const { found, version, problem, fix } = readiness;
  const detail = found ? `found${version === null ? ", built in" : `, version ${version}`}` : (problem ?? "not found");
  // Credentials belong to an agent: they are said there.
  return { what: `driver ${type}`, isOk: found, isNeeded: false, detail, fix: found ? null : fix };
}

export const dataFinding = (dataDir: string): Finding => fine("data", `${dataDir}, the database opens`);
type ServerFacts = { readonly url: string; readonly pid: number; readonly version: string };
/** `own`: the version of this command. Another one's server may know less, or more. */
export function serverFinding({ url, pid, version }: ServerFacts, own: string): Finding {
  const detail = `${url}, pid ${pid}, version ${version}`;
  if (version === own) return fine("server", detail);
  const fix = "Stop it, and start it again with this version.";
  return { what: "server", isOk: false, isNeeded: true, detail: `${detail}; this command is ${own}`, fix };
}
export const pauseFinding = (reason: string, command: string): Finding => ({
  ...{ what: "paused", isOk: false, isNeeded: true },
  detail: `no turn starts: ${reason}`,
  fix: `${command} resume "${reason}"`,
});

const fine = (what: string, detail: string): Finding => ({ what, isOk: true, isNeeded: true, detail, fix: null });

type AgentFacts = {
  readonly drivers: readonly DriverInfo[];
  /** Null: the host has another one. */
  readonly env: Environment | null;
  readonly command: string;
};

export function agentFinding(agent: AgentRow, { drivers, env, command }: AgentFacts): Finding {
  const what = `agent ${agent.name}`;
  const bad = (detail: string, fix: string): Finding => ({
    ...{ what, isOk: false, isNeeded: true },
    ...{ detail, fix },
  });
  const { model, driver, provider } = agent;
  const info = drivers.find(({ type }) => type === driver);
  if (!info?.readiness.found)
    return bad(`its driver ${driver} is not there`, info?.readiness.fix ?? `See driver ${driver}.`);
  if (model === null) return bad("it has no model", `${command} agents set "${agent.name}" --model MODEL`);
  const { credentials, problem, fix } = info.readiness;
  const key = provider.apiKeyEnv;
  // Without a provider the driver looks for credentials of its own: its word is the agent's.
  if (credentials === "missing" && key === undefined && provider.kind === undefined)
    return bad(problem ?? "it has no credentials", fix ?? `${command} agents set "${agent.name}" --api-key-env NAME`);
  const facts = `${driver}, ${model}, ${keyText(provider)}`;
  if (key !== undefined && env === null) return fine(what, `${facts} (of the server: not looked at from here)`);
  if (key !== undefined && !env?.[key]) return bad(`${facts}, which is not set`, `export ${key}=…`);
  return fine(what, facts);
}

function keyText({ kind, apiKeyEnv }: AgentRow["provider"]): string {
  if (apiKeyEnv !== undefined) return `key from ${apiKeyEnv}`;
  return kind === demoAgent.provider?.kind ? "no key needed" : "no variable for a key (a stored one is not checked)";
}
