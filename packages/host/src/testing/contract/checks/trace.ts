/** What a call left behind: the files of a directory, and the children that run. */
import { readdir } from "node:fs/promises";
import type { ContractScene } from "../scene.ts";

/** Everything below a directory, sorted. */
export const filesIn = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory, { recursive: true })).sort();

/** Files of the session's directories and processes started so far, as one text to compare. */
export async function trace(scene: ContractScene): Promise<string> {
  const { workspace, home } = scene.place;
  const files = await Promise.all([workspace, home, scene.dataDir].map(filesIn));
  return JSON.stringify([...files, scene.processes.started.all.length]);
}
