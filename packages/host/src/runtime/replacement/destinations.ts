/**
 * Where a replacement goes, checked before anything of the present session is touched. Invariant: what had to be stored
 * for it is taken back by `undo`.
 */
import { isAbsolute } from "node:path";
import { MooringError, type SessionHost } from "../../index.ts";
import { MissingSessionCwdError } from "../errors.ts";
import type { ForkPosition } from "../extensions/types.ts";
import type { RuntimeHost } from "../hosting/runtime-host.ts";
import { readSessionFile } from "../jsonl/read-session-file.ts";
import { rowsOfFile } from "../jsonl/rows-of-file.ts";
import { type AgentOptions, chooseAgent } from "../services/agent-choice.ts";
import type { AgentSessionServices } from "../services/create-services.ts";
import type { AgentSession } from "../session/agent-session.ts";
import { textOf } from "../session/user-parts.ts";
import { Draft } from "../stored/draft.ts";
import { isDirectory, resolveSession } from "../stored/resolve-session.ts";
import { SessionManager } from "../stored/session-manager.ts";

export type Destination = {
  readonly manager: SessionManager;
  readonly cwd: string;
  readonly undo?: () => Promise<void>;
};
type Where = {
  readonly fallbackCwd: string;
  readonly cwdOverride: string | undefined;
  readonly services: AgentSessionServices;
  readonly agent: AgentOptions;
};
const taken = (host: SessionHost, id: string) => (): Promise<void> => host.remove(id);

/** A session file is read in once; after that its session is the store's. */
export async function switchDestination(host: RuntimeHost, reference: string, where: Where): Promise<Destination> {
  if (isAbsolute(reference)) return fileDestination(host, reference, where);
  const { cwdOverride } = where;
  const manager = SessionManager.open(reference);
  try {
    await resolveSession(host, manager, where.fallbackCwd);
    if (cwdOverride === undefined || cwdOverride === manager.getCwd()) return { manager, cwd: manager.getCwd() };
  } catch (cause) {
    if (!(cause instanceof MissingSessionCwdError) || cwdOverride === undefined) throw cause;
  }
  return movedDestination(host.stored, reference, cwdOverride);
}
async function fileDestination(host: RuntimeHost, path: string, where: Where): Promise<Destination> {
  const { header } = await readSessionFile(path);
  if (await isKnown(host.stored, header.id)) return switchDestination(host, header.id, where);
  return importDestination(host, path, { ...where, where: "stored" });
}
/** Where a session works cannot change: it goes on as a copy. */
async function movedDestination(host: SessionHost, id: string, cwd: string): Promise<Destination> {
  const { agentId } = await host.get(id);
  const made = await host.import({ document: await host.export(id, "json"), agent: agentId, workspace: cwd });
  return { manager: SessionManager.open(made.id), cwd, undo: taken(host, made.id) };
}

export async function importDestination(
  runtimeHost: RuntimeHost,
  path: string,
  { fallbackCwd, cwdOverride, services, agent: wanted, where }: Where & { readonly where: "stored" | "memory" },
): Promise<Destination> {
  const file = await readSessionFile(path);
  const cwd = cwdOverride ?? file.header.cwd ?? fallbackCwd;
  if (!(await isDirectory(cwd))) throw new MissingSessionCwdError({ sessionFile: path, sessionCwd: cwd, fallbackCwd });
  const host = where === "stored" ? runtimeHost.stored : await runtimeHost.memory();
  const { agent, fallback } = await chooseAgent(host, services, wanted);
  if (agent === null) throw new MooringError("no-model", fallback ?? "No model is usable.");
  const draft = new Draft();
  const { rows, leaf, name } = rowsOfFile(file);
  draft.take(rows, leaf);
  const id = await freeId(host, file.header.id);
  const made = await host.import({ document: draft.document(name), agent, workspace: cwd, id });
  return { manager: SessionManager.open(made.id, { where }), cwd, undo: taken(host, made.id) };
}
/** The file's own id; with `-1`, `-2` and so on when there is such a session. */
async function freeId(host: SessionHost, wanted: string): Promise<string> {
  const base = /^[A-Za-z0-9._-]{1,120}$/.test(wanted) && !wanted.startsWith("ses_") ? wanted : "imported";
  for (let n = 0; ; n++) {
    const id = n === 0 ? base : `${base}-${n}`;
    if (!(await isKnown(host, id))) return id;
  }
}
async function isKnown(host: SessionHost, id: string): Promise<boolean> {
  try {
    await host.get(id);
    return true;
  } catch (cause) {
    if (MooringError.isInstance(cause) && cause.code === "no-such-session") return false;
    throw cause;
  }
}

/** `text`: of the user message it ends before. */
export async function forkDestination(
  session: AgentSession,
  entryId: string,
  position: ForkPosition,
): Promise<Destination & { readonly text: string | undefined }> {
  const { host, hostedId, sessionManager } = session;
  if (hostedId === null)
    throw new MooringError("not-stored-yet", "The session has not been saved yet. Send a message first.");
  const { rows } = await host.tree.read(hostedId);
  const row = rows.find(({ id }) => id === entryId);
  if (row === undefined || (position === "before" && (row.kind !== "message" || row.role !== "user")))
    throw new MooringError(
      "invalid-entry",
      "Invalid entry ID for forking: name a user message, or an entry to fork at.",
      {
        detail: { entryId },
      },
    );
  await session.abort();
  const made = await host.fork(hostedId, { messageId: entryId, position });
  const where = sessionManager.isPersisted() ? "stored" : "memory";
  const manager = SessionManager.open(made.id, { where, parentSession: session.sessionId });
  return {
    manager,
    cwd: session.cwd,
    undo: taken(host, made.id),
    text: position === "before" ? textOf(row.parts) : undefined,
  };
}
