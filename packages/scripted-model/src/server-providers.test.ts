/** The server through the real providers of the AI SDK: what holds for one protocol holds for the other. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type LanguageModel, type ModelMessage, stepCountIs, streamText } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sleep } from "./play.ts";
import { type ScriptedServer, startScriptedServer } from "./server.ts";
import { memoryTools } from "./testing/file-tools.ts";

// The Anthropic provider warns about every model it does not know.
globalThis.AI_SDK_LOG_WARNINGS = false;

const stopWhen = stepCountIs(10);
const quiet = { maxRetries: 0, onError: () => {} };
const waits: number[] = [];
const sleep: Sleep = async (ms) => void waits.push(ms);
/** Called with every logged request. */
let onRequest = (): void => {};
let server: ScriptedServer;

beforeEach(async () => {
  onRequest = () => {};
  waits.length = 0;
  server = await startScriptedServer({ sleep, log: () => onRequest() });
});
afterEach(() => server.close());

const models: readonly [protocol: string, model: () => LanguageModel][] = [
  ["anthropic", () => createAnthropic({ baseURL: `${server.url}/v1`, apiKey: "dummy" })("m")],
  [
    "openai",
    () =>
      createOpenAICompatible({ name: "local", baseURL: `${server.url}/v1`, apiKey: "dummy", includeUsage: true })("m"),
  ],
];

describe.each(models)("%s: a script", (protocol, model) => {
  const script = "#think first\n#bash ls\n#write a.txt hi\\n\n#read a.txt\n#usage 70 9\n#say bye now";
  it("plays a script whole", async () => {
    const { steps, text } = await generateText({
      model: model(),
      prompt: script,
      tools: memoryTools(new Map()),
      stopWhen,
    });
    expect(text).toBe("bye now");
    expect(steps[0]?.reasoningText).toBe("first");
    expect(steps.flatMap((step) => step.toolResults.map((result) => result.output))).toEqual([
      "ran ls",
      "written",
      "hi\n",
    ]);
    expect(steps.at(-1)?.usage).toMatchObject({ inputTokens: 70, outputTokens: 9 });
    expect(steps.map((step) => step.finishReason)).toEqual(["tool-calls", "tool-calls", "tool-calls", "stop"]);
  });
  it("plays a script streamed", async () => {
    const result = streamText({ model: model(), prompt: script, tools: memoryTools(new Map()), stopWhen });
    const types = new Set<string>();
    for await (const part of result.fullStream) types.add(part.type);
    const steps = await result.steps;
    expect(await result.text).toBe("bye now");
    expect(steps[0]?.reasoningText).toBe("first");
    expect(steps.flatMap((step) => step.toolResults.map(({ output }) => output))).toEqual([
      "ran ls",
      "written",
      "hi\n",
    ]);
    expect(steps.at(-1)?.usage).toMatchObject({ inputTokens: 70, outputTokens: 9 });
    expect([...types]).toEqual(
      expect.arrayContaining(["reasoning-delta", "tool-input-delta", "text-delta", "tool-result"]),
    );
    expect(server.requests.map((request) => `${request.protocol} ${request.model} ${request.step.kind}`)).toEqual(
      ["bash", "write", "read", "say"].map((kind) => `${protocol} m ${kind}`),
    );
  });
  it("makes several calls in one response", async () => {
    const prompt = '#tools [{"name":"bash","input":{"command":"a"}},{"name":"bash","input":{"command":"b"}}]\n#say ok';
    const common = { model: model(), prompt, tools: memoryTools(new Map()), stopWhen };
    for (const steps of [(await generateText(common)).steps, await streamText(common).steps]) {
      expect(steps[0]?.toolResults.map((result) => result.output)).toEqual(["ran a", "ran b"]);
      expect(steps[1]?.text).toBe("ok");
    }
  });
  it("waits between slow words", async () => {
    expect(await streamText({ model: model(), prompt: "#slow 50 a b c" }).text).toBe("a b c");
    expect(waits).toEqual([50, 50]);
  });
  it("makes an invalid call of broken arguments, streamed and whole", async () => {
    const common = { model: model(), prompt: "#malformed\n#say ok", tools: memoryTools(new Map()), stopWhen };
    const whole = await generateText(common);
    const streamed = streamText(common);
    for (const steps of [whole.steps, await streamed.steps]) {
      expect(steps.map((step) => step.text)).toEqual(["", "ok"]);
      expect(steps[0]?.toolCalls).toMatchObject([{ invalid: true }]);
    }
  });
});

describe.each(models)("%s: trouble", (_, model) => {
  it("fails with a status as often as told", async () => {
    const { text } = await generateText({ model: model(), prompt: "#status 429 x2 after=0 slow down\n#say ok" });
    expect(text).toBe("ok");
    const kinds = server.requests.map((request) => request.step.kind);
    expect(kinds).toEqual(["status 429", "status 429", "say"]);
    const refused = generateText({ model: model(), prompt: "#status 400 prompt is too long" });
    await expect(refused).rejects.toMatchObject({ statusCode: 400, message: "prompt is too long" });
  });
  it("is cut in the middle", async () => {
    const { textStream } = streamText({ model: model(), prompt: "#cut 2\n#say a b c", ...quiet });
    const words: string[] = [];
    const reading = (async () => {
      for await (const word of textStream) words.push(word);
    })();
    await expect(reading).rejects.toThrow();
    expect(words.join("")).toBe("a b ");
    await expect(generateText({ model: model(), prompt: "#cut 2\n#say a b c", maxRetries: 0 })).rejects.toThrow();
  });
  it("hangs until the client aborts", async () => {
    const stop = new AbortController();
    onRequest = () => setImmediate(() => stop.abort());
    const { fullStream } = streamText({ model: model(), prompt: "#hang", abortSignal: stop.signal });
    const types: string[] = [];
    for await (const part of fullStream) types.push(part.type);
    expect(types.at(-1)).toBe("abort");
  });
});

describe.each(models)("%s: a conversation", (_, model) => {
  it("notes a message that comes in the middle, and obeys one with directives", async () => {
    const common = { model: model(), tools: memoryTools(new Map()), stopWhen };
    const start: ModelMessage = { role: "user", content: "#bash a\n#bash b\n#say c" };
    const first = await generateText({ ...common, messages: [start], stopWhen: stepCountIs(1) });
    const withSteer = (content: string): ModelMessage[] => [
      start,
      ...first.responseMessages,
      { role: "user", content },
    ];
    expect((await generateText({ ...common, messages: withSteer("faster") })).text).toBe("c (noted: faster)");
    expect((await generateText({ ...common, messages: withSteer("#say instead") })).text).toBe("instead");
  });
  it("obeys the newest of two prompts that nobody answered between", async () => {
    const messages: ModelMessage[] = ["#hang", "#say hi"].map((content) => ({ role: "user", content }));
    expect((await generateText({ model: model(), messages })).text).toBe("hi");
  });
  it("runs the demonstration, also when its tools are denied", async () => {
    const folder = new Map([["README.md", "# Boats"]]);
    const common = { model: model(), prompt: "hi", tools: memoryTools(folder), stopWhen };
    expect((await generateText(common)).text).toContain("mooring agents add");
    expect(folder.get("mooring-demo.md")).toContain("# Boats");
    const denied = await generateText({ ...common, toolApproval: { ls: "denied" } });
    expect(denied.text).toContain("That was the demonstration: I wrote");
    expect(denied.steps[1]?.text).toContain("quite all right");
  });
});
