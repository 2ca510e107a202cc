/** How the contract suite makes the real Claude Code do things: through the scripted model on loopback. */
import { join } from "node:path";
import { claudeCodeDriver } from "@mooring/driver-claude-code";
import {
  type ContractAdapter,
  NamedPipe,
  type Place,
  type Scenarios,
  ShellActs,
  type Stage,
} from "@mooring/host/testing";
import { startScriptedServer } from "@mooring/scripted-model/server";
import { agentsDirectory, model } from "./desk.ts";
import { RecordingFront } from "./recording-front.ts";

const slowWords = "one two three four five six seven eight nine ten";

export const claudeCodeAdapter: ContractAdapter = {
  name: "claude-code",
  driver: claudeCodeDriver({ projectDir: agentsDirectory }),
  open: openStage,
  deadlineMs: 20_000,
  wire: { maxLineBytes: 33_554_432 },
  exceptions: [],
};

async function openStage(place: Place): Promise<Stage> {
  const server = await startScriptedServer();
  const front = await RecordingFront.open(server.url);
  const acts = await ShellActs.open(place.scratch);
  return {
    model,
    credentials: { provider: "anthropic", apiKey: "dummy", baseUrl: front.url },
    scenarios: scenariosOf(acts, place.scratch),
    lastRequest: async () => front.lastRequest,
    end: async () => {
      await front.close();
      await server.close();
    },
  };
}

const shell = (command: string) => ({ name: "Bash", input: { command, description: "a step" } });
const tool = (name: string, input: object): string => `#tool ${name} ${JSON.stringify(input)}`;

function scenariosOf(acts: ShellActs, scratch: string): Partial<Scenarios> {
  const ran = () => acts.ran();
  const watched = new WatchedCommand(acts, scratch);
  const held = {
    started: () => watched.started(),
    release: () => acts.release(),
    running: () => watched.isLeft(),
  };
  const edited = { command: acts.trace("edited"), description: "edited" };
  return {
    text: (text) => ({ prompt: `#say ${text}` }),
    slowText: () => ({ prompt: `#slow 150 ${slowWords}` }),
    silence: () => ({ prompt: "#hang" }),
    reasoning: () => ({ prompt: "#think let me see\n#say so it is" }),
    tool: () => ({
      prompt: `#bash ${acts.trace()}\n#say done`,
      toolName: "Bash",
      ran,
      edit: { input: edited, ran: () => acts.ran("edited") },
    }),
    twoTools: () => ({
      prompt: `#tools ${JSON.stringify([shell(acts.trace()), shell(acts.trace())])}\n#say done`,
      toolName: "Bash",
      ran,
    }),
    failingTool: () => ({ prompt: "#read nothing-here.txt\n#say well" }),
    heldTool: () => ({
      prompt: `#bash ${watched.command()}\n#say done`,
      toolName: "Bash",
      ran: () => acts.ran("held"),
      ...held,
    }),
    heldThenTool: () => ({
      prompt: `#bash ${watched.command()}\n#bash ${acts.trace()}\n#say done`,
      toolName: "Bash",
      ran,
      ...held,
    }),
    failure: () => ({ prompt: "#status 400 no such thing\n#say never" }),
    retry: () => ({ prompt: "#status 529 x1 overloaded\n#say at last" }),
    longRetry: () => ({ prompt: "#status 529 after=30 overloaded\n#say never" }),
    usage: () => ({ prompt: "#usage 11 7\n#say counted", tokens: { input: 11, output: 7 } }),
    compactable: () => ({ prompts: ["#say the first thing", "#say the second thing"] }),
    autonomous: () => ({ ...behind(acts), begin: () => released(acts) }),
    background: () => ({ ...behind(acts), finish: () => released(acts) }),
    flow: () => {
      const task = { description: "d", prompt: "#say from below", subagent_type: "general-purpose" };
      return { prompt: `${tool("Agent", { ...task, run_in_background: false })}\n#say above` };
    },
    environment: () => ({ prompt: "#bash env\n#say printed" }),
    otherModel: () => "scripted-other",
    unservable: () => ({ model: "" }),
    unready: () => ({ credentials: { provider: "anthropic", apiKey: null, baseUrl: null } }),
    invalidTarget: () => ({ effort: "heroic" }),
    lostToken: () => "00000000-0000-4000-8000-000000000000",
    readFile: (path) => ({ prompt: `#read ${path}\n#say read` }),
  };
}

/**
 * The held command with a pipe that it, and whatever it starts, keeps open: Claude Code says that a call was stopped when
 * it has told the processes, which is a moment before they are gone.
 */
class WatchedCommand {
  readonly #acts: ShellActs;
  readonly #path: string;
  #alive: NamedPipe | null = null;
  #isLeft: Promise<boolean> | null = null;

  constructor(acts: ShellActs, scratch: string) {
    this.#acts = acts;
    this.#path = join(scratch, "alive");
  }
  command(): string {
    this.#alive = NamedPipe.make(this.#path);
    return `exec 9> '${this.#path}'; ${this.#acts.held()}`;
  }
  async started(): Promise<void> {
    this.#isLeft ??= this.#untilClosed();
    await this.#acts.started();
  }
  /** False: all of it has ended. */
  async isLeft(): Promise<boolean> {
    return (await this.#isLeft) ?? false;
  }
  async #untilClosed(): Promise<boolean> {
    const closed = this.#alive?.read() ?? Promise.resolve("");
    return closed.then(
      () => false,
      () => true,
    );
  }
}

/** A command that goes on behind the turn; when it ends, the agent begins to speak by itself. */
const behind = (acts: ShellActs) => ({
  prompt: `${tool("Bash", { ...shell(acts.held()).input, run_in_background: true })}\n#say it runs behind`,
});
async function released(acts: ShellActs): Promise<void> {
  await acts.started();
  await acts.release();
}
