/**
 * One turn of the scripted fake, from its prompt to its terminal event: plays the act the prompt names and keeps the
 * contract by itself. Invariant: however it ends, its calls are closed, its questions withdrawn and its steers named
 * before the one terminal event.
 */
import { systemClock } from "../../../host/system-clock.ts";
import type {
  ApprovalDecision,
  ConnectInput,
  DriverCapabilities,
  PolicyDecision,
  SteerInput,
  TurnInput,
  WaitingApproval,
} from "../../../ports/driver.ts";
import type { UIMessageChunk } from "../../../protocol/chunks.ts";
import { messageOf } from "../../../protocol/errors.ts";
import type { ApprovalId, InputId, TurnId } from "../../../protocol/ids.ts";
import type { FakeConnection } from "../../fake-connection.ts";
import { type FakeWorld, untilStopped } from "./fake-world.ts";

/** What a prompt of the fake's scenarios asks for; any other text is answered with "noted". */
export type FakeAct = { readonly act: string; readonly text?: string; readonly tokens?: readonly [number, number] };

/** What a turn needs of the agent that plays it. */
type Player = {
  readonly connection: FakeConnection;
  readonly capabilities: DriverCapabilities;
  readonly world: FakeWorld;
  readonly input: ConnectInput;
  readonly isDisabled: boolean;
  request(turnId: TurnId, tokens?: readonly [number, number]): Promise<void>;
  hear(input: Pick<TurnInput, "parts" | "agentKey">): void;
  said(text: string): void;
  readFile(path: string): Promise<void>;
  completed(turnId: TurnId, answered: readonly InputId[]): void;
  beginOwnTurn(): void;
  leaveWork(): void;
  uuid(): string;
  newApproval(): ApprovalId;
};

const words = Array.from({ length: 20 }, (_, at) => `word${at} `);
const wordMs = 10;

type Call = { readonly id: string; readonly input: unknown; readonly name: string };

export class FakeTurn {
  readonly input: TurnInput;
  readonly #agent: Player;
  readonly #stop = new AbortController();
  readonly #calls = new Set<string>();
  readonly #questions = new Map<ApprovalId, PromiseWithResolvers<ApprovalDecision>>();
  #steers: SteerInput[] = [];
  /** Prompts that came while it ran and are answered in it. */
  readonly folded: TurnInput[] = [];
  #isEnding = false;

  constructor(agent: Player, input: TurnInput) {
    this.#agent = agent;
    this.input = input;
  }

