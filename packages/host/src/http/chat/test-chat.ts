/**
 * Chat clients for tests: the chat class and the transport of both versions of `ai`, as they are, over real HTTP. The
 * state is a list, kept as `@ai-sdk/react` keeps it.
 */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import * as ai7 from "ai";
import * as ai6 from "ai6";
import type { SessionHost } from "../../host/api.ts";
import type { Clock } from "../../ports/clock.ts";
import type { UIMessage } from "../../protocol/chunks.ts";
import type { StoredMessage } from "../../protocol/events.ts";
import { createHandler } from "../create-handler.ts";
import type { HttpLimits } from "../limits.ts";

export type Said = { readonly type: string; readonly data: unknown };
/** What tests use of a chat, whichever version it is of. */
export type TestChat = {
  readonly id: string;
  readonly messages: UIMessage[];
  readonly status: string;
  readonly error: Error | undefined;
  /** Data parts, transient ones too, in the order they came. */
  readonly data: Said[];
  /** Resolves when the condition holds, which is looked at after each change. */
  until(holds: (chat: TestChat) => boolean): Promise<void>;
  send(text: string, over?: { readonly id?: string; readonly parts?: UIMessage["parts"] }): Promise<void>;
  edit(messageId: string, text: string): Promise<void>;
  /** Sends the last message again as it is, with its answered questions. */
  sendAnswers(): Promise<void>;
  regenerate(messageId?: string): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
  answer(approvalId: string, approved: boolean, reason?: string): Promise<void>;
};
export type ChatInit = {
  readonly url: string;
  readonly id?: string;
  readonly messages?: readonly UIMessage[];
  /** Sends answers once all questions have one. */
  readonly auto?: boolean;
  readonly fetch?: typeof fetch;
  /** Beside the token. */
  readonly headers?: Readonly<Record<string, string>>;
};
export type Version = { readonly name: string; readonly chat: (init: ChatInit) => TestChat };

class ListState<Message> {
  #status: "submitted" | "streaming" | "ready" | "error" = "ready";
  error: Error | undefined = undefined;
  messages: Message[];
  readonly #changed: () => void;

  constructor(messages: Message[], changed: () => void) {
    this.messages = messages;
    this.#changed = changed;
  }
  get status() {
    return this.#status;
  }
  set status(status) {
    this.#status = status;
    this.#changed();
  }
  pushMessage = (message: Message): void => {
    this.messages = [...this.messages, message];
    this.#changed();
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: Message): void => {
    this.messages = this.messages.with(index, this.snapshot(message));
    this.#changed();
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);
}
class Watch {
  #waiting: (() => void)[] = [];

