/** How the contract suite makes the loop do things: through the scripted model, whose prompts are directives. */
import {
  type ContractAdapter,
  hastyClock,
  type Place,
  type Scenarios,
  ShellActs,
  type Stage,
} from "@mooring/host/testing";
import { type ScriptedModel, scriptedModel } from "@mooring/scripted-model";
import { loopDriver } from "../loop-driver.ts";
import type { ModelFactory } from "../models/providers.ts";

/** The models of the stages that are open, by name; each stage has two. */
const models: Record<string, ModelFactory> = {};
let stages = 0;

const credentials = { provider: "", apiKey: null, baseUrl: null };
const slowWords = "one two three four five six seven eight nine ten eleven twelve";

export const loopAdapter: ContractAdapter = {
  name: "loop",
  driver: loopDriver({ models }),
  open: openStage,
  clock: () => hastyClock(50), // its wait before a second try is 2 s
  cannot: {
    autonomous: "it answers prompts and begins nothing",
    background: "its tools end with their turn",
    flow: "it has no sub-agents",
    lostToken: "its history is the host's",
    readFile: "it is given files with their bytes",
  },
};

async function openStage(place: Place): Promise<Stage> {
  const names = [`contract-${++stages}`, `contract-${stages}-other`] as const;
  let asked = { text: "", model: "" };
  for (const modelId of names) {
    const model = scriptedModel({ modelId });
    models[modelId] = () =>
      heard(model, (text) => {
        asked = { text, model: modelId };
      });
  }
  const acts = await ShellActs.open(place.scratch);
  return {
    model: names[0],
    credentials,
    scenarios: scenariosOf(acts, names[1]),
    lastRequest: async () => asked,
    end: async () => {
      for (const name of names) delete models[name];
    },
  };
}

/** The model, with each prompt told as one text, files in base64. */
const heard = (model: ScriptedModel, tell: (prompt: string) => void): ScriptedModel => ({
  ...model,
  doStream: (call) => {
    tell(JSON.stringify(call.prompt, (_, value) => (value instanceof Uint8Array ? base64(value) : value)));
    return model.doStream(call);
  },
});
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

const call = (command: string) => ({ name: "bash", input: { command } });

function scenariosOf(acts: ShellActs, otherModel: string): Partial<Scenarios> {
  const ran = () => acts.ran();
  const held = { started: () => acts.started(), release: () => acts.release(), running: () => acts.running() };
  return {
    text: (text) => ({ prompt: `#say ${text}` }),
    slowText: () => ({ prompt: `#slow 20 ${slowWords}` }),
    silence: () => ({ prompt: "#hang" }),
    reasoning: () => ({ prompt: "#think let me see\n#say so it is" }),
    tool: () => ({
      prompt: `#bash ${acts.trace()}\n#say done`,
      toolName: "bash",
      ran,
      edit: { input: { command: acts.trace("edited") }, ran: () => acts.ran("edited") },
    }),
    twoTools: () => ({
      prompt: `#tools ${JSON.stringify([call(acts.trace()), call(acts.trace())])}\n#say done`,
      toolName: "bash",
      ran,
      together: true,
    }),
    ownTool: (name, input) => ({ prompt: `#tool ${name} ${JSON.stringify(input)}\n#say done` }),
    failingTool: () => ({ prompt: "#read nothing-here.txt\n#say well" }),
    heldTool: () => ({
      prompt: `#bash ${acts.held()}\n#say done`,
      toolName: "bash",
      ran: () => acts.ran("held"),
      ...held,
    }),
    heldThenTool: () => ({
      prompt: `#bash ${acts.held()}\n#bash ${acts.trace()}\n#say done`,
      toolName: "bash",
      ran,
      ...held,
    }),
    failure: () => ({ prompt: "#status 400 no such thing\n#say never" }),
    retry: () => ({ prompt: "#status 529 x1 overloaded\n#say at last" }),
    longRetry: () => ({ prompt: "#status 529 after=200 overloaded\n#say never" }),
    usage: () => ({ prompt: "#usage 11 7\n#say counted", tokens: { input: 11, output: 7 } }),
    compactable: () => ({ prompts: ["#say the first thing", "#say the second thing"] }),
    environment: () => ({ prompt: "#bash env\n#say printed" }),
    otherModel: () => otherModel,
    unservable: () => ({ model: "" }),
    unready: () => ({ credentials: { provider: "anthropic", apiKey: null, baseUrl: null } }),
    invalidTarget: () => ({ effort: "heroic" }),
  };
}
