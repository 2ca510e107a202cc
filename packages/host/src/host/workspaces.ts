/**
 * Where an agent works: a directory a person named inside an allowed root, or one the host makes. Both are decided
 * before any row of the session exists. Paths are stored with links resolved, so that nothing moves under a session.
 */
import { mkdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MooringError } from "../protocol/errors.ts";
import type { SessionId } from "../protocol/ids.ts";
import { isInside } from "./containment.ts";

export type Workspace = { readonly path: string; readonly managed: boolean };

export class Workspaces {
  readonly #managedRoot: string;
  readonly #roots: readonly string[];

  /** `roots`: directories a named workspace may be in; `<dataDir>/workspaces` always is one. */
  constructor(dataDir: string, roots: readonly string[]) {
    this.#managedRoot = join(resolve(dataDir), "workspaces");
    this.#roots = [...roots, this.#managedRoot];
  }

  /** A directory of its own for this session. It exists when this resolves. */
  async make(session: SessionId): Promise<Workspace> {
    const path = join(this.#managedRoot, session);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return { path: await realpath(path), managed: true };
  }

  /** Rejects with `bad-workspace` unless the path is an existing directory inside a root. */
  async named(path: string): Promise<Workspace> {
    const real = await realpath(path).catch(() => null);
    if (real === null || !(await stat(real)).isDirectory())
      throw refused(path, `"${path}" is not an existing directory. Create it first, or name another.`);
    const roots = await Promise.all(this.#roots.map((root) => realpath(root).catch(() => resolve(root))));
    if (!roots.some((root) => isInside(real, root)))
      throw refused(
        path,
        `"${path}" is outside the allowed directories (${this.#roots.join(", ")}). Allow it with --root.`,
      );
    return { path: real, managed: false };
  }
}
const refused = (path: string, message: string): MooringError =>
  new MooringError("bad-workspace", message, { detail: { path } });
