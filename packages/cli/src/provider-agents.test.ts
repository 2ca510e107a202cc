import { expect, test } from "vitest";
import { providerAgents } from "./provider-agents.ts";

test("one agent for each key, which names the variable and never holds the key", () => {
  const env = { ANTHROPIC_API_KEY: "sk-secret-a", GEMINI_API_KEY: "sk-secret-g", OPENAI_API_KEY: "" };
  const made = providerAgents(env);
  expect(made.map(({ name, model, provider }) => [name, model, provider])).toEqual([
    ["anthropic", "claude-sonnet-4-5", { kind: "anthropic", apiKeyEnv: "ANTHROPIC_API_KEY" }],
    ["google", "gemini-2.5-pro", { kind: "google", apiKeyEnv: "GEMINI_API_KEY" }],
  ]);
  expect(JSON.stringify(made)).not.toContain("secret");
});

test("another address of the provider is taken over", () => {
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
  expect(providerAgents(env)[0]?.provider).toEqual({
    kind: "openai",
    apiKeyEnv: "OPENAI_API_KEY",
    baseUrl: "http://127.0.0.1:1/v1",
  });
});
