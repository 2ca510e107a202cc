import { describe, expect, it } from "vitest";
import type { Ending } from "./answer.ts";
import { type PlayEvent, play, type Sleep } from "./play.ts";
import type { Reply, ReplyBlock } from "./player.ts";

const text = (words: string, delayMs?: number): ReplyBlock => ({
  type: "text",
  text: words,
  ...(delayMs !== undefined && { delayMs }),
});
const replyOf = (blocks: readonly ReplyBlock[], ending: Ending = { type: "finish" }): Reply => ({
  type: "answer",
  id: "msg_1_1",
  blocks,
  ending,
  usage: { input: 1, output: 1, reasoning: 0 },
});
const live = new AbortController().signal;

/** What was played, as short words, and how it ended. */
async function record(events: AsyncIterable<PlayEvent>): Promise<{ played: string[]; error?: unknown }> {
  const played: string[] = [];
  try {
    for await (const event of events)
      played.push(event.type === "delta" ? event.delta : `${event.type} ${event.index}`);
  } catch (error) {
    return { played, error };
  }
  return { played };
}

describe("play", () => {
  it("gives text word by word and arguments in at most three parts", async () => {
    const call: ReplyBlock = { type: "call", id: "c", name: "x", input: '{"a":1}' };
    const { played } = await record(play(replyOf([text("one  two\nthree"), call]), {}, live));
    expect(played).toEqual(["open 0", "one  ", "two\n", "three", "close 0", "open 1", '{"a', '":1', "}", "close 1"]);
  });
  it("opens and closes an empty block", async () => {
    expect(await record(play(replyOf([text("")]), {}, live))).toEqual({ played: ["open 0", "close 0"] });
  });
  it("waits between words, by the block's delay or else the default", async () => {
    const waits: number[] = [];
    const sleep: Sleep = async (ms) => void waits.push(ms);
    await record(play(replyOf([text("a b c", 7), text("d e")]), { delayMs: 3, sleep }, live));
    expect(waits).toEqual([7, 7, 3]);
  });
  it.each([
    [0, ["open 0", "because ", "I ", "say", "close 0", "open 1"]],
    [1, ["open 0", "because ", "I ", "say", "close 0", "open 1", "one "]],
    [9, ["open 0", "because ", "I ", "say", "close 0", "open 1", "one ", "two", "close 1"]],
  ])("cuts after %i pieces, not counting reasoning", async (pieces, expected) => {
    const blocks: ReplyBlock[] = [{ type: "reasoning", text: "because I say" }, text("one two")];
    const { played, error } = await record(play(replyOf(blocks, { type: "cut", pieces }), {}, live));
    expect(played).toEqual(expected);
    expect(error).toMatchObject({ name: "ScriptedModelError", code: "cut" });
  });
  it("leaves a delay at once when aborted, also when the sleep does not", async () => {
    const stop = new AbortController();
    const reason = new DOMException("enough", "AbortError");
    const sleep: Sleep = () => {
      stop.abort(reason);
      return new Promise(() => {});
    };
    const { played, error } = await record(play(replyOf([text("one two", 5)]), { sleep }, stop.signal));
    expect(played).toEqual(["open 0", "one "]);
    expect(error).toBe(reason);
  });
  it("hangs until aborted, after what it had to say", async () => {
    const stop = new AbortController();
    const hanging = record(play(replyOf([text("hm")], { type: "hang" }), {}, stop.signal));
    stop.abort("user");
    const { played, error } = await hanging;
    expect(played).toEqual(["open 0"]);
    expect(error).toMatchObject({ name: "AbortError", message: "user" });
  });
  it("really waits by default", async () => {
    const stop = new AbortController();
    const waiting = record(play(replyOf([text("one two", 3_600_000)]), {}, stop.signal));
    setImmediate(() => stop.abort());
    expect((await waiting).error).toMatchObject({ name: "AbortError" });
  });
});
