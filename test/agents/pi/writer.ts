/** One session of the real package, spoken to by a story. Invariant: no network; every answer of the model is scripted. */
import type { Faux, FauxModel, FauxStep, Json, Pi, PiEntry, PiManager, PiSession } from "./pi-package.ts";

type Parts = {
  readonly pi: Pi & Faux;
  readonly faux: FauxModel;
  readonly session: PiSession;
};
export class Writer {
  readonly pi: Pi & Faux;
  readonly session: PiSession;
  readonly faux: FauxModel;
  #said = 0;

  constructor({ pi, faux, session }: Parts) {
    this.pi = pi;
    this.faux = faux;
    this.session = session;
  }
  get manager(): PiManager {
    return this.session.sessionManager;
  }
  /** Something that was not said before. */
  words(what: string): string {
    this.#said += 1;
    return `${what} ${this.#said}`;
  }
  /** A prompt and the answers of the model to it. */
  async ask(answers: readonly FauxStep[], options: Json = {}): Promise<void> {
    this.faux.setResponses(answers);
    await this.session.prompt(this.words("Question"), options);
  }
  answer(content?: unknown, options: Json = {}): Json {
    return this.pi.fauxAssistantMessage(content ?? this.words("Answer"), options);
  }
  calls(...tools: readonly (readonly [name: string, input: Json])[]): Json {
    const blocks = tools.map(([name, input]) => this.pi.fauxToolCall(name, input));
    return this.answer([this.pi.fauxText(this.words("I look")), ...blocks], { stopReason: "toolUse" });
  }
  /** An answer that is not given: the person stops it first. */
  readonly stopped: FauxStep = async (_, { signal }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    signal?.addEventListener("abort", () => resolve(), { once: true });
    const stopping = this.session.abort();
    await promise;
    stopping.catch(() => {}); // the run it ends says the same
    return this.answer("Too late");
  };
  /** Of the branch shown, oldest first. */
  messages(role: string): readonly PiEntry[] {
    return this.manager.getBranch().filter(({ type, message }) => type === "message" && Object(message).role === role);
  }
}

/** A tool that fails, one that writes into the session while it runs, one that a person stops. */
export const toolsOf = (parts: { readonly session: () => PiSession }): readonly Json[] => {
  const tool = (name: string, run: (text: string, signal: AbortSignal) => Promise<string> | string): Json => ({
    name,
    label: name,
    description: `Test tool ${name}`,
    parameters: { type: "object", properties: { text: { type: "string" } } },
    execute: async (_: string, { text = "" }: { text?: string }, signal: AbortSignal) => ({
      content: [{ type: "text", text: await run(text, signal) }],
      details: { tool: name },
    }),
  });
  return [
    tool("echo", (text) => text),
    tool("fail", (text) => {
      throw new TypeError(`It failed: ${text}`);
    }),
    tool("note", (text) => {
      const { sessionManager } = parts.session();
      sessionManager.appendCustomEntry("test.note", { text });
      const [first] = sessionManager.getBranch();
      if (first) sessionManager.appendLabelChange(first.id, text);
      return "noted";
    }),
    tool("wait", async (_, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => resolve(), { once: true });
      parts
        .session()
        .abort()
        .catch(() => {}); // the run it ends says the same
      await promise;
      return "stopped";
    }),
  ];
};