  readonly changed = (): void => {
    for (const wake of this.#waiting.splice(0)) wake();
  };
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
class Chat7 extends ai7.AbstractChat<ai7.UIMessage> {}
class Chat6 extends ai6.AbstractChat<ai6.UIMessage> {}

/** The two classes have the methods used here in common; their types of messages differ in what 6 does not know. */
type Common = Pick<
  Chat7,
  | "id"
  | "messages"
  | "status"
  | "error"
  | "sendMessage"
  | "regenerate"
  | "resumeStream"
  | "stop"
  | "addToolApprovalResponse"
>;

function testChat(make: (watch: Watch, onData: (part: Said) => void) => Common): TestChat {
  const watch = new Watch();
  const data: Said[] = [];
  const common = make(watch, (part) => {
    data.push(part);
    watch.changed();
  });
  const after = async (done: Promise<void>): Promise<void> => {
    await done;
    watch.changed();
  };
  const chat: TestChat = {
    get id() {
      return common.id;
    },
    get messages() {
      return common.messages as UIMessage[];
    },
    get status() {
      return common.status;
    },
    get error() {
      return common.error;
    },
    data,
    until: (holds) => watch.until(() => holds(chat)),
    send: (text, { id, parts } = {}) => {
      const said = parts ?? [{ type: "text", text }];
      return after(common.sendMessage({ ...(id === undefined ? {} : { id }), role: "user", parts: said } as never));
    },
    edit: (messageId, text) => after(common.sendMessage({ text, messageId })),
    sendAnswers: () => after(common.sendMessage()),
    regenerate: (messageId) => after(common.regenerate(messageId === undefined ? {} : { messageId })),
    resume: () => after(common.resumeStream()),
    stop: () => after(common.stop()),
    answer: async (id, approved, reason) => {
      await common.addToolApprovalResponse({ id, approved, ...(reason === undefined ? {} : { reason }) });
    },
  };
  return chat;
}
const seven = ({ url, id, messages = [], auto = false, fetch, headers = {} }: ChatInit): TestChat =>
  testChat(
    (watch, onData) =>
      new Chat7({
        ...(id === undefined ? {} : { id }),
        state: new ListState(structuredClone([...messages]) as ai7.UIMessage[], watch.changed),
        transport: new ai7.DefaultChatTransport({
          api: url,
          headers: { ...authorized, ...headers },
          ...(fetch === undefined ? {} : { fetch }),
        }),
        onData,
        ...(auto ? { sendAutomaticallyWhen: ai7.lastAssistantMessageIsCompleteWithApprovalResponses } : {}),
      }),
  );
const six = ({ url, id, messages = [], auto = false, fetch, headers = {} }: ChatInit): TestChat =>
  testChat(
    (watch, onData) =>
      new Chat6({
        ...(id === undefined ? {} : { id }),
        state: new ListState(structuredClone([...messages]) as ai6.UIMessage[], watch.changed),
        transport: new ai6.DefaultChatTransport({
          api: url,
          headers: { ...authorized, ...headers },
          ...(fetch === undefined ? {} : { fetch }),
        }),
        onData,
        ...(auto ? { sendAutomaticallyWhen: ai6.lastAssistantMessageIsCompleteWithApprovalResponses } : {}),
      }) as unknown as Common,
  );
export const versions: readonly Version[] = [
  { name: "ai 7", chat: seven },
  { name: "ai 6", chat: six },
];

// --- a server -----------------------------------------------------------------------------------------------------

export type ChatServer = {
  /** Of the chat routes. */
  readonly url: string;
  close(): Promise<void>;
};
type ServerOptions = { readonly clock?: Clock; readonly limits?: Partial<HttpLimits> };

const token = "a-token-of-the-tests";
export const allowedOrigin = "https://app.example";
/** What every request needs. */
export const authorized = { authorization: `Bearer ${token}` };

/** The whole handler, listening on a port of its own. */
export async function chatServer(host: SessionHost, options: ServerOptions = {}): Promise<ChatServer> {
  const auth = { token, name: "tester" };
  const handler = createHandler(host, { auth, allowedOrigins: [allowedOrigin], ...options });
  const listening = Promise.withResolvers<AddressInfo>();
  const server = serve(
    { fetch: (request, env) => handler.fetch(request, env), port: 0, hostname: "127.0.0.1" },
    listening.resolve,
  );
  const { port } = await listening.promise;
  return {
    url: `http://127.0.0.1:${port}/api/chat`,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      handler.close();
      server.close(() => closed.resolve());
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed.promise;
    },
  };
}

// --- comparing ----------------------------------------------------------------------------------------------------

/** A list of messages as both sides have it: what a client adds for itself, or 6 is never told, left out. */
export const shown = (messages: readonly UIMessage[]): unknown =>
  JSON.parse(JSON.stringify(messages.map(({ id, role, parts }) => ({ id, role, parts: parts.map(bare) }))));
export const stored = (messages: readonly StoredMessage[]): unknown => shown(messages.map(asSeen));
/** A user's message goes by the id its client gave it. */
function asSeen(message: StoredMessage): UIMessage {
  const { metadata } = message;
  const isNamed = typeof metadata === "object" && metadata !== null && "clientId" in metadata;
  return { ...message, id: isNamed && message.role === "user" ? String(metadata.clientId) : message.id };
}
function bare(part: UIMessage["parts"][number]): unknown {
  const { approval: _, ...rest } = { approval: null, ...part };
  return "url" in rest && typeof rest.url === "string" && part.type === "file"
    ? { ...rest, url: "", filename: "" }
    : rest;
}
export const textsOf = (messages: readonly UIMessage[]): string[] =>
  messages.map(
    ({ role, parts }) =>
      `${role === "user" ? "U" : "A"}:${parts.map((part) => (part.type === "text" ? part.text : "")).join("")}`,
  );
export const metadataOf = (message: UIMessage | undefined): Readonly<Record<string, string>> =>
  (message?.metadata ?? {}) as Readonly<Record<string, string>>;
