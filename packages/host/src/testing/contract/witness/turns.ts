/**
 * The turns of one connection as its events tell them: who began each, its message so far, its open questions, its end.
 * A message is folded as the host folds it, so what does not fit here does not fit there.
 */
import type { Waiting } from "../../../ports/driver.ts";
import type { UIMessageChunk } from "../../../protocol/chunks.ts";
import { type Fold, foldChunk, liveParts, startFold } from "../../../protocol/fold.ts";
import type { ApprovalId, InputId, TurnId } from "../../../protocol/ids.ts";
import type { Named, Notes } from "./notes.ts";
import type { Steers } from "./steers.ts";

type SeenTurn = {
  /** Null: the agent began it. */
  readonly input: InputId | null;
  fold: Fold;
  readonly calls: Set<string>;
  readonly questions: Set<ApprovalId>;
  state: "live" | "ended";
};
const frame: ReadonlySet<string> = new Set(["start", "finish", "abort", "error"]);

export class Turns {
  readonly #notes: Notes;
  readonly #steers: Steers;
  readonly #turns = new Map<TurnId, SeenTurn>();

  constructor(notes: Notes, steers: Steers) {
    this.#notes = notes;
    this.#steers = steers;
  }

  get isAnyLive(): boolean {
    return [...this.#turns.values()].some(({ state }) => state === "live");
  }
  hasCall(toolCallId: string): boolean {
    return [...this.#turns.values()].some(({ calls }) => calls.has(toolCallId));
  }

  given(id: TurnId, input: InputId): void {
    this.#turns.set(id, newTurn(id, input));
  }
  /** It waited on an earlier connection, which showed these calls and asked about them. */
  continued({ turnId, approvals }: Waiting): void {
    const turn = newTurn(turnId, null);
    this.#turns.set(turnId, turn);
    for (const { approvalId, toolCallId, toolName, input } of approvals) {
      turn.calls.add(toolCallId);
      foldChunk(turn.fold, { type: "tool-input-available", toolCallId, toolName, input });
      foldChunk(turn.fold, { type: "tool-approval-request", approvalId, toolCallId });
    }
  }
  began({ turnId, origin, inputId }: Named<"autonomous-turn-state">): void {
    if (this.#turns.has(turnId)) {
      this.#notes.report("autonomous/announced", `the agent's own turn took the id of another, ${turnId}`);
    }
    this.#turns.set(turnId, newTurn(turnId, null));
    if (origin === "steer" && inputId !== undefined) this.#steers.ended(inputId, "adopted");
  }

  /** The turn an event is about, if it may say something now. */
  live(id: TurnId, what: string): SeenTurn | null {
    const turn = this.#turns.get(id);
    if (turn === undefined) {
      this.#notes.report("turn/ids", `${what} names turn ${id}, which nobody began`);
      return null;
    }
    if (turn.state === "live") return turn;
    this.#notes.report("turn/silent-after-end", `${what} came after the end of its turn`);
    return null;
  }

  chunk(id: TurnId, chunk: UIMessageChunk): void {
    const turn = this.live(id, `chunk ${chunk.type}`);
    if (turn === null) return;
    if (frame.has(chunk.type)) this.#notes.report("parts/frame", `chunk ${chunk.type} is the frame of a message`);
    if ("toolCallId" in chunk && typeof chunk.toolCallId === "string") turn.calls.add(chunk.toolCallId);
    const issue = foldChunk(turn.fold, chunk);
    if (issue !== undefined) {
      this.#notes.report("parts/well-formed", `${issue.chunkType}: ${issue.code} (${issue.detail})`);
    }
  }

  /** The host closes the part, as it would be closed here. */
  abandoned({ turnId, part }: Named<"part-abandoned">): void {
    const turn = this.live(turnId, "part-abandoned");
    if (turn === null) return;
    const { texts, tools } = liveParts(turn.fold);
    const text = texts.find(({ id }) => id === part);
    if (text !== undefined) foldChunk(turn.fold, { type: `${text.kind}-end`, id: part });
    if (tools.every(({ toolCallId }) => toolCallId !== part)) return;
    foldChunk(turn.fold, { type: "tool-output-error", toolCallId: part, errorText: "abandoned" });
  }

  boundary({ turnId, taken }: Named<"steer-boundary">): void {
    for (const id of taken) this.#steers.ended(id, "boundary");
    const turn = this.live(turnId, "steer-boundary");
    if (turn === null) return;
    const open = liveParts(turn.fold).tools.map(({ toolName }) => toolName);
    if (open.length > 0) this.#notes.report("steer/clean-boundary", `at the boundary ${open.join(", ")} is open`);
    turn.fold = startFold(turnId);
  }

  asked({ turnId, approvalId, toolCallId }: Named<"tool-approval-request">): void {
    if (turnId === undefined) return;
    const turn = this.live(turnId, "tool-approval-request");
    if (turn === null) return;
    if (!turn.calls.has(toolCallId)) {
      this.#notes.report("approval/asked", `the question is about call ${toolCallId}, which was not shown`);
    }
    if (turn.questions.has(approvalId)) this.#notes.report("approval/two", `question ${approvalId} was asked twice`);
    turn.questions.add(approvalId);
  }
  answered(approvalId: ApprovalId): void {
    for (const { questions } of this.#turns.values()) questions.delete(approvalId);
  }
  withdrawn(approvalId: ApprovalId): void {
    const found = [...this.#turns.values()].some(({ questions }) => questions.delete(approvalId));
    if (!found) this.#notes.report("approval/withdrawn", `${approvalId} was withdrawn and is no open question`);
  }

  ended(event: Named<"turn-complete" | "error">): void {
    const { turnId, type } = event;
    const turn = this.#turns.get(turnId);
    if (turn?.state === "ended") return this.#notes.report("turn/one-terminal", `turn ${turnId} ended again: ${type}`);
    if (turn === undefined) return void this.live(turnId, type);
    turn.state = "ended";
    this.#closed(turn, type === "turn-complete" && event.outcome === "completed");
    if (type === "turn-complete") this.#named(event.answered);
  }
  /** `autonomous-turn-state {finished}` counts as an end where there was none. */
  finished(turnId: TurnId): void {
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return void this.live(turnId, "autonomous-turn-state");
    if (turn.state === "live") this.#closed(turn, true);
    turn.state = "ended";
  }

  #closed(turn: SeenTurn, isCompleted: boolean): void {
    const { tools, texts } = liveParts(turn.fold);
    for (const { toolName, state } of tools) {
      this.#notes.report("parts/closed", `the turn ended with ${toolName} still ${state}`);
    }
    if (isCompleted && texts.length > 0) {
      this.#notes.report("parts/closed", `the turn completed with ${texts.length} text still open`);
    }
    if (turn.questions.size > 0) {
      this.#notes.report("approval/withdrawn", `the turn ended with ${turn.questions.size} question still open`);
    }
  }
  #named(answered: readonly InputId[]): void {
    if (new Set(answered).size < answered.length) {
      this.#notes.report("turn/answered", `an input is named twice: ${answered.join(", ")}`);
    }
  }
}

const newTurn = (id: TurnId, input: InputId | null): SeenTurn => ({
  input,
  fold: startFold(id),
  calls: new Set(),
  questions: new Set(),
  state: "live",
});
