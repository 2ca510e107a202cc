/** Exact moments, on a fake agent, with both versions of the client. */
import { afterEach, describe, expect, test } from "vitest";
import { Reader } from "../../testing/test-host.ts";
import { type ChatInit, type Said, shown, stored, type TestChat, textsOf, versions } from "./test-chat.ts";
import { Scene } from "./test-scene.ts";

let scene: Scene;
afterEach(() => scene.end());

describe.each(versions)("$name", (version) => {
  const newChat = (over: Partial<ChatInit> = {}): TestChat => version.chat({ url: scene.server.url, id: "c", ...over });
  const agrees = async (chat: TestChat): Promise<void> =>
    expect(shown(chat.messages)).toEqual(stored((await scene.world.host.messages(chat.id)).messages));
  const statesOf = (chat: TestChat): string[] =>
    (chat.messages.at(-1)?.parts ?? []).flatMap((part) => ("toolCallId" in part ? [part.state] : []));
  /** Once its last call is asked about: no more questions come. */
  const paused = async (chat: TestChat, count: number): Promise<void> => {
    await chat.until(() => statesOf(chat).filter((state) => state === "approval-requested").length === count);
    await new Promise((resolve) => setImmediate(resolve));
    scene.world.clock.advance(250);
  };
  const inputData = (chat: TestChat): unknown[] =>
    chat.data.flatMap(({ type, data }: Said) => (type === "data-input" ? [data] : []));

  test("an input that waits says so until its message opens", async () => {
    scene = await Scene.open({ agent: { defaultDelivery: "queue" } });
    const [first, second] = [newChat(), newChat()];
    const one = first.send("one");
    const { agent, turnId } = await scene.nextTurn();
    const two = second.send("two", { id: "u2" });
    await second.until(({ data }) => data.length > 0);
    agent.say(turnId, "a1");
    agent.complete(turnId);
    await one;
    const next = await scene.nextTurn(agent);
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
    scene = await Scene.open({ agent: { defaultDelivery: "queue" } }, { chatWaitMs: 30_000 });
    const [first, second] = [newChat(), newChat()];
    const one = first.send("one");
    const { agent, turnId } = await scene.nextTurn();
    const two = second.send("two");
    await second.until(({ data }) => data.length > 0);
    scene.world.clock.advance(29_999);
    expect(second.status).toBe("submitted");
    scene.world.clock.advance(1);
    await two;
    expect([second.status, second.error, second.messages.length]).toEqual(["ready", undefined, 1]);
    const resumed = second.resume();
    await second.until(({ messages }) => messages.length === 2);
    agent.say(turnId, "a1");
    agent.complete(turnId);
    await one;
    const next = await scene.nextTurn(agent);
    agent.say(next.turnId, "a2");
    agent.complete(next.turnId);
    await resumed;
    expect(textsOf(second.messages)).toEqual(["U:two", "A:a1", "A:a2"]);
  });

  test("a steer that is not delivered is answered by its own turn", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const one = chat.send("one");
    const { agent, turnId } = await scene.nextTurn();
    agent.say(turnId, "a1");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:a1");
    const two = chat.send("two");
    const { inputId } = await agent.steers.next();
    agent.emit({ type: "steer-undelivered", turnId, inputs: [inputId] });
    agent.complete(turnId);
    const next = await scene.nextTurn(agent);
    agent.say(next.turnId, "a2");
    agent.complete(next.turnId);
    await Promise.all([one, two]);
    expect(textsOf(chat.messages)).toEqual(["U:one", "A:a1", "U:two", "A:a2"]);
    await agrees(chat);
  });

  test("another viewer's steer ends the response, which says where it goes on", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("one");
    const { agent, turnId } = await scene.nextTurn();
    agent.say(turnId, "a1");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:a1");
    const { inputId } = await scene.world.host.submit("c", { text: "from elsewhere", delivery: "steer" });
    await agent.steers.next();
    agent.emit({ type: "steer-boundary", turnId, taken: [inputId] });
    await sent;
    const {
      open: [now],
    } = await scene.world.host.snapshot("c");
    expect(chat.data.filter(({ type }) => type === "data-continue")).toEqual([
      { type: "data-continue", transient: true, data: { messageId: now?.id, inputIds: [inputId] } },
    ]);
    const resumed = chat.resume();
    await chat.until(({ messages }) => messages.length === 3);
    agent.say(turnId, "a2");
    agent.complete(turnId);
    await resumed;
    expect(textsOf(chat.messages)).toEqual(["U:one", "A:a1", "A:a2"]);
    const { messages } = await scene.world.host.messages("c");
    expect(shown(chat.messages)).toEqual(stored(messages.filter(({ id }) => id !== messages[2]?.id)));
  });

  test("a client that missed the end of an earlier message of the turn is told it again", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("one");
    const { agent, turnId } = await scene.nextTurn();
    agent.say(turnId, "a");
    await chat.until(({ messages }) => textsOf(messages).at(-1) === "A:a");
    await chat.stop();
    await sent;
    agent.say(turnId, "nd more");
    const { inputId } = await scene.world.host.submit("c", { text: "two", delivery: "steer" });
    await agent.steers.next();
    const reader = new Reader(scene.world.host, "c");
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
    scene = await Scene.open();
    const chat = newChat({ auto: true });
    const sent = chat.send("go");
    const { agent, turnId } = await scene.nextTurn();
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
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await scene.nextTurn();
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
    const loaded = newChat({ messages: (await scene.world.host.messages("c")).messages });
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
    const answers = await scene.world.host.approvals({ sessionId: (await scene.world.host.get("c")).id });
    expect(answers.map(({ id, how }) => `${id} ${how}`).sort()).toEqual(["p1 deny", "p2 allow", "p3 allow"]);
  });

  test("a page that was loaded again and not resumed may answer, and is shown only what is new", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await scene.nextTurn();
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

  test("a question outlives the server, and so does the page that answers it", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await scene.nextTurn();
    agent.say(turnId, "before");
    agent.ask(turnId, "p1", "c1", true);
    await paused(chat, 1);
    await sent;
    scene = await scene.restart();
    const later = newChat({ messages: chat.messages });
    await later.answer("p1", true);
    const rest = later.sendAnswers();
    const next = await scene.world.driver.connections.next();
    expect(next.input.waiting).toMatchObject({ turnId, approvals: [{ approvalId: "p1" }] });
    const asked = { turnId, approvalId: "p1", toolCallId: "c1", toolName: "bash", input: {}, durable: true };
    next.emit({ type: "tool-approval-request", ...asked });
    expect(await next.answers.next()).toMatchObject({ id: "p1", decision: { decision: "allow" } });
    next.chunk(turnId, { type: "tool-output-available", toolCallId: "c1", output: "o" });
    next.say(turnId, " after");
    next.complete(turnId);
    await rest;
    expect(textsOf(later.messages)).toEqual(["U:go", "A:before after"]);
    await agrees(later);
  });

  test("an answer that comes after everything is over shows how it ended", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await scene.nextTurn();
    agent.ask(turnId, "p1", "c1", true);
    await paused(chat, 1);
    await sent;
    const reader = new Reader(scene.world.host, "c");
    await scene.world.host.stop("c", turnId);
    await reader.until("turn.settled");
    await scene.world.store.fold(scene.world.clock.now() + 1, 10);
    await chat.answer("p1", true);
    await chat.sendAnswers();
    expect(chat.messages.at(-1)?.parts).toMatchObject([{ toolCallId: "c1", state: "output-error" }]);
    await agrees(chat);
    await reader.stop();
  });

  test("files are shown at an address of the server, and sent back by it", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await scene.nextTurn();
    agent.chunk(turnId, { type: "file", mediaType: "text/plain", url: "data:text/plain;base64,aGk=" });
    agent.complete(turnId);
    await sent;
    const part = chat.messages.at(-1)?.parts[0];
    const url = part?.type === "file" ? part.url : "";
    expect(url).toMatch(/^\/v1\/files\/fil_/);
    const again = chat.send("", { parts: [{ type: "file", mediaType: "text/plain", url }] });
    const next = await scene.nextTurn(agent);
    agent.say(next.turnId, "seen");
    agent.complete(next.turnId);
    await again;
    const { messages } = await scene.world.host.messages("c");
    expect(messages[2]?.parts).toMatchObject([{ url: `mooring:file/${url.slice(10)}` }]);
  });

  test("ten thousand chunks come whole", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("go");
    const { agent, turnId } = await scene.nextTurn();
    agent.chunk(turnId, { type: "text-start", id: "0" });
    for (let n = 0; n < 9_998; n++) agent.chunk(turnId, { type: "text-delta", id: "0", delta: `${n} ` });
    agent.chunk(turnId, { type: "text-end", id: "0" });
    agent.complete(turnId);
    await sent;
    await agrees(chat);
    expect(textsOf(chat.messages)[1]).toHaveLength(2 + 48_880);
  });

  test("a message the agent begins itself is shown to one who resumes, then the one it interrupted", async () => {
    scene = await Scene.open();
    const chat = newChat();
    const sent = chat.send("one");
    const { agent, turnId } = await scene.nextTurn();
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
