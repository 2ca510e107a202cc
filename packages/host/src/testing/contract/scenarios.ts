/**
 * What a requirement may ask an agent to do. A scenario answers with a prompt that makes the agent do what the scenario
 * is named for, and with what the suite cannot know from the driver: whether a tool really ran, how to let it go on.
 */
import type { Credentials, SessionFacts, SessionTarget } from "../../ports/driver.ts";

/** A prompt that makes the agent do what its scenario is named for. */
export type Act = { readonly prompt: string };
export type ToolAct = Act & {
  readonly toolName: string;
  /** How often the tool has really run, by evidence outside the driver (such as lines of a file it appends to). */
  ran(): Promise<number>;
};

/**
 * Each scenario ends its turn by itself, except `silence`, unless the suite stops it. `text`, `slowText` and `silence`
 * every agent must be able to play.
 */
export type Scenarios = {
  /** Says `text`, exactly, and ends. `text` is one line; it may hold any other character. */
  text(text: string): Act;
  /** Says at least five words in as many pieces, some milliseconds apart (200 to 2 000 ms in all), and ends. */
  slowText(): Act;
  /** Takes the prompt and says nothing until it is stopped. */
  silence(): Act;
  /** Reasons, then says something. */
  reasoning(): Act;
  /** Calls one tool that needs permission and leaves a trace; then says something. */
  tool(): ToolAct & {
    /** Input a person might give instead of the agent's; `ran` counts the runs with that input. */
    readonly edit?: { readonly input: unknown; ran(): Promise<number> };
  };
  /**
   * Calls two tools that need permission in one step, then says something. `ran` counts both. `together`: the questions
   * about them are open at the same time.
   */
  twoTools(): ToolAct & { readonly together?: boolean };
  /** Calls the program's tool of that name with that input, then, if the turn goes on, says something. */
  ownTool(name: string, input: unknown): Act;
  /** Calls a tool (allowed by the suite) that fails, then says something. */
  failingTool(): Act;
  /** Calls one tool that runs until `release`, then says something. */
  heldTool(): ToolAct & {
    /** Resolves when the tool is at work. */
    started(): Promise<void>;
    release(): Promise<void>;
    /** Whether the tool is still at work; false for ever once it was ended. */
    running(): Promise<boolean>;
  };
  /** Calls one tool that runs until `release`, then calls another, then says something. `ran` counts the second. */
  heldThenTool(): ToolAct & { started(): Promise<void>; release(): Promise<void> };
  /** The model (or the agent) fails for good: the turn cannot be answered. */
  failure(): Act;
  /** A model request fails in a way the agent tries again by itself, then the agent says something. */
  retry(): Act;
  /** A model request that fails and is tried again after a wait of at least 10 s of the driver's clock. */
  longRetry(): Act;
  /** Says something; the model reports these tokens for it. */
  usage(): Act & { readonly tokens: { readonly input: number; readonly output: number } };
  /** Prompts that give a conversation something to compact, to be sent one after the other. */
  compactable(): { readonly prompts: readonly string[] };
  /** The turn of the prompt ends; after `begin` the agent begins a turn of its own, says something and ends. */
  autonomous(): Act & { begin(): Promise<void> };
  /** The turn of the prompt ends and leaves work behind, which ends by `finish`. */
  background(): Act & { finish(): Promise<void> };
  /** A sub-agent says something under a tool call. */
  flow(): Act;
  /** Reads the file, so that its content is in the model's next request, then says something. */
  readFile(path: string): Act;
  /** A tool prints the agent's environment: every line `NAME=value`, as its output. */
  environment(): Act;
  /** Another model that works. */
  otherModel(): string;
  /** A session that `validateSession` must refuse. */
  unservable(): Partial<SessionFacts>;
  /** A set-up in which `doctor` must find a problem. */
  unready(): { readonly credentials?: Credentials; readonly env?: Readonly<Record<string, string>> };
  /** A target that `reconcile` must call invalid. */
  invalidTarget(): Partial<SessionTarget>;
  /** A resume token, well formed, of a conversation that does not exist. */
  lostToken(): string;
};
export type ScenarioName = keyof Scenarios;