  stop(): void {
    this.#stop.abort(new DOMException("stopped", "AbortError"));
  }
  offer(steer: SteerInput): boolean {
    if (this.#stop.signal.aborted || this.#isEnding) return false;
    this.#steers.push(steer);
    return true;
  }
  withdraw(id: string): boolean {
    const before = this.#steers.length;
    this.#steers = this.#steers.filter(({ inputId }) => inputId !== id);
    return this.#steers.length < before;
  }
  /** The steers that wait, which are no longer this turn's. */
  takeSteers(): readonly SteerInput[] {
    return this.#steers.splice(0);
  }
  answer(id: ApprovalId, decision: ApprovalDecision): boolean {
    const question = this.#questions.get(id);
    question?.resolve(decision);
    return this.#questions.delete(id);
  }

  /** Resolves after the terminal event, with the steers that become turns of their own. */
  async run(work: () => Promise<void>): Promise<readonly SteerInput[]> {
    const { connection, capabilities } = this.#agent;
    const { turnId, inputId } = this.input;
    try {
      await work();
      while (this.#steers.length > 0 && !capabilities.steerStartsOwnTurn) await this.#noteSteers();
      this.#isEnding = true;
      const adopted = this.takeSteers();
      const answered = [inputId, ...this.folded.map((other) => other.inputId)];
      this.#agent.completed(turnId, answered);
      for (const other of this.folded) connection.complete(other.turnId);
      return adopted;
    } catch (cause) {
      this.#isEnding = true;
      this.#cut(cause);
      return [];
    }
  }
  #cut(cause: unknown): void {
    const { connection } = this.#agent;
    const { turnId } = this.input;
    for (const toolCallId of this.#calls) this.#chunk({ type: "tool-output-error", toolCallId, errorText: "cut" });
    for (const approvalId of this.#questions.keys()) {
      connection.emit({ type: "approval-withdrawn", approvalId, reason: "The turn ended." });
    }
    this.#questions.clear();
    const inputs = this.takeSteers().map(({ inputId }) => inputId);
    if (inputs.length > 0) connection.emit({ type: "steer-undelivered", turnId, inputs });
    if (this.#stop.signal.aborted) {
      connection.emit({ type: "turn-complete", turnId, outcome: "stopped", answered: [] });
    } else connection.emit({ type: "error", turnId, code: "model-error", message: messageOf(cause), retry: "later" });
  }

  // --- the acts ---------------------------------------------------------------------------------------------------

  /** Each begins with a request of the model; those with a tool make another one after it. */
  async play(act: FakeAct): Promise<void> {
    await this.#agent.request(this.input.turnId, act.tokens);
    const play = this.#acts[act.act];
    if (play === undefined) return this.#say("noted");
    await play(act);
  }

  readonly #acts: Readonly<Record<string, (act: FakeAct) => Promise<void>>> = {
    text: async ({ text = "" }) => this.#say(text),
    slowText: async () => this.#sayWords(),
    silence: async () => this.#wait(new Promise<never>(() => {})),
    reasoning: async () => {
      this.#chunk({ type: "reasoning-start", id: "r1" });
      this.#chunk({ type: "reasoning-delta", id: "r1", delta: "let me see" });
      this.#chunk({ type: "reasoning-end", id: "r1" });
      this.#say("so it is");
    },
    tool: async () => this.#afterTools(this.#leaveTrace(this.#show())),
    twoTools: async () => {
      const calls = [this.#show(), this.#show()];
      await this.#afterTools(Promise.all(calls.map((call) => this.#leaveTrace(call))));
    },
    ownTool: async ({ text = "" }) => this.#callOwn(JSON.parse(text) as Omit<Call, "id">),
    failingTool: async () => {
      const { id } = this.#show();
      this.#close(id, "no such file");
      await this.#afterTools(Promise.resolve());
    },
    heldTool: async () => this.#afterTools(this.#hold()),
    heldThenTool: async () => {
      await this.#hold();
      await this.#afterTools(this.#leaveTrace(this.#show()));
    },
    failure: async () => {
      throw new TypeError("the model is out of order");
    },
    retry: async () => {
      this.#retry();
      this.#say("at last");
    },
    longRetry: async () => {
      this.#retry();
      await this.#wait(new Promise<never>(() => {}));
    },
    autonomous: async () => {
      this.#agent.world.begin = () => this.#agent.beginOwnTurn();
      this.#say("later");
    },
    background: async () => {
      this.#agent.leaveWork();
      this.#say("it goes on");
    },
    flow: async () => this.#flow(),
    environment: async () => {
      const { id } = this.#show();
      const lines = Object.entries(this.#agent.input.env).map(([name, value]) => `${name}=${value}`);
      this.#done(id, lines.join("\n"));
      await this.#afterTools(Promise.resolve());
    },
    readFile: async ({ text = "" }) => {
      const { id } = this.#show();
      await this.#agent.readFile(text);
      this.#done(id, "read");
      await this.#afterTools(Promise.resolve());
    },
  };

  /** A turn that waited on an earlier connection: asks again, and goes on when every call has an outcome. */
  async goOn(approvals: readonly WaitingApproval[]): Promise<void> {
    const decided = approvals.map(async ({ approvalId, toolCallId: id, toolName: name, input }) => {
      this.#calls.add(id);
      await this.#byAnswer({ id, name, input }, this.#ask(approvalId, { id, name, input }));
    });
    await this.#afterTools(Promise.all(decided));
  }

  async #afterTools(tools: Promise<unknown>): Promise<void> {
    await tools;
    this.#stop.signal.throwIfAborted();
    this.#takeSteers();
    await this.#agent.request(this.input.turnId);
    this.#say("done");
  }
  async #noteSteers(): Promise<void> {
    this.#takeSteers();
    await this.#agent.request(this.input.turnId);
    this.#say("noted");
  }
  #takeSteers(): void {
    const isOne = this.#agent.input.steeringMode?.() === "one-at-a-time";
    const taken = isOne ? this.#steers.splice(0, 1) : this.takeSteers();
    if (taken.length === 0) return;
    for (const steer of taken) this.#agent.hear(steer);
    const ids = taken.map(({ inputId }) => inputId);
    this.#agent.connection.emit({ type: "steer-boundary", turnId: this.input.turnId, taken: ids });
  }

