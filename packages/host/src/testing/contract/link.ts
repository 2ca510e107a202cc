/**
 * One open connection as a case uses it: calls as a host makes them, events as they come, and a wait for each thing that
 * should happen. Invariant: every wait ends, by what it waits for, by the end of the events, or by the case's deadline.
 */
import type {
  AgentRuntimeConnection,
  AgentRuntimeEvent,
  ApprovalDecision,
  CloseReason,
  ReconcileVerdict,
  SessionTarget,
  SteerInput,
  TurnInput,
} from "../../ports/driver.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { ApprovalId, InputId, TurnId } from "../../protocol/ids.ts";
import type { Part } from "../../protocol/input.ts";
import type { Branch } from "./branch.ts";
import type { Deadline } from "./deadline.ts";
import type { Act } from "./scenarios.ts";
import type { Witness } from "./witness/witness.ts";

export type Named<T extends AgentRuntimeEvent["type"]> = Extract<AgentRuntimeEvent, { type: T }>;
export type Terminal = Named<"turn-complete" | "error">;
export type Sent = { readonly turnId: TurnId; readonly inputId: InputId; readonly agentKey: string };
export type Steered = { readonly inputId: InputId; readonly answer: "offered" | "refused" };
type LinkParts = {
  readonly connection: AgentRuntimeConnection;
  readonly witness: Witness;
  readonly branch: Branch;
  readonly deadline: Deadline;
  newSent(): Sent;
};

