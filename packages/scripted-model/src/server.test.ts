import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ScriptedServer, startScriptedServer } from "./server.ts";

let server: ScriptedServer;

beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const post = (path: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body), ...init });
const promptBody = (content: string, more: object = {}): object => ({
  model: "m",
  messages: [{ role: "user", content }],
  ...more,
});

describe("a request to the server", () => {
  it("counts tokens", async () => {
    const response = await post("/v1/messages/count_tokens", promptBody("12345678", { system: "1234" }));
    expect(await response.json()).toEqual({ input_tokens: 3 });
    expect(server.requests[0]?.step.kind).toBe("count_tokens");
  });
  it("lists its model, answers any HEAD and knows no other path", async () => {
    const list = await fetch(`${server.url}/v1/models`);
    expect(await list.json()).toMatchObject({ object: "list", data: [{ id: "scripted" }] });
    expect((await fetch(`${server.url}/api/hello`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/other?x=1`)).status).toBe(404);
    expect(server.requests.map((request) => request.step.kind)).toEqual([
      "GET /v1/models",
      "HEAD /api/hello",
      "GET /v1/other",
    ]);
  });
  it.each([
    ["/v1/messages", { type: "error", error: { type: "invalid_request_error", message: "The body is not JSON." } }],
    ["/v1/chat/completions", { error: { type: "invalid_request_error", message: "The body is not JSON." } }],
  ])("refuses a body that is not JSON: %s", async (path, error) => {
    const response = await fetch(`${server.url}${path}`, { method: "POST", body: "{" });
    expect([response.status, await response.json()]).toMatchObject([400, error]);
  });
  it("sends retry-after and the error type of the status", async () => {
    const response = await post("/v1/messages?beta=true", promptBody("#status 529 after=7 busy"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([529, "7"]);
    expect(await response.json()).toEqual({ type: "error", error: { type: "overloaded_error", message: "busy" } });
  });
});

describe("a response of the server", () => {
  it("streams OpenAI usage only when asked", async () => {
    const plain = await (await post("/v1/chat/completions", promptBody("#say x", { stream: true }))).text();
    const options = { stream: true, stream_options: { include_usage: true } };
    const asked = await (await post("/v1/chat/completions", promptBody("#say x", options))).text();
    expect([plain.includes('"usage"'), asked.includes('"usage"')]).toEqual([false, true]);
    expect(plain.endsWith("data: [DONE]\n\n")).toBe(true);
  });
  it("sends the headers of a hang and nothing else", async () => {
    for (const stream of [true, false]) {
      const stop = new AbortController();
      const response = await post("/v1/messages", promptBody("#hang", { stream }), { signal: stop.signal });
      expect(response.status).toBe(200);
      const reading = response.text();
      stop.abort();
      await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    }
  });
  it("closes while a response hangs", async () => {
    const response = await post("/v1/messages", promptBody("#hang", { stream: true }));
    const reading = response.text();
    await server.close();
    await expect(reading).rejects.toThrow();
  });
  it("reads Claude Code's shape: reminders, tool results and a steer in one user message", async () => {
    const text = (value: string) => ({ type: "text", text: value });
    const messages = [
      { role: "user", content: [text("<system-reminder>#say no</system-reminder>"), text("#bash a\n#say b")] },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: [text("out")], is_error: true }, text("psst")],
      },
    ];
    const response = await post("/v1/messages", { model: "m", system: [text("be")], messages });
    expect(await response.json()).toMatchObject({ content: [text("b (noted: psst)")], stop_reason: "end_turn" });
    expect(server.requests[0]).toMatchObject({
      system: "be",
      prompt: [
        { role: "user" },
        { role: "user", text: "#bash a\n#say b" },
        { role: "assistant", calls: [{ id: "t", name: "Bash", input: "{}" }] },
        { role: "tool", results: [{ callId: "t", text: "out", failed: true }] },
        { role: "user", text: "psst" },
      ],
    });
  });
  it("says when its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(startScriptedServer({ port })).rejects.toMatchObject({ code: "listen-failed" });
    other.close();
  });
});

describe("its log file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "scripted-model-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  it("gets one JSON line per request", async () => {
    const log = join(folder, "requests.jsonl");
    const logged = await startScriptedServer({ log, now: () => 9 });
    for (const prompt of ["#say a", "#say b"]) {
      await fetch(`${logged.url}/v1/messages`, { method: "POST", body: JSON.stringify(promptBody(prompt)) });
    }
    await logged.close();
    const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(logged.requests);
    expect(logged.requests.map(({ n, at }) => [n, at])).toEqual([
      [1, 9],
      [2, 9],
    ]);
  });
});
