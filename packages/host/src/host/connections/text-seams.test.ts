import { expect, test } from "vitest";
import type { AgentRuntimeEvent } from "../../ports/driver.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import { TextSeams } from "./text-seams.ts";

const event = (chunk: UIMessageChunk, turnId = "trn_1"): AgentRuntimeEvent => ({ type: "chunk", turnId, chunk });
const delta = (text: string, id = "p", turnId = "trn_1") => event({ type: "text-delta", id, delta: text }, turnId);
const textsOf = (events: readonly AgentRuntimeEvent[]): string[] =>
  events.flatMap((each) => (each.type === "chunk" && each.chunk.type === "text-delta" ? [each.chunk.delta] : []));

test("a pair that is cut between two pieces comes whole with the second", () => {
  const seams = new TextSeams();
  const heard = [delta("a\ud83d"), delta("\ude00b"), delta("c")].map((each) => seams.join(each));
  expect(textsOf(heard)).toEqual(["a", "\ud83d\ude00b", "c"]);
});

test("the halves of different parts and turns do not meet", () => {
  const seams = new TextSeams();
  const heard = [delta("\ud83d", "p"), delta("\ude01", "q"), delta("\ude02", "p", "trn_2"), delta("\ude00", "p")].map(
    (each) => seams.join(each),
  );
  expect(textsOf(heard)).toEqual(["", "\ude01", "\ude02", "\ud83d\ude00"]);
});

test("a half whose part ends is gone; other events are themselves", () => {
  const seams = new TextSeams();
  seams.join(delta("a\ud83d"));
  const end = event({ type: "text-end", id: "p" });
  expect(seams.join(end)).toBe(end);
  expect(textsOf([seams.join(delta("\ude00"))])).toEqual(["\ude00"]);
  const others = [
    { type: "title", title: "\ud83d" },
    { type: "chunk", turnId: "t", chunk: null },
    { type: "chunk", turnId: "t", chunk: { type: "text-delta" } },
  ];
  for (const other of others) expect(seams.join(other as AgentRuntimeEvent)).toBe(other);
});

test("tool inputs, reasoning and flows are joined too", () => {
  const seams = new TextSeams();
  const flow = (chunk: UIMessageChunk): AgentRuntimeEvent => ({
    type: "background-flow-chunk",
    rootToolCallId: "r",
    chunk,
  });
  for (const made of [
    (text: string): UIMessageChunk => ({ type: "reasoning-delta", id: "p", delta: text }),
    (text: string): UIMessageChunk => ({ type: "tool-input-delta", toolCallId: "c", inputTextDelta: text }),
  ]) {
    seams.join(flow(made("\ud83d")));
    expect(seams.join(flow(made("\ude00")))).toEqual(flow(made("\ud83d\ude00")));
  }
});
