/**
 * Whether a path is inside a directory, with symbolic links resolved on both sides. A path that does not exist yet is
 * judged by its nearest existing ancestor, so a file cannot be created outside through a linked directory.
 */
import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The path with every link on its existing part resolved. Rejects only for reasons other than absence. */
export async function resolveLinks(path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing.reverse());
    } catch (cause) {
      if (!isAbsent(cause) || dirname(at) === at) throw cause;
      const target = await linkTarget(at); // a link to what does not exist yet: writing to it creates that
      if (target !== null) return join(await resolveLinks(target), ...missing.reverse());
      missing.push(basename(at));
    }
  }
}
/** Both must be resolved already. A directory is inside itself. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
/** Where the host makes directories for sessions that name none. */
export const managedRootOf = (dataDir: string): string => join(dataDir, "workspaces");
/** A directory the host made for a session, or one in it. */
export function isMadeByHost(path: string, dataDir: string): boolean {
  const root = managedRootOf(dataDir);
  return path !== root && isInside(path, root);
}
/** Null: it leads nowhere that can be known, so it is inside nothing. A relative path: nobody knows from where. */
export async function realPathOf(path: string): Promise<string | null> {
  return isAbsolute(path) ? await resolveLinks(path).catch(() => null) : null;
}
async function linkTarget(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : null;
}
const isAbsent = (cause: unknown): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  "code" in cause &&
  (cause.code === "ENOENT" || cause.code === "ENOTDIR");
