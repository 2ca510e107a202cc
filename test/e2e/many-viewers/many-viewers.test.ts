/**
 * Three clients of one session over a real server while a turn runs and is steered: two read events with `@mooring/client`,
 * one is the chat class of `ai`. Each has a network of its own that breaks a hundred times, at bytes a fixed seed chooses.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, type SessionHost, systemClock, systemIds } from "@mooring/host";
import { createFakeDriver, type FakeConnection, type FakeDriver } from "@mooring/host/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemPorts } from "../../../packages/client/src/calls/event-calls.ts";
import { clientWith, type MooringClient } from "../../../packages/client/src/create-client.ts";
import {
  authorized,
  type ChatServer,
  chatServer,
  shown,
  stored,
  textsOf,
  versions,
} from "../../../packages/host/src/http/chat/test-chat.ts";
import { createMemoryStore } from "../../../packages/host/src/stores/memory.ts";
import { randomFrom } from "../crash/random-from.ts";
import { ChatViewer } from "./chat-viewer.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { EventViewer } from "./event-viewer.ts";

const returns = 100;
/** Steps of the agent at most: a viewer that cannot come back fails the test and does not hang it. */
const mostSteps = 20_000;
/** Bytes from one break to the next at most: a few events. */
const mostBytes = 800;

let [dataDir, origin] = ["", ""];
let host: SessionHost;
let driver: FakeDriver;
let server: ChatServer;
let networks: readonly [CuttingProxy, CuttingProxy, CuttingProxy];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-many-viewers-"));
  driver = createFakeDriver();
  const store = createMemoryStore({ ids: systemIds, clock: systemClock });
  host = await createHost({ store, drivers: [driver.factory], dataDir, roots: [] });
  await host.agents.add({ name: "agent", driver: "fake", model: "m" });
  server = await chatServer(host);
  origin = server.url.replace("/api/chat", "");
  networks = [await CuttingProxy.to(origin), await CuttingProxy.to(origin), await CuttingProxy.to(origin)];
});
afterEach(async () => {
  for (const network of networks) await network.end();
  await server.close();
  await host.shutdown({ graceMs: 0 });
  await rm(dataDir, { recursive: true, force: true });
});

/** Waits between two tries take no time. */
const hasty = { ...systemPorts, limits: { ...systemPorts.limits, retryMs: 0, retryMostMs: 0, backoffMs: 0 } };
const clientAt = (url: string): MooringClient =>
  clientWith(
    { url, token: authorized.authorization.replace("Bearer ", ""), fetch: (request) => fetch(request) },
    hasty,
  );

/** Says one thing after another, of every kind a message has. Mostly it goes on with a text, so that no message has too many parts. */
class Talk {
  readonly #agent: FakeConnection;
  readonly #turnId: string;
  #said = 0;
  #text: string | null = null;

  constructor(agent: FakeConnection, turnId: string) {
    this.#agent = agent;
    this.#turnId = turnId;
  }
  /** `kind`: from 0 to 1. */
  more(kind: number): void {
    if (kind < 0.97) this.#say(`word ${++this.#said} ü\u{1F600} `);
    else this.#tool(`c${++this.#said}`);
  }
  mark(): string {
    const mark = `[mark ${++this.#said}]`;
    this.#say(mark);
    return mark;
  }
  boundary(inputId: string): void {
    this.#endText();
    this.#agent.emit({ type: "steer-boundary", turnId: this.#turnId, taken: [inputId] });
  }
  complete(): void {
    this.#endText();
    this.#agent.complete(this.#turnId);
  }
  #say(delta: string): void {
    if (this.#text === null) {
      this.#text = `t${this.#said}`;
      this.#chunk({ type: "text-start", id: this.#text });
    }
    this.#chunk({ type: "text-delta", id: this.#text, delta });
  }
  #endText(): void {
    if (this.#text !== null) this.#chunk({ type: "text-end", id: this.#text });
    this.#text = null;
  }
  #tool(toolCallId: string): void {
    this.#endText();
    this.#chunk({ type: "start-step" });
    this.#chunk({ type: "tool-input-start", toolCallId, toolName: "bash" });
    this.#chunk({ type: "tool-input-delta", toolCallId, inputTextDelta: '{"command":"ls' });
    this.#chunk({ type: "tool-input-available", toolCallId, toolName: "bash", input: { command: "ls" } });
    this.#chunk({ type: "tool-output-available", toolCallId, output: { n: this.#said } });
    this.#chunk({ type: "finish-step" });
  }
  #chunk(chunk: Parameters<FakeConnection["chunk"]>[1]): void {
    this.#agent.chunk(this.#turnId, chunk);
  }
}

test.each(versions)("$name", async (version) => {
  const { id } = await host.create({ id: "c" });
  const start = (await host.cursor(id)).replace(/\d+$/, "0");
  const chat = version.chat({ url: `${networks[0].url}/api/chat`, id: "c" });
  const chatting = new ChatViewer(chat, "begin");
  const agent = await driver.connections.next();
  const { turnId } = await agent.sends.next();
  const readers = [networks[1], networks[2]].map(({ url }) => new EventViewer(clientAt(url), "c", start));
  const viewers = [chatting, ...readers];

  const [random, talk, calm] = [randomFrom(4483), new Talk(agent, turnId), clientAt(origin)];
  const seesAll = async (): Promise<void> => {
    const mark = talk.mark();
    await chat.until(({ messages }) => textsOf(messages).some((text) => text.includes(mark)));
  };
  const talkUntil = async (most: number): Promise<void> => {
    for (let step = 0; viewers.some((viewer) => viewer.returns < most); step++) {
      expect(step).toBeLessThan(mostSteps);
      for (let n = 0; n < 3; n++) talk.more(random());
      for (const network of networks) if (!network.isDue) network.cutAfter(Math.floor(random() * mostBytes));
      await calm.get(id); // the networks have their turn
    }
    for (const network of networks) network.mend();
  };

  await talkUntil(returns / 2);
  await seesAll(); // a chat client knows where its message stands only while it is told the answer before
  chatting.say("and this");
  const steer = await agent.steers.next();
  await talkUntil((returns * 3) / 4);
  talk.boundary(steer.inputId);
  await talkUntil(returns);
  await seesAll();
  chatting.leaveAtTheEnd();
  talk.complete();
  const heard = await Promise.all(readers.map(({ messages }) => messages));
  await chatting.over;
  const { messages } = await host.messages("c", { limit: 100 });
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(shown(chat.messages)).toEqual(stored(messages));
  for (const list of heard) expect(shown(list)).toEqual(shown(messages));
  expect(readers[0]?.cursors).toEqual(readers[1]?.cursors);
  for (const viewer of viewers) expect(viewer.returns).toBeGreaterThanOrEqual(returns);
  for (const network of networks) expect(network.cuts).toBeGreaterThanOrEqual(returns * 0.9);
});
