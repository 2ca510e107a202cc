/** Whatever happens when, and wherever connections break: a chat client ends with the messages that are stored. */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { SessionHost } from "../../host/api.ts";
import type { UIMessage } from "../../protocol/chunks.ts";
import { type Fold, foldChunk, snapshot, startFold } from "../../protocol/fold.ts";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { type TestHost, testHost } from "../../testing/test-host.ts";
import {
  type ChatServer,
  chatServer,
  shown,
  stored,
  type TestChat,
  textsOf,
  type Version,
  versions,
} from "./test-chat.ts";

let world: TestHost;
let server: ChatServer;
afterEach(async () => {
  await server.close();
  await world.end();
});
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A chat whose network breaks when it is told to, and an agent that talks on. */
class Play {
  readonly chat: TestChat;
  readonly #cut = { now: new AbortController() };
  #agent: FakeConnection | null = null;
  #turnId = "";
  #parts = 0;
  #openText: string | null = null;
  #offered: string[] = [];
  #marks = 0;
  #isAttached = true;
  /** Requests of the chat; they fail with the network, which the chat tells as its error. */
  readonly #asked: Promise<void>[] = [];

  constructor(version: Version, id: string) {
    const broken: typeof fetch = (url, init) => {
      const signals = [this.#cut.now.signal, ...(init?.signal ? [init.signal] : [])];
      return fetch(url, { ...init, signal: AbortSignal.any(signals) });
    };
    this.chat = version.chat({ url: server.url, id, fetch: broken });
  }
  get #now(): FakeConnection {
    if (this.#agent === null) throw new TypeError("begin first");
    return this.#agent;
  }
  async begin(): Promise<void> {
    this.#asked.push(this.chat.send("begin"));
    this.#agent = await world.driver.connections.next();
    this.#turnId = (await this.#agent.sends.next()).turnId;
  }
  async step(kind: number): Promise<void> {
    switch (kind % 8) {
      case 0:
        return this.#text();
      case 1:
        return this.#tool();
      case 2:
        return this.#steer();
      case 3:
        return this.boundary();
      case 4:
      case 5:
        return this.cut();
      case 6:
        return this.#attach();
      default:
        await tick();
    }
  }
  /** Begins a text, goes on with it, or ends it. */
  #text(): void {
    const id = this.#openText;
    if (id === null) {
      this.#openText = `t${++this.#parts}`;
      this.#chunk({ type: "text-start", id: this.#openText });
      this.#chunk({ type: "text-delta", id: this.#openText, delta: `<${this.#parts}` });
    } else if (this.#parts++ % 3 === 0) {
      this.#chunk({ type: "text-end", id });
      this.#openText = null;
    } else this.#chunk({ type: "text-delta", id, delta: `.${this.#parts}` });
  }
  #tool(): void {
    const toolCallId = `c${++this.#parts}`;
    this.#chunk({ type: "start-step" });
    this.#chunk({ type: "tool-input-start", toolCallId, toolName: "bash" });
    this.#chunk({ type: "tool-input-delta", toolCallId, inputTextDelta: '{"command":"ls' });
    this.#chunk({ type: "tool-input-available", toolCallId, toolName: "bash", input: { command: "ls" } });
    this.#chunk({ type: "tool-output-available", toolCallId, output: { n: this.#parts } });
    this.#chunk({ type: "finish-step" });
    this.#openText = null;
  }
  /** A client knows where its message stands only while it is told the answer before. */
  async #steer(): Promise<void> {
    await this.#caughtUp();
    this.#asked.push(this.chat.send(`steer ${++this.#parts}`));
    this.#offered.push((await this.#now.steers.next()).inputId);
  }
  boundary(): void {
    if (this.#offered.length === 0) return;
    this.#now.emit({ type: "steer-boundary", turnId: this.#turnId, taken: this.#offered.splice(0) });
    this.#openText = null;
    this.#mark(); // a message that nothing is written to is dropped
  }
  cut(): void {
    this.#cut.now.abort(new TypeError("network error"));
    this.#cut.now = new AbortController();
    this.#isAttached = false;
  }
  #attach(): void {
    if (this.#isAttached) return;
    this.#isAttached = true;
    this.#asked.push(this.chat.resume());
  }
  #mark(): string {
    const mark = `[${++this.#marks}]`;
    this.#now.say(this.#turnId, mark);
    return mark;
  }
  /** It is attached, and shows all the agent said. */
  async #caughtUp(): Promise<void> {
    this.#attach();
    const mark = this.#mark();
    await this.chat.until(({ messages }) => textsOf(messages).some((text) => text.includes(mark)));
  }
  async end(): Promise<void> {
    this.boundary();
    await this.#caughtUp();
    this.#now.complete(this.#turnId);
    await Promise.all(this.#asked);
  }
  #chunk(chunk: Parameters<FakeConnection["chunk"]>[1]): void {
    this.#now.chunk(this.#turnId, chunk);
  }
}
const open = async (): Promise<void> => {
  world = await testHost();
  server = await chatServer(world.host, { clock: world.clock });
};

