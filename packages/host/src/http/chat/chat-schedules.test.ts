/** Whatever happens when, and wherever connections break: a chat client ends with the messages that are stored. */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
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
});
