/**
 * The resume token: the agent's name of the conversation, or for a fork that was not opened yet, where it begins.
 * Opaque to the host, never a path.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ResumeFailed } from "@mooring/host/driver";
import { limits } from "../limits.ts";

export type Place = {
  readonly session: string;
  /** The conversation it branches off, and the last message both have. */
  readonly fork: { readonly from: string; readonly anchor: string } | null;
};

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const form = new RegExp(`^(${uuid})(?:\\.fork\\.(${uuid})\\.(${uuid}))?$`, "i");

export const forkToken = (session: string, from: string, anchor: string): string => `${session}.fork.${from}.${anchor}`;

/** Throws `ResumeFailed`. */
export function placeOf(token: string): Place {
  const [, session, from, anchor] = form.exec(token) ?? [];
  if (session === undefined)
    throw new ResumeFailed("refused", "The stored resume token is not one of a Claude Code conversation.");
  return { session, fork: from === undefined || anchor === undefined ? null : { from, anchor } };
}

/** Claude Code's transcript of it, whatever directory it was begun in; null: there is none. */
export async function transcriptOf(configDir: string, session: string): Promise<string | null> {
  const projects = join(configDir, "projects");
  const folders = await readdir(projects).catch(() => []);
  for (const folder of folders.slice(0, limits.transcriptFolders)) {
    const path = join(projects, folder, `${session}.jsonl`);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.size > 0) return path;
  }
  return null;
}
