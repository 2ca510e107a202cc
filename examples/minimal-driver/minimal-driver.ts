/** The minimal agent as a driver: type `minimal`. Nothing is started or written before `connect`. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type AgentSessionRuntimeDriver,
  type ConnectInput,
  type DriverCapabilities,
  type DriverFactory,
  type DriverPorts,
  MooringError,
  permissionModes,
} from "@mooring/host/driver";
import { MinimalConnection } from "./minimal-connection.ts";

const capabilities: DriverCapabilities = {
  history: "host",
  resume: "none",
  idempotentInput: false,
  durableApproval: false,
  steer: "none",
  steerStartsOwnTurn: false,
  secondPrompt: "refuse",
  rewind: true,
  fork: false,
  interruptStopsTools: true,
  liveModel: true,
  liveMode: true,
  modes: permissionModes,
  tools: "native",
  images: false,
  contextUsage: false,
  compaction: false,
  autonomousTurns: false,
  hooks: [],
  multiSession: true,
};

export type MinimalDriverOptions = {
  /** The agent's program; default the one beside this file. */
  readonly agent?: string;
};

export const minimalDriver =
  ({ agent = fileURLToPath(new URL("agent.mjs", import.meta.url)) }: MinimalDriverOptions = {}): DriverFactory =>
  (ports): AgentSessionRuntimeDriver => ({
    type: "minimal",
    capabilities,
    validateSession: async ({ model }) => {
      if (model === "") throw new MooringError("no-model", "The agent has no model: set one with `agents set`.");
    },
    listAvailableTools: async () => [{ name: "run", description: "Runs a command with sh.", category: "shell" }],
    connect: (input) => connect(agent, input, ports),
    doctor: async ({ env }) => {
      const problem = findOnPath("sh", env) ? null : "There is no sh on the agent's PATH.";
      const fix = problem === null ? null : "Add the directory of sh to the agent's PATH.";
      return { found: existsSync(agent), version: "1.0.0", credentials: "not-needed", problem, fix };
    },
  });

async function connect(agent: string, input: ConnectInput, ports: DriverPorts): Promise<MinimalConnection> {
  const child = await ports.processes.spawn({
    command: process.execPath,
    args: [agent],
    cwd: input.workspace,
    env: input.env,
    purpose: "minimal agent",
    session: input.session.sessionId,
  });
  return MinimalConnection.open({ child, input, ports, capabilities });
}

const findOnPath = (name: string, env: Readonly<Record<string, string>>): boolean =>
  (env["PATH"] ?? "").split(delimiter).some((directory) => directory !== "" && existsSync(join(directory, name)));
