import {
  APICallError,
  generateText,
  type ModelMessage,
  stepCountIs,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from "ai";
import { describe, expect, it } from "vitest";
import type { Sleep } from "./play.ts";
import { scriptedModel } from "./scripted-model.ts";
import { memoryTools } from "./testing/file-tools.ts";

const stopWhen = stepCountIs(10);

async function partsOf(stream: AsyncIterable<TextStreamPart<ToolSet>>): Promise<TextStreamPart<ToolSet>[]> {
  const parts: TextStreamPart<ToolSet>[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const typesOf = (parts: readonly { readonly type: string }[]): string[] => parts.map((part) => part.type);
const quiet = { maxRetries: 0, onError: () => {} };

describe("generateText", () => {
  it("plays a script in a tool loop", async () => {
    const model = scriptedModel();
    const prompt = "#think first\n#bash ls\n#write a.txt hi\\n\n#read a.txt\n#say bye";
    const folder = new Map<string, string>();
    const { steps, text } = await generateText({ model, prompt, tools: memoryTools(folder), stopWhen });
    expect(text).toBe("bye");
    expect(steps.map((step) => step.finishReason)).toEqual(["tool-calls", "tool-calls", "tool-calls", "stop"]);
    expect(steps[0]?.reasoningText).toBe("first");
    expect(steps[0]?.toolResults[0]?.output).toBe("ran ls");
    expect(steps[2]?.toolResults[0]?.output).toBe("hi\n");
    expect(steps.flatMap((step) => step.toolCalls.map((call) => call.toolCallId))).toEqual([
      "call_1_1",
      "call_3_2",
      "call_5_3",
    ]);
    expect(model.requests.map(({ n, protocol, step }) => `${n} ${protocol} ${step.index} ${step.kind}`)).toEqual([
      "1 ai-sdk 0 bash",
      "2 ai-sdk 1 write",
      "3 ai-sdk 2 read",
      "4 ai-sdk 3 say",
    ]);
  });
  it("reports usage", async () => {
    const { usage } = await generateText({ model: scriptedModel(), prompt: "#usage 900 80\n#say x" });
    expect(usage).toMatchObject({ inputTokens: 900, outputTokens: 80, totalTokens: 980 });
  });
  it("fails with the status, which the SDK retries by its kind", async () => {
    const model = scriptedModel();
    const once = await generateText({ model, prompt: "#status 529 x2 after=0 busy\n#say ok" });
    expect(once.text).toBe("ok");
    expect(model.requests.map((request) => request.step.kind)).toEqual(["status 529", "status 529", "say"]);
    const refused = generateText({ model, prompt: "#status 401 who are you" });
    await expect(refused).rejects.toMatchObject({ statusCode: 401, message: "who are you", isRetryable: false });
  });
  it("is cut and hangs like a connection", async () => {
    const cut = generateText({ model: scriptedModel(), prompt: "#cut 1\n#say one two", maxRetries: 0 });
    await expect(cut).rejects.toSatisfy((error) => APICallError.isInstance(error) && error.isRetryable);
    const stop = new AbortController();
    const model = scriptedModel({ log: () => setImmediate(() => stop.abort()) });
    const hung = generateText({ model, prompt: "#hang", abortSignal: stop.signal });
    await expect(hung).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("streamText", () => {
  it("streams words, reasoning and tool input", async () => {
    const model = scriptedModel();
    const { fullStream } = streamText({
      model,
      prompt: "#think a b\n#bash ls\n#say c d",
      tools: memoryTools(new Map()),
      stopWhen,
    });
    const parts = await partsOf(fullStream);
    expect(typesOf(parts).filter((type) => !/^(start|finish)/.test(type))).toEqual([
      ...["reasoning-start", "reasoning-delta", "reasoning-delta", "reasoning-end"],
      ...["tool-input-start", "tool-input-delta", "tool-input-delta", "tool-input-delta", "tool-input-end"],
      ...["tool-call", "tool-result", "text-start", "text-delta", "text-delta", "text-end"],
    ]);
  });
  it("waits as the script and the options say", async () => {
    const waits: number[] = [];
    const sleep: Sleep = async (ms) => void waits.push(ms);
    const { text } = streamText({ model: scriptedModel({ sleep, delayMs: 4 }), prompt: "#slow 9 a b c" });
    expect([await text, waits]).toEqual(["a b c", [9, 9]]);
  });
  it("ends with an abort part when aborted in a delay or a hang", async () => {
    for (const prompt of ["#slow 1000 a b", "#hang"]) {
      const stop = new AbortController();
      const sleep: Sleep = () => new Promise(() => {});
      const model = scriptedModel({ sleep, log: () => setImmediate(() => stop.abort()) });
      const { fullStream } = streamText({ model, prompt, abortSignal: stop.signal });
      expect(typesOf(await partsOf(fullStream)).at(-1)).toBe("abort");
    }
  });
  it("stops when its reader goes away", async () => {
    const noTools = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "#hang" }] }] };
    const { stream } = await scriptedModel().doStream(noTools);
    const reader = stream.getReader();
    await reader.read();
    await expect(reader.cancel()).resolves.toBeUndefined();
  });
  it("breaks when cut, after the pieces it let through", async () => {
    const { textStream } = streamText({ model: scriptedModel(), prompt: "#cut 2\n#say a b c", ...quiet });
    const words: string[] = [];
    const reading = (async () => {
      for await (const word of textStream) words.push(word);
    })();
    await expect(reading).rejects.toSatisfy(APICallError.isInstance);
    expect(words).toEqual(["a ", "b "]);
  });
  it("ends in an error part when refused", async () => {
    const { fullStream } = streamText({ model: scriptedModel(), prompt: "#status 403", ...quiet });
    const parts = await partsOf(fullStream);
    expect(parts.find((part) => part.type === "error")).toMatchObject({ error: { statusCode: 403 } });
  });
});

describe("a conversation", () => {
  it("runs the demonstration without a script, and goes on when a tool is denied", async () => {
    const folder = new Map([
      ["README.md", "# Boats\n"],
      ["b.txt", ""],
    ]);
    const tools = memoryTools(folder);
    const { text, steps } = await generateText({ model: scriptedModel(), prompt: "hi", tools, stopWhen });
    expect(steps.flatMap((step) => step.toolCalls.map((call) => call.toolName))).toEqual(["ls", "read", "write"]);
    expect(folder.get("mooring-demo.md")).toContain("README.md begins with: # Boats");
    expect(text).toContain("mooring agents add");
    const toolApproval = { ls: "denied", read: "denied", write: "denied" } as const;
    const denied = await generateText({ model: scriptedModel(), prompt: "hi", tools, stopWhen, toolApproval });
    expect(denied.text).toContain("refused or failed; that is quite all right");
  });
  it("passes over what it cannot use: files are not fetched, unknown tools not hidden", async () => {
    const model = scriptedModel();
    const content = [
      { type: "text" as const, text: "#tool nowhere {}\n#say ok" },
      { type: "file" as const, data: new URL("http://127.0.0.1:1/a.png"), mediaType: "image/png" },
    ];
    const { text } = await generateText({
      model,
      messages: [{ role: "user", content }],
      tools: memoryTools(new Map()),
      stopWhen,
    });
    expect(text).toBe("ok");
    expect(model.requests[0]?.prompt).toMatchObject([{ role: "user", files: ["image/png"] }]);
  });
  it("makes an invalid call of broken arguments and goes on", async () => {
    const model = scriptedModel();
    const tools = memoryTools(new Map());
    const { text, steps } = await generateText({ model, prompt: "#malformed\n#say ok", tools, stopWhen });
    expect(text).toBe("ok");
    expect(steps[0]?.toolCalls).toMatchObject([{ invalid: true, input: '{"command": "echo broken' }]);
    expect(model.requests[1]?.prompt.at(-1)).toMatchObject({ results: [{ failed: true }] });
  });
  it("notes a message that comes in the middle", async () => {
    const common = { model: scriptedModel(), tools: memoryTools(new Map()) };
    const start: ModelMessage = { role: "user", content: "#bash a\n#bash b\n#say c" };
    const first = await generateText({ ...common, messages: [start] });
    const steer: ModelMessage = { role: "user", content: "faster please" };
    const messages = [start, ...first.responseMessages, steer];
    const { text } = streamText({ ...common, messages, stopWhen });
    expect(await text).toBe("c (noted: faster please)");
  });
});
