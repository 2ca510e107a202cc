/**
 * A driver for tests of a host: in process, scripted by the test, no agent. `mode: "echo"` answers every prompt with
 * its own text; otherwise each connection does what the test makes it do.
 */
import type {
  AgentSessionRuntimeDriver,
  ConnectInput,
  DriverCapabilities,
  DriverFactory,
  DriverReadiness,
  SessionFacts,
  ToolInfo,
  TurnInput,
} from "../ports/driver.ts";
import { type FakeBehaviour, FakeConnection } from "./fake-connection.ts";
import { Records } from "./records.ts";

export const fakeCapabilities: DriverCapabilities = {
  history: "host",
  resume: "none",
  idempotentInput: false,
  durableApproval: true,
  steer: "native",
  steerStartsOwnTurn: false,
  secondPrompt: "fold",
  rewind: true,
  fork: false,
  interruptStopsTools: true,
  liveModel: true,
  liveMode: true,
  modes: ["plan", "default", "acceptEdits", "bypassPermissions"],
  tools: "native",
  images: true,
  contextUsage: false,
  compaction: true,
  autonomousTurns: true,
  hooks: ["before-compaction"],
  multiSession: true,
};
export type FakeDriverOptions = {
  readonly type?: string;
  readonly mode?: "manual" | "echo";
  readonly capabilities?: Partial<DriverCapabilities>;
  readonly behaviour?: Partial<FakeBehaviour>;
  readonly tools?: readonly ToolInfo[];
  readonly readiness?: Partial<DriverReadiness>;
  /** Rejects what cannot be served. */
  readonly validate?: (session: SessionFacts) => Promise<void>;
  /** Called before each connection opens: a promise that is not resolved keeps it connecting, a rejection fails it. */
  readonly connecting?: (input: ConnectInput) => Promise<void>;
};
export type FakeDriver = {
  readonly driver: AgentSessionRuntimeDriver;
  readonly factory: DriverFactory;
  /** Opened ones, in order; `next()` waits for one. */
  readonly connections: Records<FakeConnection>;
  /** What was asked to connect, opened or not. */
  readonly connects: Records<ConnectInput>;
  readonly prewarmed: Records<SessionFacts>;
};

export function createFakeDriver(options: FakeDriverOptions = {}): FakeDriver {
  const connections = new Records<FakeConnection>();
  const connects = new Records<ConnectInput>();
  const prewarmed = new Records<SessionFacts>();
  const driver: AgentSessionRuntimeDriver = {
    type: options.type ?? "fake",
    capabilities: { ...fakeCapabilities, ...options.capabilities },
    validateSession: async (session) => options.validate?.(session),
    listAvailableTools: async () => options.tools ?? [],
    connect: async (input) => {
      connects.add(input);
      await options.connecting?.(input);
      const connection = new FakeConnection(input, driver.capabilities, options.behaviour);
      if (options.mode === "echo" && options.behaviour?.send === undefined)
        connection.behaviour.send = async (turn) => echo(connection, turn);
      connections.add(connection);
      return connection;
    },
    onSessionIdle: async (session) => prewarmed.add(session),
    doctor: async () => ({
      found: true,
      version: "0",
      credentials: "not-needed",
      problem: null,
      fix: null,
      ...options.readiness,
    }),
  };
  return { driver, factory: () => driver, connections, connects, prewarmed };
}
function echo(connection: FakeConnection, { turnId, parts }: TurnInput): void {
  const text = parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
  connection.say(turnId, text);
  connection.complete(turnId);
}
