/**
 * Where a path of the model really leads. Invariant: what is returned has no symbolic link in it that exists, and lies
 * in the workspace, or, for reading, in the directory where long command outputs are kept.
 */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileFailure, ToolFailure } from "./tool-failure.ts";

export type Place = {
  readonly workspace: string;
  /** The session's long outputs; may not exist yet. */
  readonly outputs: string;
};
type Access = "read" | "write";

const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);

/** The absolute path; the last parts may not exist. Rejects with `ToolFailure` when it leads outside. */
export async function containedPath(place: Place, path: string, access: Access): Promise<string> {
  const workspace = await realpath(place.workspace).catch((cause: unknown) => {
    throw fileFailure("The workspace", cause);
  });
  const real = await realPathOf(path, resolve(workspace, path));
  if (isInside(workspace, real)) return real;
  if (access === "read" && isInside(await realPathOf(path, place.outputs), real)) return real;
  throw new ToolFailure(`${path} is outside the workspace: tools reach only files inside ${workspace}.`);
}

/** As `realpath`, for a path whose last parts may not exist. */
async function realPathOf(shown: string, path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (!isMissing(cause)) throw fileFailure(shown, cause);
    // A link to nothing would be followed by a write, wherever it points.
    if (await isLink(path)) throw new ToolFailure(`${shown} goes through a broken symbolic link.`);
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(shown, parent), basename(path));
  }
}

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT";

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
