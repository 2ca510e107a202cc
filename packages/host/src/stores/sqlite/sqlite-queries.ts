/** The port's queries as reads of the store's thread. */
import type { Queries, SessionRows } from "../../ports/store.ts";
import type { FileId, SessionNo } from "../../protocol/ids.ts";
import type { MessageRow } from "../../protocol/rows.ts";
import { branchPageRows } from "../limits.ts";
import type { NamingPlace } from "./read-files.ts";
import type { StoreThread } from "./thread.ts";

export function sqliteQueries(thread: StoreThread): Queries {
  return {
    agents: () => thread.read("agents"),
    rules: () => thread.read("rules"),
    sessions: (q) => thread.read("sessions", q),
    session: (idOrExternal) => thread.read("session", idOrExternal),
    input: (session, id) => thread.read("input", session, id),
    clientInput: (session, clientId) => thread.read("clientInput", session, clientId),
    inputs: (session) => thread.read("inputs", session),
    turn: (session, id) => thread.read("turn", session, id),
    turns: (session, { limit }) => thread.read("turns", session, limit),
    turnReports: (session, ids) => thread.read("turnReports", session, ids),
    approval: (id) => thread.read("approval", id),
    approvals: (q) => thread.read("approvals", q),
    message: (session, id) => thread.read("message", session, id),
    placed: (session, id) => thread.read("placed", session, id),
    reply: (session, turn, after) => thread.read("reply", session, turn, after),
    branch: async (session, leaf) => rowsOf(thread, await thread.read("branch", session, leaf ?? null)),
    usage: (session) => thread.read("usage", session),
    turnUsage: (session, turn) => thread.read("turnUsage", session, turn),
    usageTotals: (q) => thread.read("usageTotals", q),
    rows: (session, kind) => pagesOf(thread, session, kind),
    file: (id) => thread.read("file", id),
    files: ({ before, after, limit }) => thread.read("files", before, after ?? null, limit),
    sameBytes: ({ hash, id }) => thread.read("sameBytes", hash, id),
    namedFiles: () => namedFiles(thread),
    processes: () => thread.read("processes"),
    setting: (key) => thread.read("setting", key),
  };
}

/** In pieces, so that a long history holds up neither commits nor the host's loop. */
async function rowsOf(thread: StoreThread, keys: readonly number[]): Promise<readonly MessageRow[]> {
  const rows: MessageRow[] = [];
  for (let at = 0; at < keys.length; at += branchPageRows)
    rows.push(...(await thread.read("messages", keys.slice(at, at + branchPageRows))));
  return rows;
}

async function* namedFiles(thread: StoreThread): AsyncGenerator<readonly FileId[]> {
  let place: NamingPlace | null = [0, 0];
  while (place !== null) {
    const { ids, next }: { ids: FileId[]; next: NamingPlace | null } = await thread.read("namedFiles", place);
    yield ids;
    place = next;
  }
}

async function* pagesOf<Kind extends keyof SessionRows>(
  thread: StoreThread,
  session: SessionNo,
  kind: Kind,
): AsyncGenerator<readonly SessionRows[Kind][]> {
  const keys = await thread.read("rowKeys", session, kind);
  for (let at = 0; at < keys.length; at += branchPageRows) {
    const rows: readonly unknown[] = await thread.read("rows", kind, keys.slice(at, at + branchPageRows));
    yield rows as readonly SessionRows[Kind][]; // of the kind that was asked for
  }
}
