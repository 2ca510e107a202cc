/** The directories inside one, as a person picks a workspace from them. Links are followed only to where they may lead. */
import { opendir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Directory } from "../api.ts";

type Bounds = {
  /** Directories given. */
  readonly most: number;
  /** Entries looked at, files included. */
  readonly looked: number;
};
export type Found = { readonly directories: readonly Directory[]; readonly more: boolean };

/** By name. `allowed`: whether a directory, with its links resolved, may be shown. */
export async function directoriesIn(path: string, bounds: Bounds, allowed: (path: string) => boolean): Promise<Found> {
  const found: Directory[] = [];
  let looked = 0;
  for await (const entry of await opendir(path)) {
    if (++looked > bounds.looked) break;
    const at = join(path, entry.name);
    const real = entry.isDirectory() ? at : entry.isSymbolicLink() ? await linkedDirectory(at) : null;
    if (real !== null && allowed(real)) found.push({ name: entry.name, path: real });
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { directories: found.slice(0, bounds.most), more: found.length > bounds.most || looked > bounds.looked };
}
/** Null: it leads to no directory. */
async function linkedDirectory(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  const found = real === null ? null : await stat(real).catch(() => null);
  return found?.isDirectory() ? real : null;
}
