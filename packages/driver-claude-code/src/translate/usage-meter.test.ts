import { expect, test } from "vitest";
import { UsageMeter } from "./usage-meter.ts";

const begin = (id: string) => ({
  type: "stream_event",
  session_id: "s",
  ttft_ms: 20,
  event: { type: "message_start", message: { id, model: "m" } },
});
const end = (input_tokens: number, output_tokens: number) => ({
  type: "stream_event",
  session_id: "s",
  event: { type: "message_delta", usage: { input_tokens, output_tokens, cache_read_input_tokens: 5 } },
});

test("a request is told once, with the cache in its input; the rest is told at the end", () => {
  const meter = new UsageMeter();
  meter.stream(begin("r1"), 100);
  expect(meter.stream(end(10, 3), 130)).toEqual([
    {
      requestId: "claude-code:s:r1",
      model: "m",
      tokens: { input: 15, output: 3, reasoning: 0, cacheRead: 5, cacheWrite: 0 },
      timing: { firstTokenMs: 20, totalMs: 50 },
      cost: null,
    },
  ]);
  expect(meter.stream(end(10, 3), 140)).toEqual([]);
  const used = { inputTokens: 30, outputTokens: 9, cacheReadInputTokens: 5, costUSD: 0.5 };
  const result = { type: "result", session_id: "s", uuid: "u", model_usage_since_last_result: { m: used } };
  expect(meter.settle(result)).toMatchObject([
    { tokens: { input: 20, output: 6, cacheRead: 0 }, cost: { amount: 0.5, currency: "USD" } },
  ]);
  expect(meter.settle({ type: "result", session_id: "s", uuid: "v" })).toEqual([]);
});
