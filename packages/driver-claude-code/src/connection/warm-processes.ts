/**
 * Processes started ahead for sessions that rest: with what the last connection was given, on the same conversation.
 * Invariants: one is used only by a connection that would start it with the very same settings, else it is ended before
 * another process has the conversation; at most `limits.warmProcesses` wait, each for `limits.warmMs`; a session whose
 * agent does not ask for it gets none.
 */
import { type DriverPorts, messageOf, type SessionFacts } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import { driverOptions } from "../sdk/driver-options.ts";
import type { AgentProcess } from "./agent-process.ts";
import type { Seat } from "./seat.ts";

export type Started = {
  readonly process: AgentProcess;
  readonly seat: Seat;
  /** All it was started with, as one text: another text needs another process. */
  readonly settings: string;
  /** Its answer when it was ready. */
  readonly greeting: unknown;
};
/** What a connection leaves when it is closed at rest. */
export type Plan = {
  readonly session: SessionFacts;
  /** Starts a process as the connection would. */
  ahead(resumeToken: string): Promise<Started>;
};
type Ports = Pick<DriverPorts, "clock" | "log">;
type Warm = { readonly started: Promise<Started | null>; readonly forget: () => void };

export class WarmProcesses {
  readonly #ports: Ports;
  /** Of sessions whose connection was closed at rest. */
  readonly #plans = new Map<string, Plan>();
  readonly #warm = new Map<string, Warm>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The connection is closed at rest: the next one will be given the like. */
  rested(plan: Plan): void {
    const { session } = plan;
    if (!driverOptions(session.options).prewarm) return;
    this.#plans.delete(session.sessionId);
    this.#plans.set(session.sessionId, plan);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > limits.warmProcesses && oldest !== undefined) this.#plans.delete(oldest);
  }

  /** Resolves when the process is ready, or did not start: then the next connection says why. */
  async start({ sessionId, resumeToken, options }: SessionFacts): Promise<void> {
    const plan = this.#plans.get(sessionId);
    this.#plans.delete(sessionId);
    if (plan === undefined || resumeToken === null || !driverOptions(options).prewarm || this.#warm.has(sessionId))
      return;
    const started = plan.ahead(resumeToken).catch((cause: unknown) => {
      this.#ports.log.info("claude-code.prewarm-failed", { session: sessionId, message: messageOf(cause) });
      return null;
    });
    const forget = this.#ports.clock.after(limits.warmMs, () => void this.#end(sessionId));
    const [oldest] = this.#warm.keys();
    if (this.#warm.size >= limits.warmProcesses && oldest !== undefined) void this.#end(oldest);
    this.#warm.set(sessionId, { started, forget });
    void this.#watch(sessionId, started);
    await started;
  }
  /** One that ended by itself is forgotten. */
  async #watch(sessionId: string, started: Warm["started"]): Promise<void> {
    await (await started)?.process.over;
    await this.#end(sessionId, started);
  }

  /** The one that was started with these settings; null: there is none, any more or at all. */
  async take(sessionId: string, settings: string): Promise<Started | null> {
    const warm = this.#warm.get(sessionId);
    if (warm === undefined) return null;
    this.#warm.delete(sessionId);
    warm.forget();
    const started = await warm.started;
    if (started === null || (started.settings === settings && started.process.isLiving)) return started;
    await started.process.end();
    return null;
  }

  /** Never rejects. `only`: unless another one took its place. */
  async #end(sessionId: string, only?: Warm["started"]): Promise<void> {
    const warm = this.#warm.get(sessionId);
    if (warm === undefined || (only !== undefined && warm.started !== only)) return;
    this.#warm.delete(sessionId);
    warm.forget();
    await (await warm.started)?.process.end();
  }
}
