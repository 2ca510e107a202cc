/**
 * Claude Code as a driver: type `claude-code`. Invariant: nothing is loaded, opened or written before `connect`, and
 * nothing ever comes from the environment of the host.
 */
import {
  type AgentSessionRuntimeDriver,
  type Credentials,
  type DriverCapabilities,
  type DriverFactory,
  type DriverPorts,
  type DriverReadiness,
  type ForkInput,
  MooringError,
  permissionModes,
  type SessionFacts,
} from "@mooring/host/driver";
import { forkToken, placeOf } from "./connection/session-token.ts";
import { effortOf } from "./connection/settings.ts";
import { WarmProcesses } from "./connection/warm-processes.ts";
import { driverOptions } from "./sdk/driver-options.ts";
import { agentDirectory, findSdk, installCommand, loadSdk, missingSdk, sdkVersion } from "./sdk/resolve-sdk.ts";
import { TranscriptMirror } from "./sdk/transcript-mirror.ts";
import { toolInfos } from "./translate/tool-table.ts";

export type ClaudeCodeDriverOptions = {
  /** A directory whose `node_modules` may hold the agent SDK: asked before the data directory. */
  readonly projectDir?: string;
};

const capabilities: DriverCapabilities = {
  history: "native",
  resume: "resume",
  idempotentInput: true,
  durableApproval: true, // of calls that are alone in their answer
  steer: "native",
  steerStartsOwnTurn: true,
  secondPrompt: "refuse",
  rewind: false,
  fork: true,
  interruptStopsTools: true,
  liveModel: true,
  liveMode: true,
  modes: permissionModes,
  tools: "native",
  images: true,
  fileTypes: ["application/pdf"],
  filePaths: true,
  contextUsage: true,
  compaction: true,
  autonomousTurns: true,
  hooks: ["before-compaction"],
  multiSession: true,
};

/** A driver for `createHost({ drivers })`. */
export function claudeCodeDriver({ projectDir }: ClaudeCodeDriverOptions = {}): DriverFactory {
  return (ports): AgentSessionRuntimeDriver => {
    const warm = new WarmProcesses(ports);
    const mirror = new TranscriptMirror(ports.dataDir);
    const places = [...(projectDir === undefined ? [] : [projectDir]), agentDirectory(ports.dataDir)];
    return {
      type: "claude-code",
      capabilities,
      validateSession: async (session) => checkSession(session),
      listAvailableTools: async () => toolInfos,
      connect: async (input) => {
        const { ClaudeConnection } = await import("./connection/claude-connection.ts");
        return ClaudeConnection.open({ input, ports, warm, mirror, sdk: () => loadSdk(places) }, capabilities);
      },
      onSessionIdle: (session) => warm.start(session),
      fork: async (order) => ({ token: forkOf(order, ports) }),
      doctor: async ({ credentials }) => readiness(places, credentials),
    };
  };
}

/** Throws `no-model`, `no-credentials` or `invalid-option`, each with its fix. */
function checkSession({ model, effort, credentials, options }: SessionFacts): void {
  if (model === "") throw new MooringError("no-model", "The agent names no model. Set the agent's model.");
  effortOf(effort);
  const { configDir } = driverOptions(options);
  if (credentials.apiKey !== null || configDir !== null) return;
  throw new MooringError("no-credentials", `There is no API key for Claude Code. ${keyFix}`, {
    detail: { fix: keyFix },
  });
}
const keyFix =
  "Set the agent's provider.apiKey, or provider.apiKeyEnv to the variable that holds it, usually ANTHROPIC_API_KEY; or driverOptions.configDir to a Claude Code directory with a login.";

/** The branch is made when its first process starts: until then it costs nothing. */
function forkOf({ token, anchor }: ForkInput, { ids }: DriverPorts): string {
  const { session, fork } = placeOf(token);
  if (fork === null) return forkToken(ids.uuid(), session, anchor);
  throw new MooringError("rewind-unsupported", "This fork was not opened yet: fork the conversation it came from.");
}

async function readiness(places: readonly string[], { apiKey }: Credentials): Promise<DriverReadiness> {
  const found = await findSdk(places);
  const credentials = apiKey === null ? "missing" : "ok";
  if (found === null)
    return { found: false, version: null, credentials, problem: missingSdk().message, fix: installCommand };
  const { version } = found;
  if (version !== sdkVersion) {
    const problem = `Version ${version} of Claude Code's agent SDK was found; this driver was made for ${sdkVersion}.`;
    return { found: true, version, credentials, problem, fix: installCommand };
  }
  if (apiKey === null)
    return { found: true, version, credentials, problem: "There is no API key for Claude Code.", fix: keyFix };
  return { found: true, version, credentials, problem: null, fix: null };
}
