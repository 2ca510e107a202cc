/** What an agent says in a usual turn: 60 chunks, among them two tool calls with their inputs and outputs. */
import type { UIMessageChunk } from "@mooring/host/driver";

const pieces = [
  "I will look at the file that the test names ",
  "and at the module it imports, ",
  "then say what has to change. ",
];
/** Lines a tool gives back: a short file, some of a long one. */
const lengths = [12, 25, 40, 120];

function textOf(id: string, deltas: number): UIMessageChunk[] {
  const said = Array.from({ length: deltas }, (_, n): UIMessageChunk => {
    return { type: "text-delta", id, delta: pieces[n % pieces.length] ?? "" };
  });
  return [{ type: "text-start", id }, ...said, { type: "text-end", id }];
}

const outputOf = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `${n + 1}: export const value${n} = compute(${n});`).join("\n");

function callOf(toolCallId: string, path: string, lines: number): UIMessageChunk[] {
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
    { type: "tool-output-available", toolCallId, output: outputOf(lines) },
  ];
}

const stepOf = (...chunks: readonly UIMessageChunk[]): UIMessageChunk[] => [
  { type: "start-step" },
  ...chunks,
  { type: "finish-step" },
];

/** The `n`th differs from others in the length of its tool outputs only: 1 to 10 KB in all. */
export function typicalTurn(n = 0): readonly UIMessageChunk[] {
  const lines = lengths[n % lengths.length] ?? 0;
  return [
    { type: "start" },
    ...stepOf(...textOf("1", 12), ...callOf("call_1", "src/first.ts", lines)),
    ...stepOf(...textOf("2", 12), ...callOf("call_2", "src/second.ts", lines)),
    ...stepOf(...textOf("3", 10)),
    { type: "finish" },
  ];
}
