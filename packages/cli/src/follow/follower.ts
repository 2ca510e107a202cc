/**
 * Follows one session until its run is over: shows its events, asks its approvals, gives it what is typed. Invariants:
 * nothing that was submitted, answered or released is left before its effect was seen in the journal; one question is
 * on the screen at a time; a typed line is an answer while a question is open, and a steer otherwise.
 */
import type { ApprovalId, InputId, NewAnswer, NewInput, Receipt, SessionId, Snapshot } from "@mooring/host";
import type { CommandHost } from "../command-host.ts";
import { codeOf, messageOf } from "../failure.ts";
import { limits } from "../limits.ts";
import { plainText } from "../text/plain-text.ts";
import { answerKeys, parseAnswer, questionText } from "../text/question.ts";
import type { Output } from "./output.ts";
import { advance, isAtRest, type OpenQuestion, type RunState, startState, waitsForPerson } from "./run-state.ts";

type Loss = { readonly problem: Error | null; readonly attempts: number };
export type FollowerPorts = {
  readonly host: CommandHost;
  readonly sessionId: SessionId;
  /** What follows is everything after it. */
  readonly snapshot: Snapshot;
  readonly output: Output;
  /** Someone can answer and steer. */
  readonly isInteractive: boolean;
};

export class Follower {
  readonly #ports: FollowerPorts;
  readonly #over = new AbortController();
  /** Inputs whose next event must be seen. */
  readonly #awaited = new Set<InputId>();
  readonly #seen = new Set<InputId>();
  readonly #answering = new Set<ApprovalId>();
  /** Calls to the host that are not answered yet. */
  #calls = 0;
  #state: RunState;
  #cursor: string;
  #shown: ApprovalId | null = null;
  #canAnswer: boolean;
  /** Why nothing is followed any more. */
  #gone: Error | null = null;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
    this.#state = startState(ports.snapshot);
    this.#cursor = ports.snapshot.cursor;
    this.#canAnswer = ports.isInteractive;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Resolves when the run is over, nobody can answer what it waits for, or `leave` was called. */
  async run(): Promise<RunState> {
    this.#check();
    while (!this.#over.signal.aborted) {
      try {
        await this.#read();
      } catch (cause) {
        // It lagged behind: the journal has what was missed.
        if (codeOf(cause) !== "slow-subscriber") throw cause;
      }
    }
    if (this.#gone !== null) throw this.#gone;
    return this.#state;
  }
  /** The stream comes back by itself, unless there is nothing to come back to. */
  #lost({ problem, attempts }: Loss): void {
    if (problem === null) return; // it ended in order
    if (attempts === 2) this.#ports.output.ask((look) => look.yellow(`  ${plainText(problem.message)} Trying again …`));
    if (attempts < limits.lostAttempts) return;
    this.#gone = problem;
    this.#over.abort();
  }
  async #read(): Promise<void> {
    const { host, sessionId, output } = this.#ports;
    const { signal } = this.#over;
    const following = { after: this.#cursor, signal, onLost: (loss: Loss) => this.#lost(loss) };
    for await (const delivered of host.events(sessionId, following)) {
      output.event(delivered);
      this.#cursor = delivered.cursor;
      this.#state = advance(this.#state, delivered);
      if ("inputId" in delivered.event && delivered.event.inputId !== undefined) this.#see(delivered.event.inputId);
      this.#check();
    }
  }
  #see(id: InputId): void {
    this.#seen.add(id);
    this.#awaited.delete(id);
  }

  /** Rejects as the host does. */
  async submit(input: NewInput): Promise<Receipt> {
    return this.#call(async () => {
      const receipt = await this.#ports.host.submit(this.#ports.sessionId, input);
      if (receipt.disposition !== "handled" && receipt.disposition !== "ended") this.#await([receipt.inputId]);
      return receipt;
    });
  }
  /** A call that frees these inputs. Rejects as the host does. */
  async free(call: () => Promise<void>, ids: readonly InputId[]): Promise<void> {
    await this.#call(async () => {
      await call();
      this.#await(ids);
    });
  }
  /** Rejects as the host does. */
  async answer(id: ApprovalId, answer: NewAnswer): Promise<void> {
    this.#answering.add(id);
    try {
      await this.#call(() => this.#ports.host.answer(id, answer));
    } catch (cause) {
      this.#answering.delete(id);
      this.#shown = null; // if it is still open, it is asked again
      this.#check();
      throw cause;
    }
  }
  #await(ids: readonly InputId[]): void {
    for (const id of ids) if (!this.#seen.has(id)) this.#awaited.add(id);
  }
  async #call<T>(call: () => Promise<T>): Promise<T> {
    this.#calls++;
    try {
      return await call();
    } finally {
      this.#calls--;
      this.#check();
    }
  }

  /** A typed line. Never rejects: what goes wrong is said. */
  async line(text: string): Promise<void> {
    const question = this.#question;
    if (text.trim() === "" && question === null) return;
    if (this.#over.signal.aborted) return this.#refuse("the run is over");
    try {
      await (question === null ? this.#steer(text) : this.#typed(question, text));
    } catch (cause) {
      this.#refuse(messageOf(cause));
    }
  }
  #refuse(why: string): void {
    this.#ports.output.ask((look) => look.red(`not sent: ${plainText(why)}`));
  }
  async #steer(text: string): Promise<void> {
    const { output } = this.#ports;
    const { disposition } = await this.submit({ text, delivery: "steer" });
    if (disposition === "offered") output.ask((look) => look.dim("↳ given to the running turn"));
    if (disposition === "queued") output.ask((look) => look.dim("↳ queued: it starts when the turn is over"));
  }
  async #typed(question: OpenQuestion, text: string): Promise<void> {
    const answer = parseAnswer(text);
    if (answer !== null) return this.answer(question.id, { ...answer, by: "terminal" });
    this.#ports.output.ask((look) => look.dim(`  That is no answer. ${answerKeys(question)}`));
  }

  /** Nobody can answer or steer any more. */
  linesEnded(): void {
    this.#canAnswer = false;
    this.#check();
  }
  /** Stops what runs. False: nothing does. Never rejects. */
  async stop(): Promise<boolean> {
    const { host, sessionId, output } = this.#ports;
    const turns = [...this.#state.turns.keys()];
    try {
      for (const turn of turns) await host.stop(sessionId, turn);
      if (turns.length > 0) output.ask((look) => look.yellow("stopping the turn … (Ctrl-C again leaves at once)"));
    } catch (cause) {
      output.ask((look) => look.red(`not stopped: ${plainText(messageOf(cause))}`));
    }
    return turns.length > 0;
  }
  leave(): void {
    this.#over.abort();
  }

  /** The oldest question nobody has answered. */
  get #question(): OpenQuestion | null {
    if (!this.#canAnswer) return null;
    return [...this.#state.questions.values()].find(({ id }) => !this.#answering.has(id)) ?? null;
  }
  #check(): void {
    for (const id of this.#answering) if (!this.#state.questions.has(id)) this.#answering.delete(id);
    this.#showQuestion();
    if (this.#isOver) this.#over.abort();
  }
  #showQuestion(): void {
    const question = this.#question;
    if (question === null || question.id === this.#shown) return;
    this.#shown = question.id;
    this.#ports.output.ask((look) => `${questionText(question, look)}  ${look.dim(answerKeys(question))}`);
  }
  get #isOver(): boolean {
    if (this.#calls > 0 || this.#awaited.size > 0 || this.#answering.size > 0) return false;
    return isAtRest(this.#state) || (waitsForPerson(this.#state) && !this.#canAnswer);
  }
}
