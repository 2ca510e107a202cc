/** Exact moments, on a fake agent, with both versions of the client. */
import { afterEach, describe, expect, test } from "vitest";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import type { HttpLimits } from "../limits.ts";
import {
  type ChatInit,
  type ChatServer,
  chatServer,
  metadataOf,
  type Said,
  shown,
  stored,
  type TestChat,
  textsOf,
  versions,
} from "./test-chat.ts";

let world: TestHost;
let server: ChatServer;
afterEach(async () => {
  await server.close();
  await world.end();
});
async function open(options: TestHostOptions = {}, limits: Partial<HttpLimits> = {}): Promise<void> {
  world = await testHost(options);
  server = await chatServer(world.host, { clock: world.clock, limits });
}
type Turn = { readonly agent: FakeConnection; readonly turnId: string };
const nextTurn = async (agent?: FakeConnection): Promise<Turn> => {
  const connection = agent ?? (await world.driver.connections.next());
  return { agent: connection, turnId: (await connection.sends.next()).turnId };
};
/** Reads a session's events from the first on. */
const readerOf = async (id: string): Promise<Reader> =>
  new Reader(world.host, id, (await world.host.cursor(id)).replace(/\d+$/, "0"));
/** Asks the routes by hand. */
const post = (body: unknown, path = "", init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
const saying = (id: string, text: string, over: object = {}) => ({
  id: "c",
  trigger: "submit-message",
  messages: [{ id, role: "user", parts: [{ type: "text", text }] }],
  ...over,
});
type Chunk = Readonly<Record<string, unknown>> & { readonly type: string };
/** A response's chunks; its last line must be the end's. */
async function chunksOf(response: Response): Promise<Chunk[]> {
  const lines = (await response.text())
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  expect(lines.pop()).toBe("[DONE]");
  return lines.map((line) => JSON.parse(line) as Chunk);
}
const typesOf = (chunks: readonly Chunk[]): string[] => chunks.map(({ type }) => type);

describe.each(versions)("$name", (version) => {
  const newChat = (over: Partial<ChatInit> = {}): TestChat => version.chat({ url: server.url, id: "c", ...over });
  const agrees = async (chat: TestChat): Promise<void> =>
    expect(shown(chat.messages)).toEqual(stored((await world.host.messages(chat.id)).messages));
  const statesOf = (chat: TestChat): string[] =>
    (chat.messages.at(-1)?.parts ?? []).flatMap((part) => ("toolCallId" in part ? [part.state] : []));
  /** Once its last call is asked about: no more questions come. */
  const paused = async (chat: TestChat, count: number): Promise<void> => {
    await chat.until(() => statesOf(chat).filter((state) => state === "approval-requested").length === count);
    await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(250);
  };
  const inputData = (chat: TestChat): unknown[] =>
    chat.data.flatMap(({ type, data }: Said) => (type === "data-input" ? [data] : []));

  test("an input that waits says so until its message opens", async () => {
    await open({ agent: { defaultDelivery: "queue" } });
    const [first, second] = [newChat(), newChat()];
    const one = first.send("one");
    const { agent, turnId } = await nextTurn();
    const two = second.send("two", { id: "u2" });
    await second.until(({ data }) => data.length > 0);
    agent.say(turnId, "a1");
    agent.complete(turnId);
    await one;
    const next = await nextTurn(agent);
    agent.say(next.turnId, "a2");
    agent.complete(next.turnId);
    await two;
    expect(inputData(second)).toEqual([
      { inputId: "u2", state: "queued", position: 0 },
      { inputId: "u2", state: "started", position: null, turnId: next.turnId },
    ]);
    expect(textsOf(second.messages)).toEqual(["U:two", "A:a2"]);
    expect(second.data.every((part) => "transient" in part && part.transient === true)).toBe(true);
  });

  test("who waited long enough is let go without an error, and finds its answer by resuming", async () => {
    await open({ agent: { defaultDelivery: "queue" } }, { chatWaitMs: 30_000 });
    const [first, second] = [newChat(), newChat()];
    const one = first.send("one");
    const { agent, turnId } = await nextTurn();
    const two = second.send("two");
    await second.until(({ data }) => data.length > 0);
    world.clock.advance(29_999);
    expect(second.status).toBe("submitted");
    world.clock.advance(1);
    await two;
    expect([second.status, second.error, second.messages.length]).toEqual(["ready", undefined, 1]);
    const resumed = second.resume();
    await second.until(({ messages }) => messages.length === 2);
    agent.say(turnId, "a1");
    agent.complete(turnId);
    await one;
    const next = await nextTurn(agent);
    agent.say(next.turnId, "a2");
    agent.complete(next.turnId);
    await resumed;
    expect(textsOf(second.messages)).toEqual(["U:two", "A:a1", "A:a2"]);
  });

  test("a steer that is not delivered is answered by its own turn", async () => {
    await open();
    const chat = newChat();
    const one = chat.send("one");
    const { agent, turnId } = await nextTurn();
    agent.say(turnId, "a1");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:a1");
    const two = chat.send("two");
    const { inputId } = await agent.steers.next();
    agent.emit({ type: "steer-undelivered", turnId, inputs: [inputId] });
    agent.complete(turnId);
    const next = await nextTurn(agent);
    agent.say(next.turnId, "a2");
    agent.complete(next.turnId);
    await Promise.all([one, two]);
    expect(textsOf(chat.messages)).toEqual(["U:one", "A:a1", "U:two", "A:a2"]);
    await agrees(chat);
  });

  test("another viewer's steer ends the response, which says where it goes on", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("one");
    const { agent, turnId } = await nextTurn();
    agent.say(turnId, "a1");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:a1");
    const { inputId } = await world.host.submit("c", { text: "from elsewhere", delivery: "steer" });
    await agent.steers.next();
    agent.emit({ type: "steer-boundary", turnId, taken: [inputId] });
    await sent;
    const {
      open: [now],
    } = await world.host.snapshot("c");
    expect(chat.data.filter(({ type }) => type === "data-continue")).toEqual([
      { type: "data-continue", transient: true, data: { messageId: now?.id, inputIds: [inputId] } },
    ]);
    const resumed = chat.resume();
    await chat.until(({ messages }) => messages.length === 3);
    agent.say(turnId, "a2");
    agent.complete(turnId);
    await resumed;
    expect(textsOf(chat.messages)).toEqual(["U:one", "A:a1", "A:a2"]);
    const { messages } = await world.host.messages("c");
    expect(shown(chat.messages)).toEqual(stored(messages.filter(({ id }) => id !== messages[2]?.id)));
  });

  test("a client that missed the end of an earlier message of the turn is told it again", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("one");
    const { agent, turnId } = await nextTurn();
    agent.say(turnId, "a");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:a");
    await chat.stop();
    await sent;
    agent.say(turnId, "nd more");
    const { inputId } = await world.host.submit("c", { text: "two", delivery: "steer" });
    await agent.steers.next();
    const reader = new Reader(world.host, "c");
    agent.emit({ type: "steer-boundary", turnId, taken: [inputId] });
    await reader.until("message.opened");
    const resumed = chat.resume();
    await chat.until(({ messages }) => messages.length === 3);
    agent.say(turnId, "a2");
    agent.complete(turnId);
    await resumed;
    expect(textsOf(chat.messages)).toEqual(["U:one", "A:and more", "A:a2"]);
    await reader.stop();
  });

  test("questions about calls that run one after the other come one after the other", async () => {
    await open();
    const chat = newChat({ auto: true });
    const sent = chat.send("go");
    const { agent, turnId } = await nextTurn();
    const call = (toolCallId: string) =>
      agent.chunk(turnId, { type: "tool-input-available", toolCallId, toolName: "bash", input: {} });
    const ask = (n: number) =>
      agent.emit({
        type: "tool-approval-request",
        turnId,
        approvalId: `p${n}`,
        toolCallId: `c${n}`,
        toolName: "bash",
        input: {},
        durable: false,
      });
    agent.chunk(turnId, { type: "start-step" });
    for (const id of ["c1", "c2", "c3"]) call(id);
    ask(1);
    await paused(chat, 1);
    await sent;
    expect([statesOf(chat), chat.status]).toEqual([["approval-requested"], "ready"]);
    await chat.answer("p1", true);
    await agent.answers.next();
    agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c1", output: "o1" });
    ask(2);
    await paused(chat, 1);
    await chat.until(({ status }) => status === "ready");
    expect(statesOf(chat)).toEqual(["output-available", "approval-requested"]);
    await chat.answer("p2", false);
    await agent.answers.next();
    agent.chunk(turnId, { type: "tool-output-denied", toolCallId: "c2" });
    agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c3", output: "o3" });
    agent.say(turnId, "done");
    agent.complete(turnId);
    await chat.until(({ status, messages }) => status === "ready" && textsOf(messages).at(-1) === "A:done");
    expect(statesOf(chat)).toEqual(["output-available", "output-denied", "output-available"]);
    await agrees(chat);
  });

  test("three questions at once are answered in any order, the last on a page that was loaded again", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await nextTurn();
    for (const n of [1, 2, 3]) agent.ask(turnId, `p${n}`, `c${n}`, true);
    await paused(chat, 3);
    await sent;
    await chat.answer("p3", true);
    await chat.answer("p1", false, "no");
    const partly = chat.sendAnswers();
    await agent.answers.next();
    await agent.answers.next();
    agent.chunk(turnId, { type: "tool-output-denied", toolCallId: "c1" });
    agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c3", output: "o3" });
    await chat.until(() => statesOf(chat).every((state) => state !== "approval-responded"));
    await paused(chat, 1);
    await partly;
    const loaded = newChat({ messages: (await world.host.messages("c")).messages });
    const resumed = loaded.resume();
    await loaded.until(() => loaded.messages.at(-1)?.metadata !== undefined);
    await paused(loaded, 1);
    await resumed;
    expect(statesOf(loaded)).toEqual(["output-denied", "approval-requested", "output-available"]);
    await loaded.answer("p2", true);
    const rest = loaded.sendAnswers();
    await agent.answers.next();
    agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c2", output: "o2" });
    agent.say(turnId, "end");
    agent.complete(turnId);
    await rest;
    await agrees(loaded);
    const answers = await world.host.approvals({ sessionId: (await world.host.get("c")).id });
    expect(answers.map(({ id, how }) => `${id} ${how}`).sort()).toEqual(["p1 deny", "p2 allow", "p3 allow"]);
  });

  test("a page that was loaded again and not resumed may answer, and is shown only what is new", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await nextTurn();
    agent.say(turnId, "before");
    agent.ask(turnId, "p1", "c1", true);
    await paused(chat, 1);
    await sent;
    const loaded = newChat({ messages: chat.messages.map(({ metadata: _, ...message }) => message) });
    await loaded.answer("p1", true);
    const rest = loaded.sendAnswers();
    await agent.answers.next();
    agent.chunk(turnId, { type: "tool-output-available", toolCallId: "c1", output: "o" });
    agent.say(turnId, " after");
    agent.complete(turnId);
    await rest;
    expect(textsOf(loaded.messages)).toEqual(["U:go", "A:before after"]);
    await agrees(loaded);
  });

  test("an answer that comes after everything is over shows how it ended", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await nextTurn();
    agent.ask(turnId, "p1", "c1", true);
    await paused(chat, 1);
    await sent;
    const reader = new Reader(world.host, "c");
    await world.host.stop("c", turnId);
    await reader.until("turn.settled");
    await world.store.fold(world.clock.now() + 1, 10);
    await chat.answer("p1", true);
    await chat.sendAnswers();
    expect(chat.messages.at(-1)?.parts).toMatchObject([{ toolCallId: "c1", state: "output-error" }]);
    await agrees(chat);
    await reader.stop();
  });

  test("files are shown at an address of the server, and sent back by it", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await nextTurn();
    agent.chunk(turnId, { type: "file", mediaType: "text/plain", url: "data:text/plain;base64,aGk=" });
    agent.complete(turnId);
    await sent;
    const part = chat.messages.at(-1)?.parts[0];
    const url = part?.type === "file" ? part.url : "";
    expect(url).toMatch(/^\/v1\/files\/fil_/);
    const again = chat.send("", { parts: [{ type: "file", mediaType: "text/plain", url }] });
    const next = await nextTurn(agent);
    agent.say(next.turnId, "seen");
    agent.complete(next.turnId);
    await again;
    const { messages } = await world.host.messages("c");
    expect(messages[2]?.parts).toMatchObject([{ url: `mooring:file/${url.slice(10)}` }]);
  });

  test("ten thousand chunks come whole", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await nextTurn();
    agent.chunk(turnId, { type: "text-start", id: "0" });
    for (let n = 0; n < 9_998; n++) agent.chunk(turnId, { type: "text-delta", id: "0", delta: `${n} ` });
    agent.chunk(turnId, { type: "text-end", id: "0" });
    agent.complete(turnId);
    await sent;
    await agrees(chat);
    expect(textsOf(chat.messages)[1]).toHaveLength(2 + 48_880);
  });

  test("a message the agent begins itself is shown to one who resumes, then the one it interrupted", async () => {
    await open();
    const chat = newChat();
    const sent = chat.send("one");
    const { agent, turnId } = await nextTurn();
    agent.say(turnId, "a1");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:a1");
    await chat.stop();
    await sent;
    const resumed = chat.resume();
    agent.emit({ type: "autonomous-turn-state", turnId: "own", state: "started", origin: "wake" });
    agent.say("own", "by myself");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:by myself");
    agent.complete("own");
    agent.say(turnId, " and on");
    agent.complete(turnId);
    await resumed;
    expect(textsOf(chat.messages)).toEqual(["U:one", "A:a1 and on", "A:by myself"]);
  });
});

