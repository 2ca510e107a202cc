/**
 * The stored branch of one session, kept as a host keeps it: what a driver without a history of its own is given.
 * Invariant: the turn that runs is left out, since its input is sent; a turn that goes on where it waited is whole.
 */
import type { AgentRuntimeEvent, HistoryEntry } from "../../ports/driver.ts";
import type { UIMessage } from "../../protocol/chunks.ts";
import { type Fold, foldChunk, snapshot, startFold } from "../../protocol/fold.ts";
import type { InputId, TurnId } from "../../protocol/ids.ts";
import type { Part } from "../../protocol/input.ts";

export class Branch {
  #entries: HistoryEntry[] = [];
  /** Of the running turn: where it began, and what the agent has said since the last message closed. */
  #running: { readonly turnId: TurnId; readonly from: number; fold: Fold } | null = null;
  readonly #steers = new Map<InputId, readonly Part[]>();
  #messages = 0;

  get entries(): readonly HistoryEntry[] {
    return this.#entries.slice(0, this.#running?.from);
  }
  /** Everything before its `count`th entry, as after a rewind. */
  rewind(count: number): void {
    this.#entries = this.#entries.slice(0, count);
  }

  sent(turnId: TurnId, parts: readonly Part[]): void {
    this.#running = { turnId, from: this.#entries.length, fold: startFold(turnId) };
    this.#say(parts);
  }
  offered(id: InputId, parts: readonly Part[]): void {
    this.#steers.set(id, parts);
  }
  /** The connection is closed while the turn waits: what was said stays open, and the next one is given all of it. */
  waits(): void {
    this.#close();
    this.#running = null;
  }
  continued(turnId: TurnId): void {
    this.#running = { turnId, from: this.#entries.length, fold: startFold(turnId) };
  }

  heard(event: AgentRuntimeEvent): void {
    if (event.type === "compaction-complete" && event.done !== null) {
      this.#entries.push({ kind: "compaction", done: event.done });
    }
    if (!("turnId" in event) || event.turnId !== this.#running?.turnId) return;
    if (event.type === "chunk" && this.#running !== null) foldChunk(this.#running.fold, event.chunk);
    if (event.type === "steer-boundary") {
      this.#close();
      for (const id of event.taken) this.#say(this.#steers.get(id) ?? []);
    }
    if (event.type === "turn-complete" || event.type === "error") {
      this.#close();
      this.#running = null;
    }
  }

  #close(): void {
    if (this.#running === null) return;
    const { parts } = snapshot(this.#running.fold);
    this.#running.fold = startFold(this.#running.turnId);
    if (parts.length > 0) this.#put("assistant", parts);
  }
  #say(parts: readonly Part[]): void {
    if (parts.length > 0) this.#put("user", [...parts]);
  }
  #put(role: "user" | "assistant", parts: UIMessage["parts"]): void {
    this.#entries.push({ kind: "message", message: { id: `msg_${++this.#messages}`, role, parts } });
  }
}
