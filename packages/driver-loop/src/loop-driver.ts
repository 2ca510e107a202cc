/**
 * The built-in agent as a driver: type `loop`. Invariant: nothing is loaded, opened or written before `connect`, and
 * nothing ever comes from the environment of the host.
 */
import {
  type AgentSessionRuntimeDriver,
  type Credentials,
  type DriverCapabilities,
  type DriverFactory,
  type DriverReadiness,
  permissionModes,
  type SessionFacts,
} from "@mooring/host/driver";
import { effortOf, modelSettings } from "./models/model-settings.ts";
import {
  credentialsProblem,
  isUnnamed,
  type ModelFactories,
  modelProblem,
  needsKey,
  problemError,
} from "./models/providers.ts";
import { loopToolInfos } from "./tools/loop-tools.ts";

export type LoopDriverOptions = {
  /**
   * Models that need no provider, by the name an agent gives as its model (or as its provider's kind), for example
   * `{ scripted: scriptedModel }`. Called once per connection and change of model.
   */
  readonly models?: ModelFactories;
};

const capabilities: DriverCapabilities = {
  history: "host",
  resume: "none",
  idempotentInput: false,
  durableApproval: true,
  steer: "native",
  steerStartsOwnTurn: false,
  secondPrompt: "refuse",
  rewind: true,
  fork: false, // the host copies the branch; there is no native session to fork
  interruptStopsTools: true,
  liveModel: true,
  liveMode: true,
  modes: permissionModes,
  tools: "native",
  images: true,
  contextUsage: true,
  compaction: true,
  autonomousTurns: false,
  hooks: ["before-compaction"],
  multiSession: true,
  ownTools: true,
  steeringModes: true,
};

/** A driver for `createHost({ drivers })`. */
export function loopDriver({ models = {} }: LoopDriverOptions = {}): DriverFactory {
  return (ports): AgentSessionRuntimeDriver => ({
    type: "loop",
    capabilities,
    validateSession: async (session) => checkSession(session, models),
    listAvailableTools: async () => loopToolInfos,
    connect: async (input) => {
      // The AI SDK takes half a second to load: the first session pays for it, not the start of the host.
      const { LoopConnection } = await import("./loop-connection.ts");
      return LoopConnection.open(input, ports, models, capabilities);
    },
    doctor: async ({ credentials }) => readiness(credentials, models),
  });
}

/** Throws `no-model`, `unknown-provider`, `no-credentials`, `no-base-url` or `invalid-option`, each with its fix. */
function checkSession({ model, effort, credentials, options }: SessionFacts, models: ModelFactories): void {
  const problem = modelProblem({ model, credentials }, models);
  if (problem !== null) throw problemError(problem);
  effortOf(effort);
  modelSettings(options);
}

/** The model is not asked about here: an agent that names no provider is ready as soon as some model needs none. */
function readiness(credentials: Credentials, models: ModelFactories): DriverReadiness {
  const { provider } = credentials;
  const isFree = Object.hasOwn(models, provider) || (isUnnamed(provider) && Object.keys(models).length > 0);
  const problem = isFree ? null : credentialsProblem(credentials);
  const hasKey = problem === null ? "ok" : "missing";
  return {
    found: true,
    version: null,
    credentials: isFree || !needsKey(provider) ? "not-needed" : hasKey,
    problem: problem?.message ?? null,
    fix: problem?.fix ?? null,
  };
}
