/**
 * What a GET shows: the open turn from its first message on, and what follows it. A client may have missed the end of an
 * earlier message of the turn, and cannot say so: each of them is told whole.
 */
import { codeOf } from "../../protocol/errors.ts";
import type { Snapshot, StoredMessage } from "../../protocol/events.ts";
import type { SessionId, TurnId } from "../../protocol/ids.ts";
import { type Begun, type ChatPorts, seqOf } from "./begun.ts";
import { framesOf } from "./chat-frames.ts";
import { goesOn, ResumeResponse } from "./resume-response.ts";
import { storedChunks } from "./show-answer.ts";

/** Null: nothing is open and nothing will be by itself, or there is no such chat. `replay`: messages told again at most. */
export async function resumeChat(ports: ChatPorts, chatId: string, replay: number): Promise<Begun | null> {
  const snapshot = await snapshotOf(ports, chatId);
  if (snapshot === null) return null;
  const open = snapshot.open.filter(({ flow }) => flow === undefined);
  const isBusy = open.length > 0 || snapshot.turn !== null || snapshot.inputs.some(({ state }) => goesOn.has(state));
  if (!isBusy) return null;
  const { sessionId } = snapshot;
  const [first] = open;
  const turnId = first?.turnId ?? snapshot.turn?.id ?? null;
  const earlier = turnId === null ? [] : await closedBefore(ports, sessionId, { turnId, first, replay });
  const from = first === undefined ? null : ((await ports.host.chat(sessionId).message(first.id))?.cursor ?? null);
  const response = new ResumeResponse({
    sessionId,
    fileUrl: ports.fileUrl,
    questions: { upTo: seqOf(snapshot.cursor), open: new Set(snapshot.approvals.map(({ id }) => id)) },
    turns: [...open.map((message) => message.turnId), snapshot.turn?.id].filter((id) => id != null),
    inputs: snapshot.inputs,
    done: earlier.map(({ id }) => id),
    cursor: from ?? snapshot.cursor,
  });
  const frames = earlier.flatMap((message) => {
    const placed = { message, turn: null, cursor: null };
    return framesOf(storedChunks(ports, sessionId, placed, { inputId: null, has: 0 }), null);
  });
  return { sessionId, frames, follow: { response, from: from ?? snapshot.cursor } };
}
async function snapshotOf({ host }: ChatPorts, chatId: string): Promise<Snapshot | null> {
  try {
    return await host.snapshot(chatId);
  } catch (cause) {
    if (codeOf(cause, "") === "no-such-session") return null;
    throw cause;
  }
}

type Place = { readonly turnId: TurnId; readonly first: StoredMessage | undefined; readonly replay: number };

/** Of the turn, oldest first. */
async function closedBefore(
  { host }: ChatPorts,
  sessionId: SessionId,
  { turnId, first, replay }: Place,
): Promise<readonly StoredMessage[]> {
  const page = { limit: replay, ...(first === undefined ? {} : { before: first.id }) };
  const { messages } = await host.messages(sessionId, page);
  return messages.filter(
    (message) => message.turnId === turnId && message.role === "assistant" && message.status === "completed",
  );
}
