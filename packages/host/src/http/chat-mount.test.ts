/** The gates of the server stand before useChat's routes as before all others. What those do is tested with them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { chatPaths } from "./chat-mount.ts";
import { defaultHttpLimits } from "./limits.ts";
import { type TestServer, testServer } from "./test-client.ts";

let server: TestServer;
beforeEach(async () => {
  server = await testServer({
    driver: { mode: "echo" },
    handler: { limits: { bodyBytes: { ...defaultHttpLimits.bodyBytes, chat: 5_000 } } },
  });
});
afterEach(() => server.end());
const post = {
  id: "chat-1",
  trigger: "submit-message",
  messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] }],
};

test("a chat is answered, by the one who asked", async () => {
  const answer = await server.send("POST", "/api/chat", { body: post });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(answer.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.text).toContain('"delta":"hello"');
  const { json } = await server.ask("listMessages", { params: { session: "chat-1" } });
  expect(json["messages"]).toHaveLength(2);
  const stored = await server.world.store.query.session("chat-1");
  const input = await server.world.store.query.input(stored?.no ?? 0, "m1");
  expect(input?.input.author).toBe("owner");
});

test.each(chatPaths)("$method $path has every gate before it", async ({ method, path }) => {
  const body = method === "POST" ? { body: post } : {};
  const at = path.replace(":id", "chat-1");
  const refused = async (headers: Readonly<Record<string, string | undefined>>) =>
    (await server.send(method, at, { ...body, headers })).json["code"];
  expect(await refused({ authorization: undefined })).toBe("unauthorized");
  expect(await refused({ host: "rebound.example" })).toBe("host-not-allowed");
  expect(await refused({ origin: "https://evil.example" })).toBe("origin-not-allowed");
  expect(await refused({ "sec-fetch-site": "cross-site" })).toBe("cross-site-request");
  if (method === "POST") expect(await refused({ "content-type": "text/plain" })).toBe("unsupported-media-type");
  expect((await server.send("DELETE", at)).status).toBe(405);
  expect((await server.world.host.list({})).items).toEqual([]);
});

test("history that clients send again has its own limit", async () => {
  const long = {
    ...post,
    messages: [{ id: "old", role: "user", parts: [{ type: "text", text: "x".repeat(5_000) }] }, ...post.messages],
  };
  expect((await server.send("POST", "/api/chat", { body: long })).json).toMatchObject({
    code: "body-too-large",
    maxBytes: 5_000,
  });
  expect((await server.send("HEAD", "/api/chat/chat-1/stream")).status).toBe(405);
  expect(server.handler.streams).toBe(0);
});