  #say(text: string): void {
    this.#agent.connection.say(this.input.turnId, text);
    this.#agent.said(text);
  }
  async #sayWords(): Promise<void> {
    this.#chunk({ type: "text-start", id: "slow" });
    for (const delta of words) {
      this.#chunk({ type: "text-delta", id: "slow", delta });
      await this.#wait(new Promise<void>((resolve) => void systemClock.after(wordMs, resolve)));
    }
    this.#chunk({ type: "text-end", id: "slow" });
    this.#agent.said(words.join(""));
  }
  #retry(): void {
    const { turnId } = this.input;
    const retry = { attempt: 1, maxAttempts: 3, delayMs: 2_000, status: 529, message: "overloaded" };
    this.#agent.connection.emit({ type: "api-retry", turnId, ...retry });
  }

  // --- tools ------------------------------------------------------------------------------------------------------

  #show({ name, input }: Omit<Call, "id"> = { name: "leave", input: { trace: "trace" } }): Call {
    const call = { id: this.#agent.uuid(), name, input };
    this.#calls.add(call.id);
    this.#chunk({ type: "tool-input-available", toolCallId: call.id, toolName: name, input });
    return call;
  }
  async #callOwn(asked: Omit<Call, "id">): Promise<void> {
    const call = this.#show(asked);
    const decision = await this.#decide(call);
    const own = this.#agent.input.ownTools?.().find(({ name }) => name === asked.name);
    if (decision !== "allow" || own === undefined) {
      this.#close(call.id, "It was not run.");
      return this.#afterTools(Promise.resolve());
    }
    const { signal } = this.#stop;
    const result = await own.run({ toolCallId: call.id, input: call.input, signal, progress: () => {} });
    this.#done(call.id, result.text);
    if (result.terminate === true) return;
    this.#agent.said(result.text);
    await this.#afterTools(Promise.resolve());
  }
  async #leaveTrace(call: Call): Promise<void> {
    const decision = await this.#decide(call);
    if (decision === "ask") return this.#byAnswer(call, this.#ask(this.#agent.newApproval(), call));
    if (decision === "allow") return this.#run(call);
    this.#close(call.id, decision.deny);
  }
  async #decide({ id, name, input }: Call): Promise<PolicyDecision> {
    if (this.#agent.isDisabled) return { deny: "The tool is disabled." };
    const { turnId } = this.input;
    const call = { toolCallId: id, toolName: name, input, category: "write", paths: [], turnId } as const;
    const decided = this.#agent.input.policy.decide(call).catch((cause: unknown) => ({ deny: messageOf(cause) }));
    return this.#wait(decided);
  }
  #ask(approvalId: ApprovalId, { id, input, name }: Call): Promise<ApprovalDecision> {
    const question = Promise.withResolvers<ApprovalDecision>();
    this.#questions.set(approvalId, question);
    this.#agent.connection.emit({
      type: "tool-approval-request",
      turnId: this.input.turnId,
      approvalId,
      toolCallId: id,
      toolName: name,
      input,
      durable: this.#agent.capabilities.durableApproval,
    });
    return this.#wait(question.promise);
  }
  async #byAnswer(call: Call, answer: Promise<ApprovalDecision>): Promise<void> {
    const decision = await answer;
    if (decision.decision === "deny") return this.#close(call.id, decision.reason);
    this.#run({ ...call, input: decision.input ?? call.input });
  }
  #run({ id, input }: Call): void {
    const isNamed = typeof input === "object" && input !== null && "trace" in input;
    this.#agent.world.traces.push(isNamed ? String(input.trace) : "trace");
    this.#done(id, "ran");
  }
  async #hold(): Promise<void> {
    const { id } = this.#show();
    await this.#agent.world.hold(this.#stop.signal);
    this.#agent.world.traces.push("held");
    this.#done(id, "released");
  }
  #done(toolCallId: string, output: string): void {
    this.#calls.delete(toolCallId);
    this.#chunk({ type: "tool-output-available", toolCallId, output });
  }
  #close(toolCallId: string, errorText: string): void {
    this.#calls.delete(toolCallId);
    this.#chunk({ type: "tool-output-error", toolCallId, errorText });
  }
  async #flow(): Promise<void> {
    const { id: rootToolCallId } = this.#show();
    const { turnId } = this.input;
    for (const chunk of [
      { type: "text-start", id: "f1" },
      { type: "text-delta", id: "f1", delta: "from below" },
      { type: "text-end", id: "f1" },
      { type: "finish" },
    ] as const) {
      this.#agent.connection.emit({ type: "background-flow-chunk", turnId, rootToolCallId, chunk });
    }
    this.#done(rootToolCallId, "the sub-agent is done");
    await this.#afterTools(Promise.resolve());
  }

  #wait<T>(work: Promise<T>): Promise<T> {
    return untilStopped(work, this.#stop.signal);
  }
  #chunk(chunk: UIMessageChunk): void {
    this.#agent.connection.chunk(this.input.turnId, chunk);
  }
}
