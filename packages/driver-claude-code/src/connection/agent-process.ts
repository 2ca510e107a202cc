/**
 * One running Claude Code: the SDK's query, what it reads, and the child behind it. Invariants: its output is always
 * read, or left in the pipe when nobody takes it; `end` always resolves, with nothing of the process left.
 */
import { type DriverPorts, EventQueue, type MooringError, messageOf } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import type { Query, Sdk, SdkOptions, SdkUserMessage, SpawnRequest } from "../sdk/sdk.ts";
import { SupervisedProcess } from "../sdk/supervised-process.ts";
import { bounded } from "./bounded.ts";

type Ports = Pick<DriverPorts, "processes" | "clock">;
export type Reader = {
  frame(frame: unknown): void;
  /** Whether there is room for more; resolves when there is. */
  readonly isFull: boolean;
  room(): Promise<void>;
};
export type ProcessPlan = {
  readonly sdk: Sdk;
  readonly options: Omit<SdkOptions, "spawnClaudeCodeProcess">;
  readonly session: string;
};

export class AgentProcess {
  readonly query: Query;
  /** Resolves when the output is over, with why if it broke. Never rejects. */
  readonly over: Promise<string | null>;
  readonly #ports: Ports;
  /** What it has not read yet: a turn and the steers behind it. */
  readonly #input = new EventQueue<SdkUserMessage>(limits.heldSteers);
  #child: SupervisedProcess | null = null;
  #ending: Promise<void> | null = null;

  constructor(plan: ProcessPlan, ports: Ports, reader: Reader) {
    this.#ports = ports;
    const { sdk, options, session } = plan;
    const spawnClaudeCodeProcess = (request: SpawnRequest): SupervisedProcess => {
      this.#child = new SupervisedProcess(ports, { ...request, cwd: options.cwd, session });
      return this.#child;
    };
    this.query = sdk.query({ prompt: this.#input, options: { ...options, spawnClaudeCodeProcess } });
    this.over = this.#read(reader);
  }

  get isEnding(): boolean {
    return this.#ending !== null;
  }
  /** It runs, and nobody ended it. */
  get isLiving(): boolean {
    return this.#ending === null && this.#child?.exitCode === null && this.#child.signalCode === null;
  }
  /** What it said could not be read; null: it could. */
  get failure(): MooringError | null {
    return this.#child?.stdout.failure ?? null;
  }

  async #read(reader: Reader): Promise<string | null> {
    try {
      for await (const frame of this.query) {
        reader.frame(frame);
        if (reader.isFull) await this.#pause(reader);
      }
      return null;
    } catch (cause) {
      return messageOf(cause);
    }
  }
  async #pause(reader: Reader): Promise<void> {
    await this.#child?.hold();
    await reader.room();
    await this.#child?.release();
  }

  write(uuid: string, content: readonly unknown[]): void {
    this.#input.push({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, uuid });
  }

  /** Takes back a message the agent has not taken; false: it may have. */
  withdraw(uuid: string): Promise<boolean> {
    const { query } = this;
    const asked = query.cancelAsyncMessage?.(uuid) ?? Promise.resolve(false);
    return bounded(this.#ports.clock, limits.withdrawMs, asked.then(isYes), false);
  }

  /** Resolves when the agent accepted it, or after its time. */
  async interrupt(): Promise<void> {
    const asked = this.query.interrupt({ cancelQueued: false });
    await bounded<unknown>(this.#ports.clock, limits.interruptMs, asked, null);
  }

  /** Ends it: by the end of its input when it is at rest, else harder. Resolves when it is gone. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }
  async #end(): Promise<void> {
    this.#input.end();
    const child = this.#child;
    if (child !== null) {
      const left = child.gone.then(() => true);
      const isGone = await bounded(this.#ports.clock, limits.leaveMs, left, false);
      // Also when it left by itself: what it started may be there still.
      await child.end(isGone ? 0 : limits.endGraceMs);
    }
    this.query.close();
    await bounded<unknown>(this.#ports.clock, limits.leaveMs, this.over, null);
  }
}

const isYes = (answer: unknown): boolean =>
  answer === true ||
  (typeof answer === "object" && answer !== null && "cancelled" in answer && answer.cancelled === true);
