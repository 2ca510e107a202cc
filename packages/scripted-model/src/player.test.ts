import { describe, expect, it } from "vitest";
import { Player } from "./player.ts";
import { conversation, fileTools, said, user } from "./testing/conversations.ts";

const replies = (player: Player, prompt: string, times: number) =>
  Array.from({ length: times }, () => player.reply("ai-sdk", "m", conversation([user(prompt)])));
const idsOf = (player: Player, ...texts: readonly string[]) =>
  texts.flatMap((text) => {
    const reply = player.reply("ai-sdk", "m", conversation([user("before"), said("x"), user(text)]));
    return reply.type === "answer" ? reply.blocks.flatMap((block) => (block.type === "call" ? [block.id] : [])) : [];
  });

describe("Player", () => {
  it("serves each failure as often as it says and then goes on", () => {
    const script = "#status 429 x2 after=3 slow down\n#status 503 x1\n#say ok";
    expect(replies(new Player(), script, 5).map((reply) => (reply.type === "failure" ? reply : reply.type))).toEqual([
      { type: "failure", status: 429, message: "slow down", retryAfter: 3 },
      { type: "failure", status: 429, message: "slow down", retryAfter: 3 },
      { type: "failure", status: 503, message: "scripted failure 503" },
      "answer",
      "answer",
    ]);
  });
  it("counts failures per instance and, without a number, for ever", () => {
    const player = new Player();
    expect(replies(player, "#status 500 x1\n#say ok", 2).map((reply) => reply.type)).toEqual(["failure", "answer"]);
    expect(replies(new Player(), "#status 500 x1\n#say ok", 1)).toMatchObject([{ type: "failure" }]);
    expect(replies(player, "#status 500", 20).every((reply) => reply.type === "failure")).toBe(true);
  });
  it("gives ids that hold the length of the conversation and do not repeat", () => {
    const twice = '#tools [{"name":"a"},{"name":"b"}]';
    expect(idsOf(new Player(), twice, twice)).toEqual(["call_3_1", "call_3_2", "call_3_3", "call_3_4"]);
  });
  it("reports four characters as one token, or the script's figures", () => {
    const [counted, told, thought] = ["#say 12345", "#usage 1000 20\n#say x", "#think 12345678\n#say 1234"].flatMap(
      (prompt) => replies(new Player(), prompt, 1),
    );
    expect(counted).toMatchObject({ usage: { input: 3, output: 2, reasoning: 0 } });
    expect(told).toMatchObject({ usage: { input: 1000, output: 20, reasoning: 0 } });
    expect(thought).toMatchObject({ usage: { output: 3, reasoning: 2 } });
  });
  it("logs every request, failed ones too", () => {
    const lines: string[] = [];
    const player = new Player({ now: () => 5, log: ({ n, step }) => lines.push(`${n} ${step.kind}`) });
    player.reply("openai", "m", { system: "be", messages: [user("#status 500 x1\n#say ok")], tools: fileTools });
    replies(player, "#say x", 1);
    expect(lines).toEqual(["1 status 500", "2 say"]);
    expect(player.requests.entries[0]).toEqual({
      n: 1,
      at: 5,
      protocol: "openai",
      model: "m",
      system: "be",
      prompt: [user("#status 500 x1\n#say ok")],
      tools: ["ls", "read", "write"],
      step: { source: "script", index: 0, kind: "status 500" },
    });
  });
  it("keeps the last thousand requests", () => {
    const player = new Player();
    replies(player, "#say x", 1001);
    expect(player.requests.entries.length).toBe(1000);
    expect(player.requests.entries[0]?.n).toBe(2);
  });
});
