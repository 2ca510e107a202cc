/** How the contract suite makes the minimal agent do things: by the orders it understands. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContractAdapter, type Place, type Scenarios, ShellActs, type Stage } from "@mooring/host/testing";
import { limits } from "./limits.ts";
import { minimalDriver } from "./minimal-driver.ts";

const slowWords = "one two three four five six seven eight nine ten eleven twelve";

export const minimalAdapter: ContractAdapter = {
  name: "minimal",
  driver: minimalDriver(),
  open: openStage,
  wire: { maxLineBytes: limits.lineBytes, isText: (line) => line.startsWith('{"type":"text"') },
  cannot: {
    retry: "it has no model to ask again",
    longRetry: "it has no model to ask again",
    compactable: "it has no compaction",
    autonomous: "it begins nothing by itself",
    background: "its commands end with their turn",
    flow: "it has no sub-agents",
    readFile: "it takes text only",
    lostToken: "its history is the host's",
  },
};

async function openStage(place: Place): Promise<Stage> {
  const log = join(place.scratch, "agent.log");
  const acts = await ShellActs.open(place.scratch);
  return {
    model: "minimal-1",
    credentials: { provider: "", apiKey: null, baseUrl: null },
    env: { AGENT_LOG: log },
    scenarios: scenariosOf(acts),
    lastRequest: async () => {
      const told = (await readFile(log, "utf8")).split("\n").filter((line) => line.includes('"type":"prompt"'));
      const text = told.at(-1) ?? "{}";
      return { text, model: String(JSON.parse(text).model) };
    },
    end: async () => {},
  };
}

function scenariosOf(acts: ShellActs): Partial<Scenarios> {
  const ran = () => acts.ran();
  const held = { started: () => acts.started(), release: () => acts.release() };
  return {
    text: (text) => ({ prompt: `say ${text}` }),
    slowText: () => ({ prompt: `slow ${slowWords}` }),
    silence: () => ({ prompt: "hang" }),
    reasoning: () => ({ prompt: "think let me see\nsay so it is" }),
    tool: () => ({
      prompt: `run ${acts.trace()}\nsay done`,
      toolName: "run",
      ran,
      edit: { input: { command: acts.trace("edited") }, ran: () => acts.ran("edited") },
    }),
    twoTools: () => ({ prompt: `run ${acts.trace()}\nrun ${acts.trace()}\nsay done`, toolName: "run", ran }),
    failingTool: () => ({ prompt: "run exit 3\nsay well" }),
    heldTool: () => ({
      prompt: `run ${acts.held()}\nsay done`,
      toolName: "run",
      ran: () => acts.ran("held"),
      running: () => acts.running(),
      ...held,
    }),
    heldThenTool: () => ({
      prompt: `run ${acts.held()}\nrun ${acts.trace()}\nsay done`,
      toolName: "run",
      ran,
      ...held,
    }),
    failure: () => ({ prompt: "fail no such thing" }),
    usage: () => ({ prompt: "say counted\nusage 11 7", tokens: { input: 11, output: 7 } }),
    environment: () => ({ prompt: "run env\nsay printed" }),
    otherModel: () => "minimal-2",
    unservable: () => ({ model: "" }),
    unready: () => ({ env: { PATH: "/nonexistent" } }),
    invalidTarget: () => ({ model: "" }),
  };
}
