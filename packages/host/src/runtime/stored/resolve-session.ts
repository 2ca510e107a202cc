/** Finds the stored session a `SessionManager` names, before anything of the present one is touched. */
import { stat } from "node:fs/promises";
import type { SessionHost } from "../../index.ts";
import { MissingSessionCwdError } from "../errors.ts";
import type { RuntimeHost } from "../hosting/runtime-host.ts";
import type { SessionManager } from "./session-manager.ts";

/** `id` null: a new session, not stored yet. */
export type ResolvedSession = { readonly host: SessionHost; readonly id: string | null };

/** Rejects with `no-such-session`, `no-memory-store` or `MissingSessionCwdError`. */
export async function resolveSession(
  host: RuntimeHost,
  manager: SessionManager,
  fallbackCwd: string,
): Promise<ResolvedSession> {
  const { target } = manager;
  const owner = target.where === "stored" ? host.stored : await host.memory();
  if (target.kind === "new") return { host: owner, id: null };
  const found = await owner.get(target.reference);
  if (target.where === "stored" && !(await isDirectory(found.workspace)))
    throw new MissingSessionCwdError({ sessionFile: target.reference, sessionCwd: found.workspace, fallbackCwd });
  manager.resolved(found.externalId ?? found.id, found.workspace);
  return { host: owner, id: found.id };
}
export const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
