import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { estimatedTokens, transcript } from "./transcript.ts";

const messages: ModelMessage[] = [
  { role: "user", content: "list the files" },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "I look." },
      { type: "tool-call", toolCallId: "c1", toolName: "ls", input: { path: "." } },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "c1", toolName: "ls", output: { type: "text", value: "a.txt" } }],
  },
];

test("a conversation reads as lines", () => {
  expect(transcript(messages, 10_000).split("\n")).toEqual([
    "User: list the files",
    "Assistant: I look.",
    'Assistant: calls ls {"path":"."}',
    'Result of ls: "a.txt"',
  ]);
});

test("what does not fit is the oldest", () => {
  expect(transcript(messages, 60).split("\n")).toEqual([
    "[the oldest part is left out]",
    'Assistant: calls ls {"path":"."}',
    'Result of ls: "a.txt"',
  ]);
});

test("a long piece keeps its start and its end", () => {
  const line = transcript([{ role: "user", content: `a${"x".repeat(50_000)}z` }], 100_000);
  expect(line.length).toBeLessThan(limits.transcriptItemChars + 100);
  expect(line).toMatch(/^User: ax+ \[\d+ characters left out\] x+z$/);
});

test("tokens are reckoned without images", () => {
  const image: ModelMessage = {
    role: "user",
    content: [
      { type: "text", text: "abcd" },
      { type: "file", mediaType: "image/png", data: "x".repeat(100_000) },
    ],
  };
  expect(estimatedTokens([image])).toBeLessThan(10);
});
