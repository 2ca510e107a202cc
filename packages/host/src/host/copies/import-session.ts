/**
 * Makes a session of an exported one, for an agent and in a workspace of this host. Invariants: the document decides
 * nothing about what may happen here: not the permission mode, not the directory, not a native session to continue; the
 * session and everything in it are one transaction.
 */
import type { Write } from "../../ports/store.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import type { ImportSource } from "../api.ts";
import { createSession } from "../calls/new-session.ts";
import { cutTitle } from "../calls/title.ts";
import type { Workspaces } from "../calls/workspaces.ts";
import { driverOf } from "../connections/session-config.ts";
import type { HostContext } from "../host-context.ts";
import type { Found } from "../sessions/sessions.ts";
import { toldTranscript } from "./fork-session.ts";
import { importedRows } from "./imported-rows.ts";
import { readDocument } from "./read-document.ts";

/** Rejects with `bad-export`, `import-too-large`, and as the creation of a session does. */
export async function importSession(
  context: HostContext,
  workspaces: Workspaces,
  { document: text, ...given }: ImportSource,
): Promise<Found> {
  if (typeof text !== "string")
    throw new MooringError("bad-export", "Give the text of the document.", { detail: { field: "document" } });
  const document = await readDocument(text, context.limits.importBytes);
  const { title: before } = document.session;
  const title = given.title ?? (before === null ? null : cutTitle(before));
  const session = { ...given, ...(title === null ? {} : { title }) };
  return createSession(context, workspaces, session, (row) => {
    const { leaf, writes } = importedRows(document, row.id, context.ids);
    return [...writes, { write: "session", set: { leaf } }, ...noticeFor(context, row, leaf)];
  });
}
function noticeFor(context: HostContext, { id, driver, createdAt }: SessionRow, leaf: string | null): readonly Write[] {
  const isTold = leaf !== null && driverOf(context, driver).capabilities.history === "native";
  return isTold ? [toldTranscript(id, createdAt)] : [];
}
