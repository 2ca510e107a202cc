/** The private home and the whole environment of an agent's processes. Nothing else of the host's environment passes. */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AgentId } from "../../protocol/ids.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
const passed = ["PATH", "LANG", "TERM", "TMPDIR"] as const;

export const homeOf = (dataDir: string, agent: AgentId): string => join(resolve(dataDir), "homes", agent);

/** Exists when it resolves. */
export async function makeHome(dataDir: string, agent: AgentId): Promise<string> {
  const home = homeOf(dataDir, agent);
  await mkdir(home, { recursive: true, mode: 0o700 });
  return home;
}
export function childEnvironment(host: Environment, home: string): Readonly<Record<string, string>> {
  const kept = passed.flatMap((name) => {
    const value = host[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), HOME: home };
}
