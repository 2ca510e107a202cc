/** The stories of useChat, with the chat class of both versions of `ai` as it is, over HTTP, on the built-in agent. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost } from "@mooring/host";
import { scriptedModel } from "@mooring/scripted-model";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../packages/host/src/host/system-clock.ts";
import { systemIds } from "../../packages/host/src/host/system-ids.ts";
import {
  type ChatInit,
  type ChatServer,
  chatServer,
  metadataOf,
  shown,
  stored,
  type TestChat,
  textsOf,
  versions,
} from "../../packages/host/src/http/chat/test-chat.ts";
import { createMemoryStore } from "../../packages/host/src/stores/memory.ts";

describe.each(versions)("$name", (version) => {
  let dataDir = "";
  let host: SessionHost;
  let server: ChatServer;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "mooring-use-chat-"));
    const store = createMemoryStore({ ids: systemIds, clock: systemClock });
    const drivers = [loopDriver({ models: { scripted: () => scriptedModel() } })];
    host = await createHost({ store, drivers, dataDir, roots: [] });
    await host.agents.add({ name: "agent", driver: "loop", model: "scripted", permissionMode: "bypassPermissions" });
    await host.agents.add({ name: "asking", driver: "loop", model: "scripted", permissionMode: "default" });
    server = await chatServer(host);
  });
  afterAll(async () => {
    await server.close();
    await host.shutdown({ graceMs: 0 });
    await rm(dataDir, { recursive: true, force: true });
  });
  let chats = 0;
  const newChat = (over: Partial<ChatInit> = {}): TestChat =>
    version.chat({ url: server.url, id: `chat-${++chats}`, ...over });
  const agrees = async (chat: TestChat): Promise<void> =>
    expect(shown(chat.messages)).toEqual(stored((await host.messages(chat.id)).messages));

  test("a message is answered, and a second", async () => {
    const chat = newChat();
    await chat.send("#say hello");
    await chat.send("#say again");
    expect(textsOf(chat.messages)).toEqual(["U:#say hello", "A:hello", "U:#say again", "A:again"]);
    expect(metadataOf(chat.messages[1])).toMatchObject({ sessionId: (await host.get(chat.id)).id });
    expect(chat.status).toBe("ready");
    await agrees(chat);
  });
});
