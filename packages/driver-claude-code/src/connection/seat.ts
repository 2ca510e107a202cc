/**
 * Whom a process talks to. One that was started ahead talks to nobody yet. Invariants: until somebody sits down, what it
 * says is kept, within a bound, and what it asks waits; nothing is answered for somebody who is not there.
 */
import type { AgentRuntimeEvent, EventQueue } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import type { Reader } from "./agent-process.ts";
import type { Compactions } from "./compactions.ts";
import type { ToolGate } from "./tool-gate.ts";

export type Sitter = {
  readonly gate: ToolGate;
  readonly events: EventQueue<AgentRuntimeEvent>;
  readonly compactions: Compactions;
  frame(frame: unknown): void;
  /** A tool of the agent has run: what the agent is told with its result; null: nothing. */
  toolRan(toolCallId: string): string | null;
};

export class Seat implements Reader {
  readonly #taken = Promise.withResolvers<Sitter>();
  readonly #kept: unknown[] = [];
  #sitter: Sitter | null = null;

  /** Call once. */
  take(sitter: Sitter): void {
    this.#sitter = sitter;
    this.#taken.resolve(sitter);
    for (const frame of this.#kept.splice(0)) sitter.frame(frame);
  }
  get taken(): Promise<Sitter> {
    return this.#taken.promise;
  }

  frame(frame: unknown): void {
    if (this.#sitter === null) this.#kept.push(frame);
    else this.#sitter.frame(frame);
  }
  get isFull(): boolean {
    return this.#sitter === null ? this.#kept.length >= limits.keptFrames : this.#sitter.events.isFull;
  }
  async room(): Promise<void> {
    await (await this.taken).events.room();
  }
}
