import { expect, test } from "vitest";
import type { Frame } from "./frames.ts";
import { MessageWriter, type Said } from "./message-writer.ts";

const event = (event: object): Frame => ({ type: "stream_event", event });
const start = (id: string): Frame => event({ type: "message_start", message: { id } });
const open = (index: number, content_block: object): Frame =>
  event({ type: "content_block_start", index, content_block });
const delta = (index: number, delta: object): Frame => event({ type: "content_block_delta", index, delta });
const assistant = (id: string, ...content: object[]): Frame => ({
  type: "assistant",
  uuid: "u",
  message: { id, content },
});
const kinds = (said: readonly Said[]): string[] =>
  said.map((one) => (one.kind === "chunk" ? one.chunk.type : `abandoned ${one.part}`));
const call = { type: "tool_use", id: "call_1", name: "Bash", input: { command: "ls" } };
const results = { isStopping: false, isDenied: () => false };

test("what a broken stream left is abandoned when the next answer begins", () => {
  const writer = new MessageWriter();
  writer.stream(start("m1"));
  writer.stream(open(0, { type: "text" }));
  writer.stream(open(1, { type: "tool_use", id: "call_1", name: "Bash" }));
  expect(kinds(writer.stream(start("m2")))).toEqual([
    "abandoned m1:0",
    "abandoned call_1",
    "finish-step",
    "start-step",
  ]);
});

test("an answer that was not streamed is told whole, one step for all its frames", () => {
  const writer = new MessageWriter();
  const said = [
    ...writer.assistant(assistant("m1", { type: "text", text: "hello" })),
    ...writer.assistant(assistant("m1", { type: "text", text: "again" })),
    ...writer.end(""),
  ];
  expect(kinds(said)).toEqual([
    "start-step",
    "text-start",
    "text-delta",
    "text-end",
    "text-start",
    "text-delta",
    "text-end",
    "finish-step",
  ]);
});

test("a finished block that was streamed is told once", () => {
  const writer = new MessageWriter();
  writer.stream(start("m1"));
  writer.stream(open(0, { type: "text" }));
  writer.stream(delta(0, { type: "text_delta", text: "hi" }));
  expect(writer.assistant(assistant("m1", { type: "text", text: "hi" }))).toEqual([]);
});

test("a call is shown once, its result once, and a result of an unknown call not at all", () => {
  const writer = new MessageWriter();
  writer.stream(start("m1"));
  expect(kinds(writer.assistant(assistant("m1", call)))).toEqual(["tool-input-available"]);
  expect(writer.assistant(assistant("m1", call))).toEqual([]);
  const result = { type: "tool_result", tool_use_id: "call_1", content: "out", is_error: false };
  const frame: Frame = { type: "user", message: { content: [result] } };
  expect(writer.results(frame, results)).toEqual([
    { kind: "chunk", chunk: { type: "tool-output-available", toolCallId: "call_1", output: "out" } },
  ]);
  expect(writer.results(frame, results)).toEqual([]);
});

test("a call that was stopped says that its outcome is not known, whatever the agent says", () => {
  const writer = new MessageWriter();
  writer.assistant(assistant("m1", call));
  const result = { type: "tool_result", tool_use_id: "call_1", content: "The user rejected it", is_error: true };
  const said = writer.results({ type: "user", message: { content: [result] } }, { ...results, isStopping: true });
  expect(said).toMatchObject([{ chunk: { type: "tool-output-error", errorText: expect.stringMatching(/^Stopped/) } }]);
});

test("at the end nothing is open", () => {
  const writer = new MessageWriter();
  writer.stream(start("m1"));
  writer.stream(open(0, { type: "thinking" }));
  writer.assistant(assistant("m1", call));
  expect(kinds(writer.end("why"))).toEqual(["reasoning-end", "tool-output-error", "finish-step"]);
  expect(writer.end("why")).toEqual([]);
});
