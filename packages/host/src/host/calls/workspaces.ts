/**
 * Where an agent works: a directory a person named inside an allowed root, or one the host makes. Both are decided
 * before any row of the session exists. Paths are stored with links resolved, so that nothing moves under a session.
 */
import { mkdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { Directories } from "../api.ts";
import { isInside, isMadeByHost, managedRootOf, resolveLinks } from "../permission/containment.ts";
import { directoriesIn } from "./directories.ts";

export type Workspace = { readonly path: string; readonly managed: boolean };

/** Directories in one listing, and entries looked at for it. */
const listing = { most: 1_000, looked: 20_000 };

export class Workspaces {
  readonly #dataDir: string;
  readonly #managedRoot: string;
  readonly #roots: readonly string[];

  /** `roots`: directories a named workspace may be in; `<dataDir>/workspaces` always is one. */
  constructor(dataDir: string, roots: readonly string[]) {
    this.#dataDir = resolve(dataDir);
    this.#managedRoot = managedRootOf(this.#dataDir);
    this.#roots = [...roots, this.#managedRoot];
  }

  /** A directory of its own for this session. It exists when this resolves. */
  async make(session: SessionId): Promise<Workspace> {
    const path = join(this.#managedRoot, session);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return { path: await realpath(path), managed: true };
  }

  /** Rejects with `bad-workspace` unless the path is an existing directory inside a root, and none of the host's own. */
  async named(path: string): Promise<Workspace> {
    const real = await this.#allowed(path);
    if (await this.#isHostData(real))
      throw refused(path, `"${path}" belongs to Mooring itself: no agent works there. Name another directory.`);
    return { path: real, managed: false };
  }
  async #isHostData(real: string): Promise<boolean> {
    const dataDir = await resolveLinks(this.#dataDir);
    return isInside(real, dataDir) && !isMadeByHost(real, dataDir);
  }
  async #allowed(path: string): Promise<string> {
    const real = await directoryAt(path);
    if (real === null) throw refused(path, `"${path}" is not an existing directory. Create it first, or name another.`);
    const roots = await this.#realRoots();
    if (!roots.some((root) => isInside(real, root)))
      throw refused(
        path,
        `"${path}" is outside the allowed directories (${this.#roots.join(", ")}). Allow it with --root.`,
      );
    return real;
  }

  /** Without a path: the roots there are. Rejects with `bad-workspace` for one outside them or that cannot be read. */
  async directories(path?: string): Promise<Directories> {
    if (path === undefined) return this.#existingRoots();
    const real = await this.#allowed(path);
    const [roots, dataDir] = [await this.#realRoots(), await resolveLinks(this.#dataDir)];
    if (real !== managedRootOf(dataDir)) await this.named(path);
    const allowed = (directory: string): boolean =>
      roots.some((root) => isInside(directory, root)) &&
      (!isInside(directory, dataDir) || isMadeByHost(directory, dataDir));
    const found = await directoriesIn(real, listing, allowed).catch((cause: unknown) => {
      throw refused(path, `"${path}" cannot be read: ${messageOf(cause)}`);
    });
    return { path: real, ...found };
  }

  #realRoots(): Promise<readonly string[]> {
    return Promise.all(this.#roots.map((root) => realpath(root).catch(() => resolve(root))));
  }
  async #existingRoots(): Promise<Directories> {
    const found = await Promise.all(this.#roots.map(directoryAt));
    const paths = [...new Set(found)].flatMap((path) => (path === null ? [] : [path])).sort();
    return { path: null, directories: paths.map((path) => ({ name: basename(path), path })), more: false };
  }
}
/** With its links resolved; null when there is none. */
async function directoryAt(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  return real !== null && (await stat(real)).isDirectory() ? real : null;
}
const refused = (path: string, message: string): MooringError =>
  new MooringError("bad-workspace", message, { detail: { path } });
