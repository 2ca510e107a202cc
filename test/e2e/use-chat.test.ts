/** The stories of useChat, with the chat class of both versions of `ai` as it is, over HTTP, on the built-in agent. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost } from "@mooring/host";
import { openSqliteStore } from "@mooring/host/sqlite";
import { type ScriptedModel, scriptedModel } from "@mooring/scripted-model";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../packages/host/src/host/silent-log.ts";
import { systemClock } from "../../packages/host/src/host/system-clock.ts";
import { systemIds } from "../../packages/host/src/host/system-ids.ts";
import {
  allowedOrigin,
  authorized,
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

type Streamed =
  Awaited<ReturnType<ScriptedModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
/** A model that says the word HELD, and what follows it, no sooner than `until` resolves. */
const holding = (model: ScriptedModel, until: () => Promise<void>): ScriptedModel => ({
  ...model,
  doStream: async (call) => {
    const { stream, ...rest } = await model.doStream(call);
    const held = new TransformStream<Streamed, Streamed>({
      transform: async (part, out) => {
        if (part.type === "text-delta" && part.delta.includes("HELD")) await until();
        out.enqueue(part);
      },
    });
    return { ...rest, stream: stream.pipeThrough(held) };
  },
});

describe.each(versions)("$name", (version) => {
  let dataDir = "";
  let host: SessionHost;
  let server: ChatServer;
  let held = Promise.withResolvers<void>();
  beforeEach(() => {
    held = Promise.withResolvers<void>();
  });
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "mooring-use-chat-"));
    const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
    const model = holding(scriptedModel(), () => held.promise); // one, for it counts the failures it plays
    const drivers = [loopDriver({ models: { scripted: () => model } })];
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

  const lastOf = (chat: TestChat) => chat.messages.at(-1);
  const toolsOf = (chat: TestChat) =>
    (lastOf(chat)?.parts ?? []).flatMap((part) => ("toolCallId" in part ? [part] : []));
  const questions = (chat: TestChat): string[] =>
    toolsOf(chat).flatMap(({ state, approval }) =>
      state === "approval-requested" && approval !== undefined ? [approval.id] : [],
    );
  const said = (chat: TestChat, text: string) =>
    chat.until(({ messages }) => {
      const last = textsOf(messages).at(-1) ?? "";
      return last.startsWith("A:") && last.includes(text);
    });
  const settled = async (chat: TestChat, count = 1): Promise<void> => {
    const from = await host.snapshot(chat.id);
    if (from.turn === null) return;
    let left = count;
    for await (const { event } of host.events(chat.id, { after: from.cursor }))
      if (event.type === "turn.settled" && --left === 0) return;
  };
  /** An input waits to be taken by the running turn. */
  const offered = async (chat: TestChat): Promise<void> => {
    const { cursor, inputs } = await host.snapshot(chat.id);
    if (inputs.some(({ state }) => state === "offered")) return;
    for await (const { event } of host.events(chat.id, { after: cursor }))
      if (event.type === "input.changed" && event.state === "offered") return;
  };
  const askingChat = async (over: Partial<ChatInit> = {}): Promise<TestChat> => {
    const chat = newChat(over);
    await host.create({ id: chat.id, agent: "asking" });
    return chat;
  };

  test("a message is answered, and a second", async () => {
    const chat = newChat();
    await chat.send("#say hello");
    await chat.send("#say again");
    expect(textsOf(chat.messages)).toEqual(["U:#say hello", "A:hello", "U:#say again", "A:again"]);
    expect(metadataOf(chat.messages[1])).toMatchObject({ sessionId: (await host.get(chat.id)).id });
    expect(chat.status).toBe("ready");
    await agrees(chat);
  });

  test("tools are shown with what they gave", async () => {
    const chat = newChat();
    await chat.send("#think hm\n#bash echo one\n#bash echo two\n#say ok");
    expect(toolsOf(chat)).toMatchObject([
      { type: "tool-bash", state: "output-available", output: "one\n" },
      { type: "tool-bash", state: "output-available", output: "two\n" },
    ]);
    await agrees(chat);
  });

  test("questions are answered in the client, and the same message goes on", async () => {
    const chat = await askingChat({ auto: true });
    const calls = ["one", "two"].map((name) => ({ name: "bash", input: { command: `echo ${name}` } }));
    await chat.send(`#tools ${JSON.stringify(calls)}\n#bash echo three\n#say done`);
    const [one = "", two = ""] = questions(chat);
    expect([chat.status, toolsOf(chat).length]).toEqual(["ready", 2]);
    await chat.answer(two, false, "not this one");
    expect(questions(chat)).toEqual([one]);
    await chat.answer(one, true);
    await chat.until(() => toolsOf(chat).length === 3 && chat.status === "ready");
    expect(toolsOf(chat)).toMatchObject([{ state: "output-available" }, { state: "output-denied" }, {}]);
    await chat.answer(questions(chat)[0] ?? "", true);
    await chat.until(() => textsOf(chat.messages).at(-1)?.endsWith("done") === true && chat.status === "ready");
    expect(chat.messages).toHaveLength(2);
    await agrees(chat);
    const answers = await host.approvals({ sessionId: (await host.get(chat.id)).id });
    const decided = answers.map(({ how, answer }) => `${how} by ${answer?.by}: ${answer?.reason ?? ""}`);
    expect(decided.sort()).toEqual(["allow by tester: ", "allow by tester: ", "deny by tester: not this one"]);
  });

  test("who answers too late sees what the winner's answer led to", async () => {
    const chat = await askingChat({ auto: true });
    await chat.send("#bash echo never\n#say so be it");
    const [id = ""] = questions(chat);
    await host.answer(id, { decision: "deny", reason: "no", by: "someone else" });
    await settled(chat);
    await chat.answer(id, true);
    await said(chat, "so be it");
    await chat.until(({ status }) => status === "ready");
    expect(chat.error).toBeUndefined();
    expect(toolsOf(chat)).toMatchObject([{ state: "output-denied" }]);
    await agrees(chat);
  });

  test("a question answered elsewhere goes on for a client that only resumes", async () => {
    const chat = await askingChat();
    await chat.send("#bash echo ran\n#slow 1 so HELD it is");
    const [id = ""] = questions(chat);
    await host.answer(id, { decision: "allow", by: "someone else" });
    const resumed = chat.resume();
    await said(chat, "so");
    held.resolve();
    await resumed;
    expect([chat.status, questions(chat), chat.messages.length]).toEqual(["ready", [], 2]);
    expect(toolsOf(chat)).toMatchObject([{ state: "output-available", output: "ran\n" }]);
    expect(textsOf(chat.messages).at(-1)).toBe("A:so HELD it is");
    await agrees(chat);
  });

  test("a second message while the first is answered is taken in between", async () => {
    const chat = newChat();
    const first = chat.send("#slow 1 one two HELD six\n#say after");
    await said(chat, "one");
    const second = chat.send("and this");
    await offered(chat);
    held.resolve();
    await Promise.all([first, second]);
    const [u1, a1, u2, a2] = textsOf(chat.messages);
    expect([u1?.slice(0, 6), a1, u2]).toEqual(["U:#slo", "A:one two HELD six", "U:and this"]);
    expect([a2, chat.messages.length]).toEqual([expect.stringContaining("after"), 4]);
    await agrees(chat);
    expect(chat.data.filter(({ type }) => type === "data-continue")).toEqual([
      {
        type: "data-continue",
        transient: true,
        data: { messageId: chat.messages[3]?.id, inputIds: [chat.messages[2]?.id] },
      },
    ]);
  });

  test("the client's own stop leaves the turn running, and resuming shows every word once", async () => {
    const chat = newChat();
    const words = ["w0 w1 w2 w3 HELD", ...Array.from({ length: 20 }, (_, n) => `v${n}`)].join(" ");
    const sent = chat.send(`#slow 1 ${words}`);
    await said(chat, "w3");
    await chat.stop();
    await sent;
    expect((await host.get(chat.id)).state).toBe("busy");
    const resumed = chat.resume();
    held.resolve();
    await resumed;
    expect(textsOf(chat.messages)).toEqual([expect.anything(), `A:${words}`]);
    await agrees(chat);
    await chat.resume();
    expect([chat.status, chat.messages.length]).toEqual(["ready", 2]);
  });

  test("an edit takes the message's place, under its id", async () => {
    const chat = newChat();
    await chat.send("#say one", { id: "m-1" });
    await chat.send("#say two", { id: "m-2" });
    await chat.edit("m-1", "#say other");
    expect(textsOf(chat.messages)).toEqual(["U:#say other", "A:other"]);
    await agrees(chat);
    await chat.edit("m-1", "#say third");
    await chat.send("#say on");
    expect(textsOf(chat.messages)).toEqual(["U:#say third", "A:third", "U:#say on", "A:on"]);
    await agrees(chat);
  });

  test("an answer is made again, also on a page that was loaded again", async () => {
    const chat = newChat();
    await chat.send("#say one");
    await chat.send("#say two");
    const before = lastOf(chat)?.id;
    await chat.regenerate();
    expect(textsOf(chat.messages)).toEqual(["U:#say one", "A:one", "U:#say two", "A:two"]);
    expect(lastOf(chat)?.id).not.toBe(before);
    await agrees(chat);
    const again = version.chat({ url: server.url, id: chat.id, messages: (await host.messages(chat.id)).messages });
    await again.regenerate(again.messages[1]?.id);
    expect(textsOf(again.messages)).toEqual(["U:#say one", "A:one"]);
    await agrees(again);
  });

  test("the stop route ends the turn the metadata names, and no later one", async () => {
    const chat = newChat();
    const stop = async (turnId: string | undefined) => {
      const headers = { ...authorized, "content-type": "application/json" };
      const asked = await fetch(`${server.url}/${chat.id}/stop`, {
        method: "POST",
        headers,
        body: JSON.stringify({ turnId }),
      });
      return asked.json();
    };
    const sent = chat.send("#bash echo begun\n#hang");
    await chat.until(() => toolsOf(chat)[0]?.state === "output-available");
    const { turnId } = metadataOf(lastOf(chat));
    expect(await stop(turnId)).toEqual({ outcome: "stopping" });
    await sent;
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect((await host.messages(chat.id)).messages.at(-1)?.status).toBe("stopped");
    await agrees(chat);
    const next = chat.send("#slow 5 a b c d e f");
    await said(chat, "a");
    expect(await stop(turnId)).toEqual({ outcome: "not-running" });
    await next;
    expect(textsOf(chat.messages).at(-1)).toBe("A:a b c d e f");
  });

  test("a turn that fails is the chat's error, and can be tried again", async () => {
    const chat = newChat();
    await chat.send("#bash echo before\n#status 400 x1 too odd\n#say never");
    expect(chat.status).toBe("error");
    expect(chat.error?.message).toContain("too odd");
    expect((await host.messages(chat.id)).messages.at(-1)?.status).toBe("failed");
    await agrees(chat);
    await chat.regenerate();
    expect(chat.status).toBe("ready");
    await agrees(chat);
  });

  test("a picture is sent, stored once, and known again", async () => {
    const chat = newChat();
    const picture = Buffer.from("89504e470d0a1a0a0000", "hex").toString("base64");
    const url = `data:image/png;base64,${picture}`;
    await chat.send("", {
      parts: [
        { type: "text", text: "#say seen" },
        { type: "file", mediaType: "image/png", filename: "a.png", url },
      ],
    });
    await agrees(chat);
    const [user] = (await host.messages(chat.id)).messages;
    expect(user?.parts[1]).toMatchObject({ type: "file", url: expect.stringMatching(/^mooring:file\/fil_/) });
    await chat.regenerate();
    const loaded = version.chat({ url: server.url, id: chat.id, messages: (await host.messages(chat.id)).messages });
    await loaded.regenerate();
    expect(textsOf(loaded.messages)).toEqual(["U:#say seen", "A:seen"]);
  });

  test("a page of an origin that was allowed may use it, one of another may not", async () => {
    const asked: Response[] = [];
    const listening: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      asked.push(response);
      return response;
    };
    const chat = newChat({ headers: { origin: allowedOrigin }, fetch: listening });
    await chat.send("#say hello");
    expect(textsOf(chat.messages)).toEqual(["U:#say hello", "A:hello"]);
    expect(asked[0]?.headers.get("access-control-allow-origin")).toBe(allowedOrigin);
    const other = newChat({ headers: { origin: "https://evil.example" }, fetch: listening });
    await other.send("#say hello");
    expect([other.status, asked[1]?.status]).toEqual(["error", 403]);
    expect(asked[1]?.headers.get("access-control-allow-origin")).toBeNull();
    await expect(host.get(other.id)).rejects.toMatchObject({ code: "no-such-session" });
  });
});

test("the example runs, as a program of its own", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-use-chat-"));
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const drivers = [loopDriver({ models: { scripted: () => scriptedModel() } })];
  const host = await createHost({ store, drivers, dataDir, roots: [] });
  await host.agents.add({ name: "agent", driver: "loop", model: "scripted", permissionMode: "default" });
  const server = await chatServer(host);
  const example = fileURLToPath(new URL("../../examples/use-chat/use-chat.ts", import.meta.url));
  const token = authorized.authorization.replace("Bearer ", "");
  const args = [example, server.url.replace("/api/chat", ""), token, "#bash touch made\n#say all done"];
  const child = execFile(process.execPath, args, { env: { ...process.env, CHAT: "from-example" } });
  const [output] = await Promise.all([text(child.stdout ?? Readable.from([])), once(child, "close")]);
  expect(output).toContain('[bash] {"command":"touch made"}');
  expect(output).toContain("[not allowed]");
  expect(output).toContain("all done");
  expect([child.exitCode, textsOf((await host.messages("from-example")).messages)[1]]).toEqual([0, "A:all done"]);
  await server.close();
  await host.shutdown({ graceMs: 0 });
  await rm(dataDir, { recursive: true, force: true });
});
