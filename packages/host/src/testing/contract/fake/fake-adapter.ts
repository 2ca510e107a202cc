/** The contract adapter of the scripted fake, for any set of capabilities: what it claims decides what it does. */
import type {
  AgentRuntimeConnection,
  AgentSessionRuntimeDriver,
  DriverCapabilities,
  SessionFacts,
} from "../../../ports/driver.ts";
import { MooringError } from "../../../protocol/errors.ts";
import { FakeConnection } from "../../fake-connection.ts";
import { createFakeDriver, fakeCapabilities } from "../../fake-driver.ts";
import type { ContractAdapter, Stage } from "../adapter.ts";
import type { Scenarios, ToolAct } from "../scenarios.ts";
import { FakeAgent } from "./fake-agent.ts";
import type { FakeAct } from "./fake-turn.ts";
import { FakeWorld } from "./fake-world.ts";

/** The worlds of the stages that are open, by the names of their models. */
const worlds = new Map<string, FakeWorld>();
let stages = 0;
const credentials = { provider: "fake", apiKey: null, baseUrl: null };

/** Agents the fake stands for, by what they claim beyond `fakeCapabilities`. */
export const fakeKinds = {
  /** A history of the host's, steered by its own means. */
  fake: { ownTools: true, steeringModes: true },
  /** A native conversation that is resumed, forked and rewound; steers may become turns of their own. */
  "fake-native": {
    history: "native",
    resume: "resume",
    idempotentInput: true,
    steerStartsOwnTurn: true,
    secondPrompt: "queue",
    fork: true,
    liveModel: false,
    liveMode: false,
    contextUsage: true,
    fileTypes: ["text/*"],
    filePaths: true,
    workspaceText: true,
  },
  /** Prompts and answers, and little else. */
  "fake-plain": {
    durableApproval: false,
    steer: "none",
    secondPrompt: "abort",
    rewind: false,
    compaction: false,
    autonomousTurns: false,
    hooks: [],
    multiSession: false,
  },
} as const satisfies Record<string, Partial<DriverCapabilities>>;
export type FakeKind = keyof typeof fakeKinds;

export function fakeAdapter(kind: FakeKind): ContractAdapter {
  const capabilities: DriverCapabilities = { ...fakeCapabilities, ...fakeKinds[kind] };
  const cannot: ContractAdapter["cannot"] = {
    ...(capabilities.resume === "none" ? { lostToken: "its history is the host's" } : {}),
    ...(capabilities.autonomousTurns ? {} : { autonomous: "it begins nothing" }),
    ...(capabilities.filePaths ? {} : { readFile: "it reads no files" }),
    ...(capabilities.compaction ? {} : { compactable: "it has no compaction" }),
  };
  return { name: kind, driver: () => fakeDriver(capabilities), open: async () => openStage(), cannot };
}

function fakeDriver(capabilities: DriverCapabilities): AgentSessionRuntimeDriver {
  return {
    ...createFakeDriver({ capabilities, validate: async (session) => void worldOf(session) }).driver,
    listAvailableTools: async () => [{ name: "leave", description: "Leaves a trace.", category: "write" }],
    connect: async (input) => {
      const connection = new FakeConnection(input, capabilities);
      const agent = new FakeAgent({ connection, input, world: worldOf(input), capabilities });
      return claimed(agent);
    },
    ...(capabilities.fork ? { fork: async ({ session, anchor }) => forked(worldOf(session), anchor) } : {}),
    doctor: async ({ credentials: { provider } }) => ({
      found: true,
      version: "0",
      credentials: "not-needed",
      problem: provider === "broken" ? "The provider is broken." : null,
      fix: provider === "broken" ? "Name the provider fake." : null,
    }),
  };
}

