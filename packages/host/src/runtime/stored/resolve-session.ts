/** Finds the stored session a `SessionManager` names, before anything of the present one is touched. */
import { stat } from "node:fs/promises";
import { MooringError, type SessionHost, type SessionId } from "../../index.ts";
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
  const parent = found.parentId === null ? null : await referenceTo(owner, found.parentId);
  manager.resolved({ id: found.externalId ?? found.id, cwd: found.workspace, parent });
  return { host: owner, id: found.id };
}
/** A parent that was removed keeps its id. */
async function referenceTo(host: SessionHost, id: SessionId): Promise<string> {
  try {
    return (await host.get(id)).externalId ?? id;
  } catch (cause) {
    if (MooringError.isInstance(cause) && cause.code === "no-such-session") return id;
    throw cause;
  }
}
export const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