describe("the routes", () => {
  test("the same message again gets the first one's answer, running and answered", async () => {
    await open();
    const first = await post(saying("u1", "hello"));
    const { agent, turnId } = await nextTurn();
    agent.say(turnId, "hi");
    const second = await post(saying("u1", "hello"));
    agent.complete(turnId);
    const all = ["start", "text-start", "text-delta", "text-end", "finish"];
    const [one, two] = [await chunksOf(first), await chunksOf(second)];
    expect([typesOf(one), typesOf(two)]).toEqual([all, all]);
    const third = await chunksOf(await post(saying("u1", "hello")));
    expect([typesOf(third), third[0]?.["messageId"]]).toEqual([all, one[0]?.["messageId"]]);
    expect(agent.sends.all).toHaveLength(1);
  });

  test("two that come at once are one message in one chat", async () => {
    await open({ driver: { mode: "echo" } });
    const both = await Promise.all([post(saying("u1", "hello")), post(saying("u1", "hello"))]);
    for (const response of both) expect(typesOf(await chunksOf(response)).at(-1)).toBe("finish");
    expect((await world.host.messages("c")).messages).toHaveLength(2);
    expect((await world.host.list()).items).toHaveLength(1);
  });

  test("another body under the same id is refused, unless it is an edit", async () => {
    await open({ driver: { mode: "echo" } });
    await chunksOf(await post(saying("u1", "hello")));
    const refused = await post(saying("u1", "other"));
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "conflict" }]);
    await chunksOf(await post(saying("u1", "other", { messageId: "u1" })));
    await chunksOf(await post(saying("u1", "other", { messageId: "u1" }))); // comes twice
    const { messages } = await world.host.messages("c");
    expect(textsOf(messages)).toEqual(["U:other", "A:other"]);
    expect((await world.host.chat("c").input("u1"))?.messageId).toBe(messages[0]?.id);
  });

  test("a message whose turn failed is answered once more when it comes again", async () => {
    await open();
    const failing = post(saying("u1", "hello"));
    const { agent, turnId } = await nextTurn();
    agent.emit({ type: "error", turnId, code: "odd", message: "It broke.", retry: "never" });
    const failed = await chunksOf(await failing);
    expect(failed.at(-1)).toEqual({ type: "error", errorText: "It broke." });
    const again = await Promise.all([post(saying("u1", "hello")), post(saying("u1", "hello"))]);
    const next = await nextTurn();
    next.agent.say(next.turnId, "hi");
    next.agent.complete(next.turnId);
    for (const response of again) expect(typesOf(await chunksOf(response))).toContain("text-delta");
    expect(textsOf((await world.host.messages("c")).messages)).toEqual(["U:hello", "A:hi"]);
  });

  test("an input that is withdrawn, and one that a hook handles, end their responses", async () => {
    await open({ agent: { defaultDelivery: "queue" } });
    await post(saying("u1", "one"));
    const waiting = post(saying("u2", "two"));
    const inputs = world.host.inputs("c");
    await nextTurn();
    const reader = await readerOf("c");
    await reader.until("input.accepted", 2);
    await inputs.cancel("u2");
    const chunks = await chunksOf(await waiting);
    expect(chunks.slice(-2)).toMatchObject([{ data: { state: "cancelled" } }, { type: "abort", reason: "cancelled" }]);
    await reader.stop();
    await server.close();
    await world.end();
    await open({ hooks: { admit: async () => ({ do: "handled" }) } });
    expect(await chunksOf(await post(saying("u1", "/help")))).toMatchObject([{ data: { state: "handled" } }]);
  });

  test("an edit of a message that still waits changes its words", async () => {
    await open({ agent: { defaultDelivery: "queue" } });
    const first = await post(saying("u1", "one"));
    const { agent, turnId } = await nextTurn();
    await post(saying("u2", "two"));
    const edited = await post(saying("u2", "zwei", { messageId: "u2" }));
    agent.say(turnId, "a1");
    agent.complete(turnId);
    await chunksOf(first);
    const next = await nextTurn(agent);
    agent.say(next.turnId, "a2");
    agent.complete(next.turnId);
    await chunksOf(edited);
    expect(textsOf((await world.host.messages("c")).messages)).toEqual(["U:one", "A:a1", "U:zwei", "A:a2"]);
  });

  test("nothing is rewound under a running turn, nor on an agent that cannot", async () => {
    await open();
    await post(saying("u1", "one"));
    const { agent, turnId } = await nextTurn();
    const busy = await post(saying("u1", "other", { messageId: "u1" }));
    expect([busy.status, await busy.json()]).toMatchObject([409, { code: "session-busy" }]);
    agent.say(turnId, "a");
    const reader = new Reader(world.host, "c");
    agent.complete(turnId);
    await reader.until("turn.settled");
    await reader.stop();
    await server.close();
    await world.end();
    await open({ driver: { mode: "echo", capabilities: { history: "native", rewind: false } } });
    await chunksOf(await post(saying("u1", "one")));
    const cannot = await post(saying("u1", "one", { trigger: "regenerate-message" }));
    expect([cannot.status, await cannot.json()]).toMatchObject([409, { code: "rewind-unsupported" }]);
  });

  test("a chat that is not there: nothing to resume, and nothing is made", async () => {
    await open();
    expect((await fetch(`${server.url}/nowhere/stream`)).status).toBe(204);
    expect((await fetch(`${server.url}/ses_nowhere/stream`)).status).toBe(204);
    expect((await post({ turnId: "t" }, "/nowhere/stop")).status).toBe(404);
    expect((await world.host.list()).items).toEqual([]);
  });

  const answered = (parts: unknown[]) => ({ id: "c", messages: [{ id: "msg_x", role: "assistant", parts }] });
  const yes = {
    type: "tool-bash",
    toolCallId: "c1",
    state: "approval-responded",
    approval: { id: "p", approved: true },
  };
  test.each<readonly [string, unknown, number, string, string | undefined]>([
    ["no JSON", "{", 400, "bad-json", undefined],
    ["no messages", { id: "c", messages: [] }, 400, "bad-request", "/messages"],
    ["no id", { messages: saying("u", "x").messages }, 400, "bad-request", "/id"],
    ["a bad chat id", saying("u", "x", { id: "a b" }), 400, "bad-session", "/id"],
    ["a session that is not there", saying("u", "x", { id: "ses_9" }), 404, "no-such-session", undefined],
    ["a bad message id", saying("a b", "x"), 400, "bad-request", "/messages/0/id"],
    [
      "an empty message",
      { ...saying("u", "x"), messages: [{ id: "u", role: "user", parts: [] }] },
      400,
      "bad-request",
      "/messages/0/parts",
    ],
    [
      "a system message",
      { id: "c", messages: [{ id: "s", role: "system", parts: [] }] },
      400,
      "bad-request",
      "/messages/0/role",
    ],
    [
      "a part of the agent's",
      { id: "c", messages: [{ id: "u", role: "user", parts: [{ type: "reasoning", text: "x" }] }] },
      400,
      "bad-request",
      "/messages/0/parts/0/type",
    ],
    ["an assistant's message without answers", answered([]), 400, "bad-request", "/messages"],
    ["answers in a chat that is not there", answered([yes]), 404, "no-such-session", undefined],
  ])("%s is refused before anything is made", async (_, body, status, code, pointer) => {
    await open();
    const response = await post(body);
    const problem = (await response.json()) as { code: string; errors?: { pointer: string }[] };
    expect([response.status, problem.code, problem.errors?.[0]?.pointer]).toEqual([status, code, pointer]);
    expect((await world.host.list()).items).toEqual([]);
  });

  test("a question of another session, or of none, is unknown", async () => {
    await open();
    await Promise.all([post(saying("u1", "go")), post(saying("v1", "go", { id: "other" }))]);
    for (const approval of ["p", "q"]) {
      const { agent, turnId } = await nextTurn();
      agent.ask(turnId, approval, "c1", true);
      const reader = await readerOf(agent.input.session.sessionId);
      await reader.until("approval.requested");
      await reader.stop();
    }
    const [mine] = (await world.host.snapshot("c")).open;
    const others = (await world.host.snapshot("other")).approvals[0]?.id ?? "";
    const giving = (approval: string) =>
      post({
        id: "c",
        messages: [
          {
            id: mine?.id,
            role: "assistant",
            parts: [{ ...yes, approval: { id: approval, approved: true } }],
          },
        ],
      });
    for (const id of [others, "none"]) {
      const response = await giving(id);
      expect([response.status, await response.json()]).toMatchObject([404, { code: "no-such-approval" }]);
    }
    expect((await world.host.approvals({ open: true })).map(({ id }) => id).sort()).toEqual(["p", "q"]);
  });

  test("a stop without a turn says which field it misses", async () => {
    await open({ driver: { mode: "echo" } });
    await chunksOf(await post(saying("u1", "one")));
    const response = await post({}, "/c/stop");
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ pointer: "/turnId" }] }]);
  });

  test("every event is one line of data, with the session's cursor for an id", async () => {
    await open();
    const response = await post(saying("u1", "go"));
    const { agent, turnId } = await nextTurn();
    agent.say(turnId, "two\nlines");
    agent.complete(turnId);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "x-vercel-ai-ui-message-stream": "v1",
      "x-accel-buffering": "no",
    });
    const blocks = (await response.text()).split("\n\n");
    expect(blocks.splice(-2)).toEqual(["data: [DONE]", ""]);
    const sessionId = (await world.host.get("c")).id;
    for (const block of blocks) expect(block).toMatch(/^id: [a-z0-9]+\.1\.\d+\ndata: \{[^\n]*\}$/);
    expect(JSON.parse(blocks[0]?.split("data: ")[1] ?? "")).toEqual({
      type: "start",
      messageId: "msg_0001",
      messageMetadata: { sessionId, turnId, inputId: "u1", cursor: blocks[0]?.slice(4, blocks[0].indexOf("\n")) },
    });
    expect(metadataOf(undefined)).toEqual({});
  });

  test("who joins late gets ten thousand events from the first on", async () => {
    await open();
    const first = await post(saying("u1", "go"));
    const { agent, turnId } = await nextTurn();
    for (const id of ["0", "1"]) agent.chunk(turnId, { type: "text-start", id });
    for (let n = 0; n < 9_996; n++) agent.chunk(turnId, { type: "text-delta", id: `${n % 2}`, delta: "x" });
    const second = await fetch(`${server.url}/c/stream`);
    for (const id of ["0", "1"]) agent.chunk(turnId, { type: "text-end", id });
    agent.complete(turnId);
    const [one, two] = await Promise.all([chunksOf(first), chunksOf(second)]);
    const said = (chunks: readonly Chunk[]) =>
      chunks.map((chunk) => (chunk.type === "text-delta" ? chunk["delta"] : ""));
    expect([said(one).join("").length, said(two).join("").length]).toEqual([9_996, 9_996]);
    expect(typesOf(two).slice(0, 3)).toEqual(["start", "text-start", "text-start"]);
  });

  test("silence carries a heartbeat", async () => {
    await open();
    const response = await post(saying("u1", "go"));
    await nextTurn();
    const reader = response.body?.getReader();
    const text = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(await text()).toContain('"type":"start"');
    const next = text();
    await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(15_000);
    expect(await next).toBe(": \n\n");
    await reader?.cancel();
  });
});
