/** Starts the processes of one connection, one after the other, on the same conversation. */
import { mkdir, stat } from "node:fs/promises";
import {
  type AgentRuntimeEvent,
  type ConnectInput,
  type DriverPorts,
  type EventQueue,
  type HistoryEntry,
  MooringError,
  ResumeFailed,
  type SessionTarget,
  type UIMessage,
} from "@mooring/host/driver";
import { limits } from "../limits.ts";
import { type DriverOptions, driverOptions } from "../sdk/driver-options.ts";
import { configDirectory, scratchDirectory } from "../sdk/environment.ts";
import type { HookCallback, Sdk, SdkOptions } from "../sdk/sdk.ts";
import { compactionTrigger, durationOf, hookedCall } from "../translate/hook-frames.ts";
import { AgentProcess } from "./agent-process.ts";
import type { Compactions } from "./compactions.ts";
import { hasTranscript, type Place, placeOf } from "./session-token.ts";
import { settingsFor } from "./settings.ts";
import { startFailure } from "./start-failure.ts";
import type { ToolGate } from "./tool-gate.ts";

export type OpenFacts = {
  readonly input: ConnectInput;
  readonly ports: DriverPorts;
  sdk(): Promise<Sdk>;
};
type Parts = {
  readonly gate: ToolGate;
  readonly events: EventQueue<AgentRuntimeEvent>;
  readonly compactions: Compactions;
  frame(frame: unknown): void;
};

export class ProcessFactory {
  readonly #facts: OpenFacts;
  readonly #parts: Parts;
  readonly #options: DriverOptions;
  readonly #place: Place;

  /** Throws `invalid-option`, or `ResumeFailed` for a token that is none. */
  constructor(facts: OpenFacts, parts: Parts) {
    const { input, ports } = facts;
    this.#facts = facts;
    this.#parts = parts;
    this.#options = driverOptions(input.session.options);
    this.#place = input.resumeToken === null ? { session: ports.ids.uuid(), fork: null } : placeOf(input.resumeToken);
  }

  /** Resolves when the agent answered. Rejects with a coded error; nothing of the process is left then. */
  async start(target: SessionTarget): Promise<AgentProcess> {
    const { input, ports } = this.#facts;
    await checkWorkspace(input.workspace);
    await mkdir(scratchDirectory(input.home), { recursive: true, mode: 0o700 });
    const isKnown = await this.#isKnown();
    const sdk = await this.#facts.sdk();
    const place = { ...this.#place, isKnown };
    const options = settingsFor({ input, target, options: this.#options, place }, this.#callbacks());
    const { events } = this.#parts;
    const reader = {
      frame: (frame: unknown) => this.#parts.frame(frame),
      get isFull() {
        return events.isFull;
      },
      room: () => events.room(),
    };
    const process = new AgentProcess({ sdk, options, session: input.session.sessionId }, ports, reader);
    return this.#greeted(process);
  }

  async #greeted(process: AgentProcess): Promise<AgentProcess> {
    const died = process.over.then((why): never => {
      throw startFailure(why ?? "it ended at once");
    });
    died.catch(() => {}); // later, the connection's own watch tells
    try {
      const answer = await Promise.race([process.query.initializationResult(), died]);
      this.#tellCommands(answer);
      return process;
    } catch (cause) {
      await process.end();
      if (MooringError.isInstance(cause)) throw cause;
      throw startFailure(cause instanceof Error ? cause.message : String(cause));
    }
  }
  #tellCommands(answer: unknown): void {
    const commands = typeof answer === "object" && answer !== null && "commands" in answer ? answer.commands : null;
    if (commands !== null) this.#parts.events.push({ type: "supported-commands", commands });
  }

  /**
   * A conversation without a transcript is lost, unless something was said in it and nothing answered: then it ended
   * before the agent wrote anything down, and begins again under its name.
   */
  async #isKnown(): Promise<boolean> {
    const { input } = this.#facts;
    const configDir = configDirectory(input.home, this.#options);
    if (await hasTranscript(configDir, this.#place.session)) return true;
    const { fork } = this.#place;
    if (fork !== null && (await hasTranscript(configDir, fork.from))) return false;
    if (input.resumeToken === null || (fork === null && isUnanswered(await input.history()))) return false;
    throw new ResumeFailed("missing", "Claude Code has no transcript of this conversation any more.");
  }

  #callbacks(): Pick<SdkOptions, "canUseTool" | "hooks"> {
    const { gate } = this.#parts;
    const decide = { hooks: [gate.preTool], timeout: limits.hookSeconds, onFailure: "block" } as const;
    const watch = [{ hooks: [this.#toolTiming] }];
    return {
      canUseTool: gate.canUseTool,
      hooks: {
        PreToolUse: [decide],
        PostToolUse: watch,
        PostToolUseFailure: watch,
        PreCompact: [{ hooks: [this.#preCompact], timeout: limits.hookSeconds }],
      },
    };
  }
  readonly #toolTiming: HookCallback = async (input, toolUseId) => {
    const durationMs = durationOf(input);
    const { toolCallId } = hookedCall(input, toolUseId);
    if (durationMs !== null) this.#parts.events.push({ type: "tool-timing", toolCallId, durationMs });
    return {};
  };
  readonly #preCompact: HookCallback = async (input) => {
    if (await this.#parts.compactions.mayCompact(compactionTrigger(input))) return {};
    return { decision: "block", reason: "The host said no." };
  };
}

/** Something was said in it, and nothing was ever answered. */
const isUnanswered = (history: readonly HistoryEntry[]): boolean =>
  history.length > 0 && history.every((entry) => entry.kind === "message" && !isAnswer(entry.message));
const isAnswer = ({ role, parts }: UIMessage): boolean => role === "assistant" && parts.length > 0;

/** The SDK's own words for a missing directory speak of something else. */
async function checkWorkspace(workspace: string): Promise<void> {
  const found = await stat(workspace).catch(() => null);
  if (found?.isDirectory()) return;
  throw new MooringError("workspace-missing", `The session's directory ${workspace} does not exist any more.`);
}
