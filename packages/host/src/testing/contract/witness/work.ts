/** What is told beside the turns: usage, compactions, background work and the messages of sub-agents. */
import { type Fold, foldChunk, startFold } from "../../../protocol/fold.ts";
import type { Named, Notes } from "./notes.ts";
import type { Turns } from "./turns.ts";

type Flow = { readonly fold: Fold; readonly inTurn: boolean };
const flowEnds: ReadonlySet<string> = new Set(["finish", "abort", "error"]);

export class Work {
  readonly #notes: Notes;
  readonly #turns: Turns;
  readonly #type: string;
  readonly #requests = new Set<string>();
  readonly #flows = new Map<string, Flow>();
  #background: "never" | "active" | "over" = "never";
  #compactions = 0;

  constructor(notes: Notes, turns: Turns, driverType: string) {
    this.#notes = notes;
    this.#turns = turns;
    this.#type = driverType;
  }

  usage({ usage, turnId }: Named<"usage">): void {
    const { requestId, tokens } = usage;
    if (this.#requests.has(requestId)) this.#notes.report("usage/named", `usage of ${requestId} was told twice`);
    if (!requestId.startsWith(`${this.#type}:`)) {
      this.#notes.report("usage/named", `request id ${requestId} does not begin with ${this.#type}:`);
    }
    this.#requests.add(requestId);
    const wrong = Object.entries(tokens).filter(([, count]) => !Number.isInteger(count) || count < 0);
    for (const [name, count] of wrong) this.#notes.report("usage/figures", `${name} is ${count} tokens`);
    this.#ofTurn(turnId, "usage");
  }

  compactionStarted({ turnId }: Named<"compaction-start">): void {
    if (this.#compactions > 0) this.#notes.report("compaction/paired", "a compaction started within another");
    this.#compactions++;
    this.#ofTurn(turnId, "compaction-start");
  }
  /** An end without a start says that there was nothing to do. */
  compactionEnded(isEmpty: boolean): void {
    if (this.#compactions === 0 && !isEmpty) {
      this.#notes.report("compaction/paired", "a compaction ended that had not started");
    }
    this.#compactions = Math.max(0, this.#compactions - 1);
  }

  background({ active }: Named<"background-work-state">): void {
    if (active) this.#background = "active";
    else if (this.#background === "active") this.#background = "over";
    if (active) return;
    for (const [root, { inTurn }] of this.#flows) if (!inTurn) this.#flows.delete(root);
  }
  taskEvent(taskId: string): void {
    if (this.#background === "over") this.#notes.report("background/drained", `task ${taskId} spoke after the end`);
  }
  flow({ rootToolCallId, turnId, chunk }: Named<"background-flow-chunk">): void {
    if (turnId === undefined && this.#background === "over") {
      this.#notes.report("background/drained", "a sub-agent spoke after the end of the background work");
    }
    if (!this.#turns.hasCall(rootToolCallId)) {
      this.#notes.report("flow/rooted", `a sub-agent speaks under call ${rootToolCallId}, which was not shown`);
    }
    const flow = this.#flows.get(rootToolCallId) ?? { fold: startFold(rootToolCallId), inTurn: turnId !== undefined };
    this.#flows.set(rootToolCallId, flow);
    const issue = foldChunk(flow.fold, chunk);
    if (issue !== undefined) this.#notes.report("flow/rooted", `${issue.chunkType}: ${issue.code} (${issue.detail})`);
    if (flowEnds.has(chunk.type)) this.#flows.delete(rootToolCallId);
  }

  /** The connection is closed and had not died. */
  closed(): void {
    if (this.#compactions > 0) this.#notes.report("compaction/paired", "a compaction started and never ended");
    if (this.#background === "active") return;
    for (const root of this.#flows.keys()) {
      this.#notes.report("flow/ended", `the sub-agent's message under ${root} never ended`);
    }
  }

  #ofTurn(turnId: string | undefined, what: string): void {
    if (turnId !== undefined) this.#turns.live(turnId, what);
    else if (this.#turns.isAnyLive && this.#background !== "active") {
      this.#notes.report("turn/ids", `${what} came during a turn without its id`);
    }
  }
}