export class Link {
  readonly connection: AgentRuntimeConnection;
  readonly witness: Witness;
  readonly events: AgentRuntimeEvent[] = [];
  readonly #parts: LinkParts;
  readonly #watchers = new Set<() => void>();
  /** Resolves when the events are over, however they ended. */
  #over: Promise<void> | null = null;
  #isOver = false;
  #closed: Promise<readonly InputId[]> | null = null;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.connection = parts.connection;
    this.witness = parts.witness;
  }

  /** Begins to read, once. */
  read(): Promise<void> {
    this.#over ??= this.#read();
    return this.#over;
  }
  async #read(): Promise<void> {
    try {
      for await (const event of this.connection.events) this.#heard(event);
    } catch {
      // The end of the events, as a host takes it.
    } finally {
      this.#isOver = true;
      this.#wake();
    }
  }
  #heard(event: AgentRuntimeEvent): void {
    this.witness.heard(event);
    this.#parts.branch.heard(event);
    this.events.push(event);
    this.#wake();
  }
  #wake(): void {
    for (const look of [...this.#watchers]) look();
  }

  // --- what a host calls ------------------------------------------------------------------------------------------

  /** Resolves when the agent accepted the prompt. */
  async send(content: string | readonly Part[], change: Partial<TurnInput> = {}): Promise<Sent> {
    const { turn, accepted } = this.#send(content, change);
    await this.#within("the agent to accept the prompt", accepted);
    return turn;
  }
  /** Sends a prompt to an agent that may never accept it. */
  sendUnheard(content: string): Sent {
    const { turn, accepted } = this.#send(content, {});
    accepted.catch(() => {}); // what becomes of the turn is told by the events
    return turn;
  }
  #send(content: string | readonly Part[], change: Partial<TurnInput>) {
    const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const turn = { ...this.#parts.newSent(), parts, arrivedMidTurn: false, headless: false, ...change };
    this.witness.sent(turn);
    this.#parts.branch.sent(turn.turnId, parts);
    return { turn, accepted: this.connection.send(turn) };
  }
  /** Sends a prompt and resolves with the end of its turn. */
  async turn(act: Act): Promise<Terminal> {
    return this.end((await this.send(act.prompt)).turnId);
  }
  async steer(turnId: TurnId, text: string): Promise<Steered> {
    const { redirect } = this.connection;
    const made = this.#parts.newSent();
    const parts: readonly Part[] = [{ type: "text", text }];
    const steer: SteerInput = { ...made, turnId, parts, arrivedMidTurn: true, headless: false };
    if (redirect === undefined) return { inputId: made.inputId, answer: "refused" };
    this.#parts.branch.offered(made.inputId, parts);
    this.witness.offered(steer);
    const answer = await this.#within("an answer to a steer", redirect.call(this.connection, steer));
    if (answer === "refused") this.witness.refused(made.inputId);
    return { inputId: made.inputId, answer };
  }
  async withdraw(id: InputId): Promise<boolean> {
    const taken = this.connection.withdraw?.(id) ?? Promise.resolve(false);
    const isWithdrawn = await this.#within("an answer to a withdrawal", taken);
    if (isWithdrawn) this.witness.withdrew(id);
    return isWithdrawn;
  }
  abort(turnId: TurnId): ReturnType<AgentRuntimeConnection["abortTurn"]> {
    return this.#within("an answer to a stop", this.connection.abortTurn(turnId));
  }
  reconcile(target: SessionTarget): Promise<ReconcileVerdict> {
    return this.#within("the verdict of a reconcile", this.connection.reconcile(target));
  }
  async answer(id: ApprovalId, decision: ApprovalDecision): Promise<void> {
    this.witness.answered(id);
    await this.#within("an answer to be taken", this.connection.answerApproval(id, decision));
  }
  /** Resolves with the steers it returned. The first call counts. */
  close(reason: CloseReason): Promise<readonly InputId[]> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }
  async #close(reason: CloseReason): Promise<readonly InputId[]> {
    const hadDied = this.#isOver;
    const { returned } = await this.#within("the connection to close", this.connection.close(reason));
    await this.#within("the events to end after close", this.read());
    this.witness.closed(returned, hadDied);
    return returned;
  }

  // --- what a case waits for --------------------------------------------------------------------------------------

  get isOver(): boolean {
    return this.#isOver;
  }
  end(turnId: TurnId): Promise<Terminal> {
    const isEnd = (event: AgentRuntimeEvent): event is Terminal =>
      (event.type === "turn-complete" || event.type === "error") && event.turnId === turnId;
    return this.find(`the end of turn ${turnId}`, isEnd);
  }
  /** The first event of a type, past or future. */
  next<T extends AgentRuntimeEvent["type"]>(type: T): Promise<Named<T>> {
    return this.find(type, (event): event is Named<T> => event.type === type);
  }
  /** The first chunk of a type in a turn, or the `nth` (from 1), past or future. */
  async chunk(turnId: TurnId, type: UIMessageChunk["type"], nth = 1): Promise<void> {
    let seen = 0;
    await this.find(`chunk ${type} of turn ${turnId}`, (event): event is Named<"chunk"> => {
      const isOne = event.type === "chunk" && event.turnId === turnId && event.chunk.type === type;
      return isOne && ++seen === nth;
    });
  }
  /**
   * The first event that matches, past or future: each is looked at once. Rejects when the events end without it.
   */
  find<Event extends AgentRuntimeEvent>(
    what: string,
    matches: (event: AgentRuntimeEvent) => event is Event,
  ): Promise<Event> {
    let watch = (): void => {};
    const found = new Promise<Event>((resolve, reject) => {
      let next = 0;
      watch = (): void => {
        for (const event of this.events.slice(next)) {
          next++;
          if (matches(event)) return resolve(event);
        }
        if (this.#isOver) reject(this.#parts.deadline.broken(`the events ended before ${what}`));
      };
      this.#watchers.add(watch);
      watch();
    });
    return this.#within(what, found).finally(() => this.#watchers.delete(watch));
  }
  #within<T>(what: string, work: Promise<T>): Promise<T> {
    return this.#parts.deadline.within(what, work, () => this.story);
  }

  // --- what was heard ---------------------------------------------------------------------------------------------

  all<T extends AgentRuntimeEvent["type"]>(type: T): Named<T>[] {
    return this.events.filter((event): event is Named<T> => event.type === type);
  }
  chunks<T extends UIMessageChunk["type"]>(turnId: TurnId, type: T): Extract<UIMessageChunk, { type: T }>[] {
    return this.all("chunk")
      .filter((event) => event.turnId === turnId)
      .map(({ chunk }) => chunk)
      .filter((chunk): chunk is Extract<UIMessageChunk, { type: T }> => chunk.type === type);
  }
  /** All text of a turn, joined. */
  said(turnId: TurnId): string {
    return this.chunks(turnId, "text-delta")
      .map(({ delta }) => delta)
      .join("");
  }
  /** The newest resume token. */
  get token(): string | null {
    return this.all("resume-token").at(-1)?.token ?? null;
  }
  /** The types of the last events, for a failure's text. */
  get story(): string {
    const types = this.events.slice(-12).map((event) => (event.type === "chunk" ? event.chunk.type : event.type));
    return types.length === 0 ? "nothing was told" : `last told: ${types.join(", ")}`;
  }
}
