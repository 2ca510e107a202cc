import { expect, test } from "vitest";
import { driverOptions } from "./driver-options.ts";
import { agentEnvironment } from "./environment.ts";

const credentials = { provider: "anthropic", apiKey: "key", baseUrl: "http://127.0.0.1:1/v1/" };
const facts = { env: { PATH: "/bin" }, home: "/home/agent", credentials };

test("the environment is what the host allows, the agent's own, and nothing of this process", () => {
  const env = agentEnvironment(facts, driverOptions({}));
  expect(env).toMatchObject({
    PATH: "/bin",
    HOME: "/home/agent",
    CLAUDE_CONFIG_DIR: "/home/agent/claude",
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    DISABLE_TELEMETRY: "1",
    CLAUDE_CODE_MCP_STARTUP_WAIT_MS: "500",
  });
  const known = /^(PATH|HOME|ANTHROPIC_|CLAUDE_|DISABLE_)/;
  expect(Object.keys(env).filter((name) => !known.test(name))).toEqual([]);
});

test("an agent may bring its own configuration, with a login instead of a key", () => {
  const options = driverOptions({ configDir: "/home/person/.claude", maxRetries: 2 });
  const env = agentEnvironment({ ...facts, credentials: { ...credentials, apiKey: null, baseUrl: null } }, options);
  expect(env).toMatchObject({ CLAUDE_CONFIG_DIR: "/home/person/.claude", CLAUDE_CODE_MAX_RETRIES: "2" });
  expect(env).not.toHaveProperty("ANTHROPIC_API_KEY");
});

test.each([{ configDir: "relative" }, { settingSources: ["everything"] }, { maxRetries: -1 }, { extraTools: "Cron" }])(
  "%j is refused",
  (options) => {
    expect(() => driverOptions(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  },
);
