/** What a POST means, decided from what it says and what is stored. Pure: nothing is asked, nothing is done. */
import { createHash } from "node:crypto";
import type { StoredMessage } from "../../protocol/events.ts";
import type { InputId, MessageId } from "../../protocol/ids.ts";
import type { InputRow } from "../../protocol/rows.ts";
import type { ChatPost, UserMessage } from "./chat-post.ts";
import { hashOf } from "./parts-hash.ts";

/** What an id of a client names. `message`: the user message as it is stored, once it is; `input`: the newest for it. */
export type Known = {
  readonly input: InputRow | null;
  readonly message: Pick<StoredMessage, "id" | "parts"> | null;
};
export type Facts = {
  /** What the id of the last message names. */
  readonly said: Known | null;
  /** The user message that `messageId` names or whose answer it names, when that is not the last message. */
  readonly named: Known | null;
};
export type Meaning =
  /** A new input at the end of the conversation. */
  | { readonly do: "submit"; readonly inputId: InputId }
  /** A new input in the place of a stored message, which is left behind with all that follows it. */
  | { readonly do: "replace"; readonly inputId: InputId; readonly before: MessageId }
  /** Other words for an input that has not begun. */
  | { readonly do: "reword"; readonly inputId: InputId }
  /** The stored message is answered once more. */
  | { readonly do: "again"; readonly inputId: InputId; readonly at: MessageId }
  /** It is known: its answer is told, whatever there is of it. */
  | { readonly do: "follow"; readonly inputId: InputId }
  /** It waits for a person to let it go on, who just did. */
  | { readonly do: "release"; readonly inputId: InputId }
  | { readonly do: "refuse"; readonly why: "conflict" | "nothing-to-answer" };

export function meaningOf(post: ChatPost, { said, named }: Facts): Meaning {
  const { message, messageId, trigger } = post;
  if (message.role === "assistant") {
    const isAgain = trigger === "regenerate-message" && named !== null;
    return isAgain ? again(named) : { do: "refuse", why: "nothing-to-answer" };
  }
  if (said === null)
    return named === null || trigger === "regenerate-message"
      ? { do: "submit", inputId: message.id }
      : replace(named, message, message.id);
  if (!isSame(message, said))
    return messageId === message.id ? replace(said, message, null) : { do: "refuse", why: "conflict" };
  return trigger === "regenerate-message" ? regenerate(said, message) : repeat(said, message);
}

/** The same message came before. */
function repeat(known: Known, message: UserMessage): Meaning {
  const { input } = known;
  if (input === null) return again(known);
  if (input.state === "unanswered") return known.message === null ? anew(known, message) : again(known);
  return { do: "follow", inputId: input.id };
}
function regenerate(known: Known, message: UserMessage): Meaning {
  const { input } = known;
  if (input?.state === "held") return { do: "release", inputId: input.id };
  if (input?.state === "queued" || input?.state === "offered") return { do: "follow", inputId: input.id };
  return known.message === null ? anew(known, message) : again(known);
}
function again(known: Known): Meaning {
  if (known.message === null) return { do: "refuse", why: "nothing-to-answer" };
  return { do: "again", inputId: nextId("again", known, ""), at: known.message.id };
}
/** `inputId`: null when the client's id is taken by what it replaces. */
function replace(known: Known, message: UserMessage, inputId: InputId | null): Meaning {
  if (known.message !== null)
    return { do: "replace", inputId: inputId ?? nextId("edit", known, message.hash), before: known.message.id };
  return known.input?.state === "cancelled" || known.input === null
    ? anew(known, message)
    : { do: "reword", inputId: known.input.id };
}
/** What came before left nothing behind. */
const anew = (known: Known, message: UserMessage): Meaning => ({
  do: "submit",
  inputId: nextId("new", known, message.hash),
});

/** The same for a POST that comes twice, another once its input is stored: no chance, so no double. */
function nextId(what: string, { input, message }: Known, hash: string): InputId {
  const name = JSON.stringify([what, input?.id ?? null, message?.id ?? null, hash]);
  return `inp_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

// --- bodies -------------------------------------------------------------------------------------------------------

/** As it was sent before, or as it is stored: a page that was loaded again has it from there. */
function isSame({ hash }: UserMessage, { input, message }: Known): boolean {
  return input?.input.client?.hash === hash || hash === hashOf(message?.parts ?? input?.input.parts ?? []);
}
