/**
 * The scripted fake on one connection: what it remembers of the conversation, which turn runs, and what it does when the
 * host calls. What it can do follows from its capabilities alone, so one fake stands for many kinds of agent.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemIds } from "../../../host/system-ids.ts";
import type { ConnectInput, DriverCapabilities, SessionTarget, SteerInput, TurnInput } from "../../../ports/driver.ts";
import { MooringError, ResumeFailed } from "../../../protocol/errors.ts";
import type { InputId, TurnId } from "../../../protocol/ids.ts";
import type { Part } from "../../../protocol/input.ts";
import type { FakeConnection } from "../../fake-connection.ts";
import { type FakeAct, FakeTurn } from "./fake-turn.ts";
import type { FakeWorld, Said } from "./fake-world.ts";

export type FakeAgentParts = {
  readonly connection: FakeConnection;
  readonly input: ConnectInput;
  readonly world: FakeWorld;
  readonly capabilities: DriverCapabilities;
};
/** Tokens the fake's window holds. */
const window = 100_000;

export class FakeAgent {
  readonly connection: FakeConnection;
  readonly input: ConnectInput;
  readonly world: FakeWorld;
  readonly capabilities: DriverCapabilities;
  #target: SessionTarget;
  #memory: Said[];
  #turn: FakeTurn | null = null;
  readonly #queue: TurnInput[] = [];
  #isClosed = false;

  /** Rejects a token of no conversation. */
  constructor({ connection, input, world, capabilities }: FakeAgentParts) {
    this.connection = connection;
    this.input = input;
    this.world = world;
    this.capabilities = capabilities;
    this.#target = input;
    this.#memory = [...rememberedOf(world, input.resumeToken)];
    this.#behave();
    if (input.waiting !== null) this.#continue(input.waiting);
  }

