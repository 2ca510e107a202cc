/** What the chat routes work with, and what they give to be written. */
import type { SessionHost } from "../../host/api.ts";
import { formatCursor, parseCursor } from "../../protocol/cursor.ts";
import type { Seq, SessionId } from "../../protocol/ids.ts";
import type { FileUrl } from "./chat-files.ts";
import type { Frame } from "./chat-frames.ts";
import type { OpenQuestions } from "./message-view.ts";
import type { ChatResponse } from "./response.ts";

export type ChatPorts = { readonly host: SessionHost; readonly fileUrl: FileUrl };
/** Frames that are known, then what a response makes of the events from a cursor on. */
export type Begun = {
  readonly sessionId: SessionId;
  readonly frames: readonly Frame[];
  readonly follow: { readonly response: ChatResponse; readonly from: string } | null;
};
export const onlyFrames = (sessionId: SessionId, frames: readonly Frame[]): Begun => ({
  sessionId,
  frames,
  follow: null,
});

export const seqOf = (cursor: string): Seq => parseCursor(cursor).seq;
/** The place a client says it is at, if it can be: in this journal, not before one place and not after the other. */
export function placeWithin(given: string | null, first: string, last: string): { seq: Seq; cursor: string } | null {
  const { store, session, seq: least } = parseCursor(first);
  const seq = given === null ? -1 : Number(given.slice(given.lastIndexOf(".") + 1));
  const isThere = Number.isSafeInteger(seq) && seq >= least && seq <= seqOf(last);
  return isThere && given === formatCursor({ store, session, seq }) ? { seq, cursor: given } : null;
}
/** As of now. Questions that come later are not known to be open, and are. */
export async function openQuestions({ host }: ChatPorts, sessionId: SessionId): Promise<OpenQuestions> {
  const cursor = await host.cursor(sessionId); // before the list: what is asked after it is new
  const open = await host.approvals({ sessionId, open: true });
  return { upTo: seqOf(cursor), open: new Set(open.map(({ id }) => id)) };
}
