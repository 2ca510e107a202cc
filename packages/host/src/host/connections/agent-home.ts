/** The private home and the whole environment of an agent's processes. Nothing else of the host's environment passes. */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AgentId } from "../../protocol/ids.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import { isMadeByHost, resolveLinks } from "../permission/containment.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
const passed = ["PATH", "LANG", "TERM", "TMPDIR"] as const;

export const homesOf = (dataDir: string): string => join(resolve(dataDir), "homes");
export const homeOf = (dataDir: string, agent: AgentId): string => join(homesOf(dataDir), agent);
/** Copies of files that an agent is told to read where they lie, by file id. */
export const attachmentsOf = (home: string): string => join(home, "attachments");

/** Exists when it resolves. */
export async function makeHome(dataDir: string, agent: AgentId): Promise<string> {
  const home = homeOf(dataDir, agent);
  await mkdir(home, { recursive: true, mode: 0o700 });
  return home;
}
/** A backup has none of the directories that a host makes for its sessions: work goes on in an empty one. */
export async function remakeOwnWorkspace(dataDir: string, session: Pick<SessionRow, "managed" | "workspace">) {
  const { managed, workspace } = session;
  if (managed && isMadeByHost(workspace, await resolveLinks(resolve(dataDir))))
    await mkdir(workspace, { recursive: true, mode: 0o700 });
}
export function childEnvironment(host: Environment, home: string): Readonly<Record<string, string>> {
  const kept = passed.flatMap((name) => {
    const value = host[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), HOME: home };
}
