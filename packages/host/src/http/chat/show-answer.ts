/**
 * Shows the answer to an input, or a message, whatever there is of it. Invariant: the place in the journal is taken
 * before what is read beside it, so nothing falls between the two.
 */
import type { PlacedMessage } from "../../host/api.ts";
import type { InputId, SessionId } from "../../protocol/ids.ts";
import { endedInputStates } from "../../protocol/input.ts";
import type { InputRow } from "../../protocol/rows.ts";
import { AnswerResponse, type Shown } from "./answer-response.ts";
import { type Begun, type ChatPorts, onlyFrames, openQuestions } from "./begun.ts";
import { type Frame, framesOf } from "./chat-frames.ts";
import { endOf, finish, startOf } from "./response.ts";
import { chunksBehind, chunksOf } from "./stored-chunks.ts";
import { WaitingInput } from "./waiting-input.ts";

type Chunks = readonly Frame["chunk"][];

/** `from`: a cursor taken before the input was last looked at. */
export async function showAnswer(
  ports: ChatPorts,
  sessionId: SessionId,
  inputId: InputId,
  from: string,
): Promise<Begun> {
  const { host, fileUrl } = ports;
  const row = await host.inputs(sessionId).get(inputId);
  const reply = await host.chat(sessionId).reply(inputId);
  if (reply !== null) return showMessage(ports, sessionId, reply, { inputId, shown: null });
  const waiting = new WaitingInput(row, await host.inputs(sessionId).list());
  if (endedInputStates.includes(row.state)) return onlyFrames(sessionId, framesOf(endChunks(row, waiting), null));
  const questions = await openQuestions(ports, sessionId);
  const to = { kind: "input", waiting } as const;
  return {
    sessionId,
    frames: [],
    follow: { response: new AnswerResponse({ sessionId, fileUrl, questions, to, cursor: from }), from },
  };
}
/** It ended without a message of its own: withdrawn, or answered together with another. */
function endChunks({ state }: InputRow, { place }: WaitingInput): Chunks {
  const told: Chunks = [{ type: "data-input", transient: true, data: place }];
  if (state === "answered") return told;
  return [...told, { type: "abort", reason: state === "cancelled" ? "cancelled" : "unanswered" }];
}

type Showing = { readonly inputId: InputId | null; readonly shown: Shown | null };

/** `shown`: how far the client has it. */
export async function showMessage(
  ports: ChatPorts,
  sessionId: SessionId,
  placed: PlacedMessage,
  { inputId, shown }: Showing,
): Promise<Begun> {
  const { message, cursor } = placed;
  if (cursor === null || (message.status !== "open" && shown === null))
    return onlyFrames(sessionId, framesOf(storedChunks(ports, sessionId, placed, { inputId, has: 0 }), null));
  const to = { kind: "message", messageId: message.id, turnId: message.turnId, inputId, shown } as const;
  const questions = await openQuestions(ports, sessionId);
  const response = new AnswerResponse({ sessionId, fileUrl: ports.fileUrl, questions, to, cursor });
  return { sessionId, frames: [], follow: { response, from: cursor } };
}

type Stored = { readonly inputId: InputId | null; readonly has: number };

/** A closed message. `has`: how many of its parts the client has. */
export function storedChunks(
  { fileUrl }: ChatPorts,
  sessionId: SessionId,
  { message, turn }: PlacedMessage,
  { inputId, has }: Stored,
): Chunks {
  const { id, turnId, status } = message;
  const metadata = {
    sessionId,
    ...(turnId === null ? {} : { turnId }),
    ...(inputId === null ? {} : { inputId }),
  };
  const parts = has === 0 ? chunksOf(message, fileUrl) : chunksBehind(message, has, fileUrl);
  const told = turn?.message == null ? {} : { error: { code: turn.reason ?? "", message: turn.message } };
  return [
    startOf(id, metadata),
    ...parts,
    status === "open" || status === "completed" ? finish : endOf({ outcome: status, ...told }),
  ];
}
