/**
 * Answers that a client gives by sending the assistant's message again. Who comes too late is shown what another decided:
 * for a chat client that is no error. Invariant: a question of another session is unknown here.
 */
import type { PlacedMessage } from "../../host/api.ts";
import { codeOf, MooringError } from "../../protocol/errors.ts";
import type { ApprovalRow } from "../../protocol/rows.ts";
import { type Begun, type ChatPorts, onlyFrames, placeWithin, seqOf } from "./begun.ts";
import { framesOf } from "./chat-frames.ts";
import type { ApprovalAnswer, AssistantMessage } from "./chat-post.ts";
import { showMessage, storedChunks } from "./show-answer.ts";

type Given = { readonly message: AssistantMessage; readonly by: string | null };

/** Rejects with `no-such-message` or `no-such-approval` before anything is decided. */
export async function answerQuestions(ports: ChatPorts, sessionId: string, { message, by }: Given): Promise<Begun> {
  const chat = ports.host.chat(sessionId);
  const placed = await chat.message(message.id);
  if (placed?.message.role !== "assistant") throw noSuchMessage(message.id);
  const asked = await Promise.all(message.answers.map(({ id }) => chat.approval(id)));
  for (const [at, { id }] of message.answers.entries()) if (asked[at] == null) throw noSuchApproval(id);
  for (const [at, answer] of message.answers.entries()) await answerOne(ports, asked[at] ?? null, answer, by);
  return goOn(ports, sessionId, placed, message);
}
/** Another was faster, or what asked is over: the message shows it. */
const tooLate: ReadonlySet<string> = new Set(["approval-conflict", "approval-ended", "not-open"]);

async function answerOne(
  { host }: ChatPorts,
  asked: ApprovalRow | null,
  { id, decision, reason }: ApprovalAnswer,
  by: string | null,
): Promise<void> {
  if (asked?.how !== null) return;
  try {
    await host.answer(id, { decision, ...(reason === null ? {} : { reason }), ...(by === null ? {} : { by }) });
  } catch (cause) {
    if (!tooLate.has(codeOf(cause, ""))) throw cause;
  }
}

/** The same message, from where the client has it. */
async function goOn(
  ports: ChatPorts,
  sessionId: string,
  placed: PlacedMessage,
  message: AssistantMessage,
): Promise<Begun> {
  const inputId = placed.turn?.inputId ?? null;
  if (placed.cursor === null) {
    const chunks = storedChunks(ports, sessionId, placed, { inputId, has: message.parts });
    return onlyFrames(sessionId, framesOf(chunks, null));
  }
  const now = await ports.host.cursor(sessionId);
  const at = placeWithin(message.cursor, placed.cursor, now);
  const shown =
    at === null
      ? { upTo: seqOf(now), cursor: null, asking: [...message.answers.map(({ id }) => id), ...message.asking] }
      : { upTo: at.seq, cursor: at.cursor, asking: null };
  return showMessage(ports, sessionId, placed, { inputId, shown });
}

const noSuchMessage = (id: string): MooringError =>
  new MooringError("no-such-message", `There is no assistant message "${id}" in this session.`, {
    detail: { message: id },
  });
const noSuchApproval = (id: string): MooringError =>
  new MooringError("no-such-approval", `There is no approval "${id}" in this session.`, { detail: { approval: id } });
