import { expect, test } from "vitest";
import { contextWindow } from "./context-window.ts";

test.each([
  ["claude-sonnet-4-5", 200_000],
  ["gpt-4o-mini", 128_000],
  ["openai/gpt-5.1", 400_000],
  ["gemini-2.5-pro", 1_048_576],
  ["something-else", 200_000],
])("%s has %d tokens", (model, tokens) => {
  expect(contextWindow(model, null)).toBe(tokens);
});

test("an explicit window wins", () => {
  expect(contextWindow("gpt-4o", 32_000)).toBe(32_000);
});
