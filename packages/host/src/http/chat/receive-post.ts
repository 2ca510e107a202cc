/** Carries out what a POST means, and shows what comes of it. */
import type { SessionView } from "../../host/api.ts";
import { codeOf, MooringError } from "../../protocol/errors.ts";
import type { MessageId } from "../../protocol/ids.ts";
import type { InputRow } from "../../protocol/rows.ts";
import { httpError } from "../problem.ts";
import { answerQuestions } from "./answer-questions.ts";
import { type Begun, type ChatPorts, onlyFrames } from "./begun.ts";
import { framesOf } from "./chat-frames.ts";
import type { ChatPost, UserMessage } from "./chat-post.ts";
import { type Facts, type Known, type Meaning, meaningOf } from "./meaning.ts";
import { showAnswer } from "./show-answer.ts";

/** `by`: who asks. Rejects with what the host refuses, and with `conflict` or `bad-request`. */
export async function receivePost(ports: ChatPorts, post: ChatPost, by: string | null): Promise<Begun> {
  const { message } = post;
  const session = await found(ports, post.chatId);
  if (message.role === "assistant" && message.answers.length > 0) {
    if (session === null) throw noSuchChat(post.chatId);
    return answerQuestions(ports, session.id, { message, by });
  }
  const facts = session === null ? { said: null, named: null } : await factsOf(ports, session.id, post);
  const meaning = meaningOf(post, facts);
  if (meaning.do === "refuse") throw refusal(meaning.why, post);
  const { id } = session ?? (await created(ports, post.chatId));
  return carryOut(ports, id, { meaning, message: message.role === "user" ? message : null, by });
}

// --- the session --------------------------------------------------------------------------------------------------

async function found({ host }: ChatPorts, chatId: string): Promise<SessionView | null> {
  try {
    return await host.get(chatId);
  } catch (cause) {
    if (codeOf(cause, "") === "no-such-session" && !chatId.startsWith("ses_")) return null;
    throw cause;
  }
}
/** The first message makes the chat; of two that come at once, one does. */
async function created(ports: ChatPorts, chatId: string): Promise<SessionView> {
  try {
    return await ports.host.create({ id: chatId });
  } catch (cause) {
    const other = codeOf(cause, "") === "session-exists" ? await found(ports, chatId) : null;
    if (other !== null) return other;
    throw cause;
  }
}
const noSuchChat = (chatId: string): MooringError =>
  new MooringError("no-such-session", `There is no chat "${chatId}".`, { detail: { session: chatId } });

// --- what is known ------------------------------------------------------------------------------------------------

async function factsOf(ports: ChatPorts, sessionId: string, { message, messageId }: ChatPost): Promise<Facts> {
  const isOther = messageId !== null && messageId !== message.id;
  const [said, named] = await Promise.all([
    message.role === "user" ? known(ports, sessionId, message.id) : null,
    isOther ? knownOrAnswered(ports, sessionId, messageId) : null,
  ]);
  return { said, named };
}
async function known({ host }: ChatPorts, sessionId: string, id: string): Promise<Known | null> {
  const chat = host.chat(sessionId);
  const input = await chat.input(id);
  const place = input === null ? id : messageOf(input);
  const placed = place === null ? null : await chat.message(place);
  const message = placed?.message.role === "user" ? placed.message : null;
  if (input !== null) return { input, message };
  if (message === null) return null;
  return { input: message.inputId === null ? null : await chat.input(message.inputId), message };
}
/** The user message an input stands for: its own, or the one it answers again. */
function messageOf({ messageId, input: { branch, parts } }: InputRow): MessageId | null {
  return messageId ?? (branch?.position === "at" && parts.length === 0 ? branch.messageId : null);
}
/** The user message with this id, or the one that the assistant's message with this id answers. */
async function knownOrAnswered(ports: ChatPorts, sessionId: string, id: string): Promise<Known | null> {
  const direct = await known(ports, sessionId, id);
  if (direct !== null) return direct;
  const parent = (await ports.host.chat(sessionId).message(id))?.message.parentId;
  return parent == null ? null : known(ports, sessionId, parent);
}

// --- what to do ---------------------------------------------------------------------------------------------------

type Order = {
  readonly meaning: Exclude<Meaning, { do: "refuse" }>;
  /** Null: it names a message to answer again. */
  readonly message: UserMessage | null;
  readonly by: string | null;
};

async function carryOut(ports: ChatPorts, id: string, order: Order): Promise<Begun> {
  const { host } = ports;
  const { meaning, message } = order;
  const before = await host.cursor(id);
  switch (meaning.do) {
    case "submit":
    case "replace":
    case "again":
      return submitted(ports, id, order, meaning);
    case "reword":
      await host.inputs(id).edit(meaning.inputId, message?.parts ?? []);
      break;
    case "release":
      await host.inputs(id).release(meaning.inputId);
      break;
    case "follow":
  }
  return showAnswer(ports, id, meaning.inputId, before);
}
type Submitting = Extract<Meaning, { do: "submit" | "replace" | "again" }>;

async function submitted(ports: ChatPorts, id: string, { message, by }: Order, meaning: Submitting): Promise<Begun> {
  const { inputId } = meaning;
  const {
    inputId: made,
    state,
    cursor,
  } = await ports.host.submit(id, {
    id: inputId,
    client: { id: message?.id ?? named(meaning), hash: message?.hash ?? "" },
    ...(by === null ? {} : { author: by }),
    ...(meaning.do === "again" ? { parts: [] } : { parts: message?.parts ?? [] }),
    ...(meaning.do === "submit" ? {} : { branch: branchOf(meaning), delivery: "reject" }),
  });
  if (state === "handled") {
    const data = { inputId: made, state, position: null };
    return onlyFrames(id, framesOf([{ type: "data-input", transient: true, data }], cursor));
  }
  return showAnswer(ports, id, inputId, cursor);
}
/** A message to answer again that the client did not send goes by its stored id. */
const named = (meaning: Submitting): string => (meaning.do === "again" ? meaning.at : meaning.inputId);
const branchOf = (meaning: Exclude<Submitting, { do: "submit" }>) =>
  meaning.do === "again"
    ? ({ messageId: meaning.at, position: "at" } as const)
    : ({ messageId: meaning.before, position: "before" } as const);

function refusal(why: Extract<Meaning, { do: "refuse" }>["why"], { message }: ChatPost): MooringError {
  if (why === "conflict")
    return httpError(
      "conflict",
      `A message "${message.id}" with another body is stored already. To edit it, send its id as messageId; else use a new id.`,
      { messageId: message.id },
    );
  return httpError("bad-request", "The last message asks for nothing: it is an assistant's without answers.", {
    field: "messages",
  });
}