  #behave(): void {
    const { behaviour } = this.connection;
    behaviour.send = async (turn) => this.#send(turn);
    behaviour.redirect = async (steer) => (this.#redirect(steer) ? "offered" : "refused");
    behaviour.withdraw = async (id) => this.#turn?.withdraw(id) ?? false;
    behaviour.abortTurn = async (turnId) => {
      if (this.#turn?.input.turnId !== turnId) return "already-settled";
      this.#turn.stop();
      return "aborted";
    };
    behaviour.answerApproval = async (id, decision) => {
      if (this.#turn?.answer(id, decision)) return;
      throw new MooringError("approval-unknown", "The fake asks no such question.");
    };
    behaviour.reconcile = async (target) => this.#reconcile(target);
    behaviour.compact = () => this.#compact();
    behaviour.close = async () => this.#close();
  }

  // --- turns ------------------------------------------------------------------------------------------------------

  #send(turn: TurnInput): void {
    if (this.#isClosed) throw new MooringError("connection-closed", "The connection is closed: open another.");
    if (this.#turn === null) return this.#begin(turn);
    const { secondPrompt } = this.capabilities;
    if (secondPrompt === "refuse") throw new MooringError("session-busy", "A turn is running: wait for its end.");
    if (secondPrompt === "fold") this.#turn.folded.push(turn);
    else this.#queue.push(turn);
    if (secondPrompt === "abort") this.#turn.stop();
  }
  #begin(input: TurnInput): void {
    const turn = new FakeTurn(this, input);
    const isKnown = this.capabilities.idempotentInput && this.#memory.some(({ key }) => key === input.agentKey);
    if (!isKnown) this.hear(input);
    this.#run(turn, async () => (isKnown ? undefined : turn.play(actOf(input.parts))));
  }
  #continue({ turnId, approvals }: NonNullable<ConnectInput["waiting"]>): void {
    const input = { turnId, inputId: "", agentKey: "", parts: [], arrivedMidTurn: false, headless: false };
    const turn = new FakeTurn(this, input);
    this.#run(turn, () => turn.goOn(approvals));
  }
  #run(turn: FakeTurn, work: () => Promise<void>): void {
    this.#turn = turn;
    void turn.run(work).then((adopted) => this.#next(adopted)); // never rejects
  }
  #next(adopted: readonly SteerInput[]): void {
    this.#turn = null;
    for (const steer of adopted) {
      const turnId = systemIds.make("trn");
      const { inputId } = steer;
      this.connection.emit({ type: "autonomous-turn-state", turnId, state: "started", origin: "steer", inputId });
      this.#queue.push({ ...steer, turnId });
    }
    const [next] = this.#queue.splice(0, 1);
    if (next !== undefined && !this.#isClosed) this.#begin(next);
  }
  beginOwnTurn(): void {
    const turnId = systemIds.make("trn");
    this.connection.emit({ type: "autonomous-turn-state", turnId, state: "started", origin: "timer" });
    const text = JSON.stringify({ act: "text", text: "it is time" } satisfies FakeAct);
    const parts = [{ type: "text", text }] as const;
    this.#begin({ turnId, inputId: "", agentKey: "", parts, arrivedMidTurn: false, headless: false });
  }
  /** Its last words: the place the conversation can be resumed at, and the end of the turn. */
  completed(turnId: TurnId, answered: readonly InputId[]): void {
    const named = answered.filter((id) => id !== "");
    if (this.capabilities.history === "host") return this.connection.complete(turnId, named);
    const token = systemIds.uuid();
    this.world.conversations.set(token, [...this.#memory]);
    this.connection.emit({ type: "resume-token", token });
    this.connection.emit({ type: "turn-complete", turnId, outcome: "completed", answered: named, anchor: token });
  }

  #redirect(steer: SteerInput): boolean {
    return this.#turn?.input.turnId === steer.turnId && this.#turn.offer(steer);
  }
  leaveWork(): void {
    this.connection.emit({ type: "background-work-state", active: true, awaitingReply: false });
    this.world.finish = () => {
      this.connection.emit({ type: "background-task-event", taskId: "task", data: { status: "done" } });
      this.connection.emit({ type: "background-work-state", active: false });
    };
  }
  #close(): { readonly returned: readonly InputId[] } {
    this.#isClosed = true;
    const returned = this.#turn?.takeSteers().map(({ inputId }) => inputId) ?? [];
    this.connection.events.end();
    this.#turn?.stop();
    return { returned };
  }

  // --- memory and model -------------------------------------------------------------------------------------------

  hear({ parts, agentKey }: Pick<TurnInput, "parts" | "agentKey">): void {
    if (parts.length > 0) this.#memory.push({ who: "user", text: JSON.stringify(parts), key: agentKey });
  }
  said(text: string): void {
    this.#memory.push({ who: "agent", text });
  }
  async readFile(path: string): Promise<void> {
    this.#memory.push({ who: "tool", text: await readFile(path, "utf8") });
  }
  /** One request of the model, with all it is given, and its usage. */
  async request(turnId: TurnId, [input, output]: readonly [number, number] = [3, 2]): Promise<void> {
    const { append } = this.#target.prompt;
    const isHost = this.capabilities.history === "host";
    const stored = isHost ? JSON.stringify(await this.input.history()) : "";
    const isReading = this.capabilities.workspaceText === true;
    const text = isReading ? await readFile(join(this.input.workspace, "AGENTS.md"), "utf8").catch(() => "") : "";
    this.world.asked = { text: JSON.stringify([append, text, stored, this.#memory]), model: this.#target.model };
    const tokens = { input, output, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    const timing = { firstTokenMs: null, totalMs: null };
    const requestId = `fake:${systemIds.uuid()}`;
    const usage = { requestId, model: this.#target.model, tokens, timing, cost: null };
    this.connection.emit({ type: "usage", turnId, usage });
  }
  async contextUsage(): Promise<{ used: number; window: number }> {
    return { used: this.world.asked.text.length, window };
  }

  #reconcile(target: SessionTarget): "current" | "patched" | "rebuild" | "invalid" | "failed" {
    if (this.#isClosed) return "failed";
    if (target.effort === "heroic") return "invalid";
    const before = this.#target;
    const isSame = (["model", "effort", "permissionMode", "disabledTools", "prompt", "mcpServers"] as const).every(
      (name) => JSON.stringify(before[name]) === JSON.stringify(target[name]),
    );
    if (isSame) return "current";
    const isFrozen =
      (before.model !== target.model && !this.capabilities.liveModel) ||
      (before.permissionMode !== target.permissionMode && !this.capabilities.liveMode);
    this.#target = { ...target, model: isFrozen ? before.model : target.model };
    return isFrozen ? "rebuild" : "patched";
  }
  get isDisabled(): boolean {
    return this.#target.disabledTools.includes("leave");
  }

  async #compact(): Promise<void> {
    const stored = await this.input.history();
    const last = stored.at(-1);
    const covers = last?.kind === "message" ? last.message.id : null;
    const isEmpty = this.capabilities.history === "host" ? covers === null : this.#memory.length === 0;
    if (isEmpty) throw new MooringError("nothing-to-compact", "There is nothing to compact yet.");
    if ((await this.input.hooks.beforeCompaction()) === "cancel") {
      throw new MooringError("compaction-cancelled", "A hook of the host said no.");
    }
    this.connection.emit({ type: "compaction-start", trigger: "manual" });
    this.#memory = [{ who: "summary", text: "in short" }];
    const done = { trigger: "manual", summary: "in short", covers, data: null };
    this.connection.emit({ type: "compaction-complete", done });
  }

  uuid(): string {
    return systemIds.uuid();
  }
  newApproval(): string {
    return systemIds.make("apr");
  }
}

function rememberedOf(world: FakeWorld, token: string | null): readonly Said[] {
  if (token === null) return [];
  const memory = world.conversations.get(token);
  if (memory === undefined) throw new ResumeFailed("missing", "The fake has no such conversation.");
  return memory;
}
function actOf(parts: readonly Part[]): FakeAct {
  const [first] = parts.filter((part) => part.type === "text");
  const text = first?.text ?? "";
  return text.startsWith("{") ? (JSON.parse(text) as FakeAct) : { act: "noted" };
}
