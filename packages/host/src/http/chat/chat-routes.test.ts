/** The routes asked by hand, on a fake agent. */
import { afterEach, describe, expect, test } from "vitest";
import { Reader } from "../../testing/test-host.ts";
import { textsOf } from "./test-chat.ts";
import { type Chunk, chunksOf, Scene, saying, typesOf } from "./test-scene.ts";

let scene: Scene;
afterEach(() => scene.end());

describe("the routes", () => {
  test("the same message again gets the first one's answer, running and answered", async () => {
    scene = await Scene.open();
    const first = await scene.post(saying("u1", "hello"));
    const { agent, turnId } = await scene.nextTurn();
    agent.say(turnId, "hi");
    const second = await scene.post(saying("u1", "hello"));
    agent.complete(turnId);
    const all = ["start", "text-start", "text-delta", "text-end", "finish"];
    const [one, two] = [await chunksOf(first), await chunksOf(second)];
    expect([typesOf(one), typesOf(two)]).toEqual([all, all]);
    const third = await chunksOf(await scene.post(saying("u1", "hello")));
    expect([typesOf(third), third[0]?.["messageId"]]).toEqual([all, one[0]?.["messageId"]]);
    expect(agent.sends.all).toHaveLength(1);
  });

  test("two that come at once are one message in one chat", async () => {
    scene = await Scene.open({ driver: { mode: "echo" } });
    const both = await Promise.all([scene.post(saying("u1", "hello")), scene.post(saying("u1", "hello"))]);
    for (const response of both) expect(typesOf(await chunksOf(response)).at(-1)).toBe("finish");
    expect((await scene.world.host.messages("c")).messages).toHaveLength(2);
    expect((await scene.world.host.list()).items).toHaveLength(1);
  });

  test("another body under the same id is refused, unless it is an edit", async () => {
    scene = await Scene.open({ driver: { mode: "echo" } });
    await chunksOf(await scene.post(saying("u1", "hello")));
    const refused = await scene.post(saying("u1", "other"));
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "conflict" }]);
    await chunksOf(await scene.post(saying("u1", "other", { messageId: "u1" })));
    await chunksOf(await scene.post(saying("u1", "other", { messageId: "u1" }))); // comes twice
    const { messages } = await scene.world.host.messages("c");
    expect(textsOf(messages)).toEqual(["U:other", "A:other"]);
    expect((await scene.world.host.chat("c").input("u1"))?.messageId).toBe(messages[0]?.id);
  });

  test("a message whose turn failed is answered once more when it comes again", async () => {
    scene = await Scene.open();
    const failing = scene.post(saying("u1", "hello"));
    const { agent, turnId } = await scene.nextTurn();
    agent.emit({ type: "error", turnId, code: "odd", message: "It broke.", retry: "never" });
    const failed = await chunksOf(await failing);
    expect(failed.at(-1)).toEqual({ type: "error", errorText: "It broke." });
    const again = await Promise.all([scene.post(saying("u1", "hello")), scene.post(saying("u1", "hello"))]);
    const next = await scene.nextTurn();
    next.agent.say(next.turnId, "hi");
    next.agent.complete(next.turnId);
    for (const response of again) expect(typesOf(await chunksOf(response))).toContain("text-delta");
    expect(textsOf((await scene.world.host.messages("c")).messages)).toEqual(["U:hello", "A:hi"]);
  });

  test("an input that is withdrawn, and one that a hook handles, end their responses", async () => {
    scene = await Scene.open({ agent: { defaultDelivery: "queue" } });
    await scene.post(saying("u1", "one"));
    const waiting = scene.post(saying("u2", "two"));
    const inputs = scene.world.host.inputs("c");
    await scene.nextTurn();
    const reader = await scene.readerOf("c");
    await reader.until("input.accepted", 2);
    await inputs.cancel("u2");
    const chunks = await chunksOf(await waiting);
    expect(chunks.slice(-2)).toMatchObject([{ data: { state: "cancelled" } }, { type: "abort", reason: "cancelled" }]);
    await reader.stop();
    await scene.end();
    scene = await Scene.open({ hooks: { admit: async () => ({ do: "handled" }) } });
    expect(await chunksOf(await scene.post(saying("u1", "/help")))).toMatchObject([{ data: { state: "handled" } }]);
  });

  test("an edit of a message that still waits changes its words", async () => {
    scene = await Scene.open({ agent: { defaultDelivery: "queue" } });
    const first = await scene.post(saying("u1", "one"));
    const { agent, turnId } = await scene.nextTurn();
    await scene.post(saying("u2", "two"));
    const edited = await scene.post(saying("u2", "zwei", { messageId: "u2" }));
    agent.say(turnId, "a1");
    agent.complete(turnId);
    await chunksOf(first);
    const next = await scene.nextTurn(agent);
    agent.say(next.turnId, "a2");
    agent.complete(next.turnId);
    await chunksOf(edited);
    expect(textsOf((await scene.world.host.messages("c")).messages)).toEqual(["U:one", "A:a1", "U:zwei", "A:a2"]);
  });

  test("nothing is rewound under a running turn, nor on an agent that cannot", async () => {
    scene = await Scene.open();
    await scene.post(saying("u1", "one"));
    const { agent, turnId } = await scene.nextTurn();
    const busy = await scene.post(saying("u1", "other", { messageId: "u1" }));
    expect([busy.status, await busy.json()]).toMatchObject([409, { code: "session-busy" }]);
    agent.say(turnId, "a");
    const reader = new Reader(scene.world.host, "c");
    agent.complete(turnId);
    await reader.until("turn.settled");
    await reader.stop();
    await scene.end();
    scene = await Scene.open({ driver: { mode: "echo", capabilities: { history: "native", rewind: false } } });
    await chunksOf(await scene.post(saying("u1", "one")));
    const cannot = await scene.post(saying("u1", "one", { trigger: "regenerate-message" }));
    expect([cannot.status, await cannot.json()]).toMatchObject([409, { code: "rewind-unsupported" }]);
  });

  test("a chat that is not there: nothing to resume, and nothing is made", async () => {
    scene = await Scene.open();
    expect((await scene.resume("nowhere")).status).toBe(204);
    expect((await scene.resume("ses_nowhere")).status).toBe(204);
    expect((await scene.post({ turnId: "t" }, "/nowhere/stop")).status).toBe(404);
    expect((await scene.world.host.list()).items).toEqual([]);
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
    [
      "more answers than there can be questions",
      answered(Array.from({ length: 101 }, () => yes)),
      400,
      "bad-request",
      "/messages",
    ],
    [
      "a large message with an answer in it, of a chat that is not there",
      answered([{ type: "data-x", data: Array.from({ length: 250_000 }, (_, n) => n) }, yes]),
      404,
      "no-such-session",
      undefined,
    ],
    ["answers in a chat that is not there", answered([yes]), 404, "no-such-session", undefined],
  ])("%s is refused before anything is made", async (_, body, status, code, pointer) => {
    scene = await Scene.open();
    const response = await scene.post(body);
    const problem = (await response.json()) as { code: string; errors?: { pointer: string }[] };
    expect([response.status, problem.code, problem.errors?.[0]?.pointer]).toEqual([status, code, pointer]);
    expect((await scene.world.host.list()).items).toEqual([]);
  });

  test("a question of another session, or of none, is unknown", async () => {
    scene = await Scene.open();
    await Promise.all([scene.post(saying("u1", "go")), scene.post(saying("v1", "go", { id: "other" }))]);
    for (const approval of ["p", "q"]) {
      const { agent, turnId } = await scene.nextTurn();
      agent.ask(turnId, approval, "c1", true);
      const reader = await scene.readerOf(agent.input.session.sessionId);
      await reader.until("approval.requested");
      await reader.stop();
    }
    const [mine] = (await scene.world.host.snapshot("c")).open;
    const others = (await scene.world.host.snapshot("other")).approvals[0]?.id ?? "";
    const giving = (approval: string) =>
      scene.post({
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
    expect((await scene.world.host.approvals({ open: true })).map(({ id }) => id).sort()).toEqual(["p", "q"]);
  });

  test("a session's own id is a chat's id too", async () => {
    scene = await Scene.open({ driver: { mode: "echo" } });
    const id = await scene.world.session();
    expect(typesOf(await chunksOf(await scene.post(saying("u1", "hello", { id }))))).toContain("finish");
    expect(textsOf((await scene.world.host.messages(id)).messages)).toEqual(["U:hello", "A:hello"]);
    expect((await scene.resume(id)).status).toBe(204);
  });

  test("a stop without a turn says which field it misses", async () => {
    scene = await Scene.open({ driver: { mode: "echo" } });
    await chunksOf(await scene.post(saying("u1", "one")));
    const response = await scene.post({}, "/c/stop");
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ pointer: "/turnId" }] }]);
  });

  test("every event is one line of data, with the session's cursor for an id", async () => {
    scene = await Scene.open();
    const response = await scene.post(saying("u1", "go"));
    const { agent, turnId } = await scene.nextTurn();
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
    const sessionId = (await scene.world.host.get("c")).id;
    for (const block of blocks) expect(block).toMatch(/^id: [a-z0-9]+\.1\.\d+\ndata: \{[^\n]*\}$/);
    expect(JSON.parse(blocks[0]?.split("data: ")[1] ?? "")).toEqual({
      type: "start",
      messageId: "msg_0001",
      messageMetadata: { sessionId, turnId, inputId: "u1", cursor: blocks[0]?.slice(4, blocks[0].indexOf("\n")) },
    });
  });

  test("who joins late gets ten thousand events from the first on", async () => {
    scene = await Scene.open();
    const first = await scene.post(saying("u1", "go"));
    const { agent, turnId } = await scene.nextTurn();
    for (const id of ["0", "1"]) agent.chunk(turnId, { type: "text-start", id });
    for (let n = 0; n < 9_996; n++) agent.chunk(turnId, { type: "text-delta", id: `${n % 2}`, delta: "x" });
    const second = await scene.resume("c");
    for (const id of ["0", "1"]) agent.chunk(turnId, { type: "text-end", id });
    agent.complete(turnId);
    const [one, two] = await Promise.all([chunksOf(first), chunksOf(second)]);
    const said = (chunks: readonly Chunk[]) =>
      chunks.map((chunk) => (chunk.type === "text-delta" ? chunk["delta"] : ""));
    expect([said(one).join("").length, said(two).join("").length]).toEqual([9_996, 9_996]);
    expect(typesOf(two).slice(0, 3)).toEqual(["start", "text-start", "text-start"]);
  });

  test("a replay that begins inside parts is whole: each from its start, with all there is so far in one delta", async () => {
    scene = await Scene.open();
    const first = await scene.post(saying("u1", "go"));
    const { agent, turnId } = await scene.nextTurn();
    agent.chunk(turnId, { type: "reasoning-start", id: "r" });
    for (const delta of ["h", "m", "m"]) agent.chunk(turnId, { type: "reasoning-delta", id: "r", delta });
    agent.chunk(turnId, { type: "text-start", id: "t1" });
    for (const delta of ["so ", "far ", "so"]) agent.chunk(turnId, { type: "text-delta", id: "t1", delta });
    agent.chunk(turnId, { type: "tool-input-start", toolCallId: "c1", toolName: "bash" });
    for (const inputTextDelta of ["{", "}"])
      agent.chunk(turnId, { type: "tool-input-delta", toolCallId: "c1", inputTextDelta });
    const reader = await scene.readerOf("c");
    agent.emit({ type: "notice", level: "info", code: "here", text: "All before is stored." });
    await reader.until("notice");
    await first.body?.cancel();
    const second = await scene.resume("c");
    agent.chunk(turnId, { type: "text-delta", id: "t1", delta: " good" });
    agent.complete(turnId);
    await reader.until("turn.settled");
    const chunks = await chunksOf(second);
    const [message] = (await scene.world.host.messages("c")).messages.slice(-1);
    expect(chunks[0]).toMatchObject({ type: "start", messageId: message?.id });
    expect(chunks.slice(1, 7)).toEqual([
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "hmm" },
      { type: "text-start", id: "t1" },
      { type: "text-delta", id: "t1", delta: "so far so" },
      { type: "tool-input-start", toolCallId: "c1", toolName: "bash" },
      { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: "{}" },
    ]);
    expect(chunks.at(-1)?.type).toBe("finish");
    await reader.stop();
  });

  test("silence carries a heartbeat", async () => {
    scene = await Scene.open();
    const response = await scene.post(saying("u1", "go"));
    await scene.nextTurn();
    const reader = response.body?.getReader();
    const text = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(await text()).toContain('"type":"start"');
    const next = text();
    await new Promise((resolve) => setImmediate(resolve));
    scene.world.clock.advance(15_000);
    expect(await next).toBe(": \n\n");
    await reader?.cancel();
  });
});