describe.each(versions)("$name", (version) => {
  test("chunks, rolls and broken connections in any order", async () => {
    await open();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(7), { minLength: 5, maxLength: 40, size: "max" }), async (steps) => {
        const play = new Play(version, `c${++runs}`);
        await play.begin();
        for (const kind of steps) await play.step(kind);
        await play.end();
        expect(shown(play.chat.messages)).toEqual(stored((await world.host.messages(play.chat.id)).messages));
      }),
      { seed: Number(process.env["MOORING_SEED"] ?? 1), numRuns: 20 },
    );
  });

  test("a chat client and two readers of events, each of whom comes back a hundred times", async () => {
    await open();
    const play = new Play(version, "c");
    await play.begin();
    const readers = [new Restless(world.host), new Restless(world.host)];
    const numbers = fc.sample(fc.nat(999), { numRuns: 400, seed: 7 });
    for (const [at, n] of numbers.entries()) {
      if (at % 4 === 0) play.cut();
      await play.step(at === 200 ? 2 : at === 210 ? 3 : n % 2 === 0 ? 0 : n % 7 === 1 ? 1 : 7);
      if (at % 4 === 1) await play.step(6);
      for (const reader of readers) if ((n + at) % 4 === 0) await reader.comeBack();
    }
    for (const reader of readers) while (reader.returns < 100) await reader.comeBack();
    await play.end();
    const { messages } = await world.host.messages("c");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(shown(play.chat.messages)).toEqual(stored(messages));
    for (const reader of readers) expect(shown(await reader.rest())).toEqual(shown(messages));
  });
});

/** Reads a session's events, leaves, and comes back with its cursor; builds the messages from what it heard. */
class Restless {
  returns = 0;
  readonly #host: SessionHost;
  readonly #messages = new Map<string, UIMessage>();
  readonly #folds = new Map<string, Fold>();
  #cursor: string | null = null;
  #stop = new AbortController();
  #reading: Promise<void>;
  #isOver = Promise.withResolvers<void>();

  constructor(host: SessionHost) {
    this.#host = host;
    this.#reading = this.#read();
  }
  async comeBack(): Promise<void> {
    this.returns++;
    this.#stop.abort();
    await this.#reading;
    this.#stop = new AbortController();
    this.#reading = this.#read();
  }
  async rest(): Promise<readonly UIMessage[]> {
    await this.#isOver.promise;
    this.#stop.abort();
    await this.#reading;
    return [...this.#messages.values()];
  }
  async #read(): Promise<void> {
    this.#cursor ??= (await this.#host.cursor("c")).replace(/\d+$/, "0");
    for await (const { cursor, event } of this.#host.events("c", { after: this.#cursor, signal: this.#stop.signal })) {
      this.#cursor = cursor;
      if (event.type === "message.opened") this.#folds.set(event.messageId, startFold(event.messageId));
      if (event.type === "message.dropped") this.#folds.delete(event.messageId);
      if (event.type === "turn.settled") this.#isOver.resolve();
      if (event.type === "chunk") this.#fold(event.messageId, event.chunk);
      // a user's message comes whole; an assistant's is what was heard of it
      if (event.type === "message.closed" && event.message?.role === "user")
        this.#messages.set(event.messageId, event.message);
    }
  }
  #fold(id: string, chunk: Parameters<typeof foldChunk>[1]): void {
    const fold = this.#folds.get(id);
    if (!fold) return;
    foldChunk(fold, chunk);
    this.#messages.set(id, snapshot(fold));
  }
}
