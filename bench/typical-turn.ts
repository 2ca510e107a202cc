/** What an agent says in a usual turn: 60 chunks, among them two tool calls with their inputs and outputs. */
import type { UIMessageChunk } from "@mooring/host/driver";

const pieces = [
  "I will look at the file that the test names ",
  "and at the module it imports, ",
  "then say what has to change. ",
];
const output = Array.from({ length: 12 }, (_, n) => `${n + 1}: export const value${n} = compute(${n});`).join("\n");

function textOf(id: string, deltas: number): UIMessageChunk[] {
  const said = Array.from({ length: deltas }, (_, n): UIMessageChunk => {
    return { type: "text-delta", id, delta: pieces[n % pieces.length] ?? "" };
  });
  return [{ type: "text-start", id }, ...said, { type: "text-end", id }];
}

function callOf(toolCallId: string, path: string): UIMessageChunk[] {
  const input = { path };
  const json = JSON.stringify(input);
  const third = Math.ceil(json.length / 3);
  const deltas = [0, 1, 2].map((n): UIMessageChunk => {
    return { type: "tool-input-delta", toolCallId, inputTextDelta: json.slice(n * third, (n + 1) * third) };
  });
  return [
    { type: "tool-input-start", toolCallId, toolName: "read" },
    ...deltas,
    { type: "tool-input-available", toolCallId, toolName: "read", input },
    { type: "tool-output-available", toolCallId, output },
  ];
}

const stepOf = (...chunks: readonly UIMessageChunk[]): UIMessageChunk[] => [
  { type: "start-step" },
  ...chunks,
  { type: "finish-step" },
];

export const typicalTurn: readonly UIMessageChunk[] = [
  { type: "start" },
  ...stepOf(...textOf("1", 12), ...callOf("call_1", "src/first.ts")),
  ...stepOf(...textOf("2", 12), ...callOf("call_2", "src/second.ts")),
  ...stepOf(...textOf("3", 10)),
  { type: "finish" },
];
