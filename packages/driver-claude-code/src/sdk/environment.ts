/**
 * The whole environment of a Claude Code process. Invariants: it holds what the host allows, the agent's own key and
 * address, and the switches below; nothing comes from this process. Everything Claude Code writes is under the agent's
 * private home, unless the agent names a configuration directory.
 */
import { join } from "node:path";
import type { ConnectInput } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import type { DriverOptions } from "./driver-options.ts";

type Facts = Pick<ConnectInput, "env" | "home" | "credentials">;

export const configDirectory = (home: string, { configDir }: DriverOptions): string =>
  configDir ?? join(home, "claude");
/** For outputs of background commands and sub-agents: the agent is allowed to read its home. */
export const scratchDirectory = (home: string): string => join(home, "tmp");

/** `needsServer`: the first thing it does is a call of an MCP server's tool. Else nothing waits for servers for long. */
export function agentEnvironment(
  { env, home, credentials }: Facts,
  options: DriverOptions,
  needsServer = false,
): Record<string, string> {
  const { apiKey, baseUrl } = credentials;
  return {
    ...env,
    HOME: home,
    CLAUDE_CONFIG_DIR: configDirectory(home, options),
    CLAUDE_CODE_TMPDIR: scratchDirectory(home),
    ...(apiKey === null ? {} : { ANTHROPIC_API_KEY: apiKey }),
    ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: withoutVersion(baseUrl) }),
    ...(options.maxRetries === null ? {} : { CLAUDE_CODE_MAX_RETRIES: String(options.maxRetries) }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
    CLAUDE_CODE_MCP_STARTUP_WAIT_MS: String(needsServer ? limits.mcpTakeUpWaitMs : limits.mcpStartupWaitMs),
    // A call that was given up and whose server is not there yet does not end the next turn.
    ...(needsServer ? {} : { CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL: "1" }),
  };
}

/** Claude Code adds `/v1` itself; other clients are given the address with it. */
const withoutVersion = (baseUrl: string): string => baseUrl.replace(/\/v1\/?$/, "");