/** The connection with the methods it claims, and no others. */
function claimed(agent: FakeAgent): AgentRuntimeConnection {
  const { connection } = agent;
  const { steer, compaction, contextUsage } = agent.capabilities;
  return {
    capabilities: connection.capabilities,
    events: connection.events,
    send: (turn) => connection.send(turn),
    abortTurn: (turnId) => connection.abortTurn(turnId),
    reconcile: (target) => connection.reconcile(target),
    answerApproval: (id, decision) => connection.answerApproval(id, decision),
    close: (reason) => connection.close(reason),
    ...(steer === "none" ? {} : { redirect: (input) => connection.redirect(input) }),
    ...(steer === "none" ? {} : { withdraw: (id) => connection.withdraw(id) }),
    ...(compaction ? { compact: (text) => connection.compact(text) } : {}),
    ...(contextUsage ? { getContextUsage: () => agent.contextUsage() } : {}),
  };
}

function worldOf({ model }: Pick<SessionFacts, "model">): FakeWorld {
  const world = worlds.get(model);
  if (world === undefined) throw new MooringError("no-model", `There is no model ${model}: name one that is there.`);
  return world;
}
function forked(world: FakeWorld, anchor: string): { readonly token: string } {
  const token = `fork-of-${anchor}`;
  world.conversations.set(token, world.conversations.get(anchor) ?? []);
  return { token };
}

function openStage(): Stage {
  const world = new FakeWorld(`fake-${++stages}`);
  for (const model of [world.model, world.otherModel]) worlds.set(model, world);
  return {
    model: world.model,
    credentials,
    scenarios: scenariosOf(world),
    lastRequest: async () => world.asked,
    end: async () => {
      for (const model of [world.model, world.otherModel]) worlds.delete(model);
    },
  };
}

const prompt = (act: string, more: Partial<FakeAct> = {}): string => JSON.stringify({ act, ...more } satisfies FakeAct);

function scenariosOf(world: FakeWorld): Partial<Scenarios> {
  const tool = (act: string, trace = "trace"): ToolAct => ({
    prompt: prompt(act),
    toolName: "leave",
    ran: async () => world.ran(trace),
  });
  const held = { started: () => world.started, release: async () => world.release() };
  return {
    text: (text) => ({ prompt: prompt("text", { text }) }),
    ownTool: (name, input) => ({ prompt: prompt("ownTool", { text: JSON.stringify({ name, input }) }) }),
    slowText: () => ({ prompt: prompt("slowText") }),
    silence: () => ({ prompt: prompt("silence") }),
    reasoning: () => ({ prompt: prompt("reasoning") }),
    tool: () => ({ ...tool("tool"), edit: { input: { trace: "edited" }, ran: async () => world.ran("edited") } }),
    twoTools: () => ({ ...tool("twoTools"), together: true }),
    failingTool: () => ({ prompt: prompt("failingTool") }),
    heldTool: () => ({ ...tool("heldTool", "held"), ...held, running: async () => world.heldRuns > 0 }),
    heldThenTool: () => ({ ...tool("heldThenTool"), ...held }),
    failure: () => ({ prompt: prompt("failure") }),
    retry: () => ({ prompt: prompt("retry") }),
    longRetry: () => ({ prompt: prompt("longRetry") }),
    usage: () => ({ prompt: prompt("text", { text: "counted", tokens: [11, 7] }), tokens: { input: 11, output: 7 } }),
    compactable: () => ({ prompts: [prompt("text", { text: "one" }), prompt("text", { text: "two" })] }),
    autonomous: () => ({ prompt: prompt("autonomous"), begin: async () => world.begin() }),
    background: () => ({ prompt: prompt("background"), finish: async () => world.finish() }),
    flow: () => ({ prompt: prompt("flow") }),
    readFile: (path) => ({ prompt: prompt("readFile", { text: path }) }),
    environment: () => ({ prompt: prompt("environment") }),
    otherModel: () => world.otherModel,
    unservable: () => ({ model: "" }),
    unready: () => ({ credentials: { ...credentials, provider: "broken" } }),
    invalidTarget: () => ({ effort: "heroic" }),
    lostToken: () => "no-such-conversation",
  };
}
