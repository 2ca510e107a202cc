/** Starts the processes of one connection, one after the other, on the same conversation. */
import { mkdir, stat } from "node:fs/promises";
import {
  type ConnectInput,
  type DriverPorts,
  type HistoryEntry,
  MooringError,
  messageOf,
  ResumeFailed,
  type SessionTarget,
  type UIMessage,
} from "@mooring/host/driver";
import { limits } from "../limits.ts";
import { type DriverOptions, driverOptions } from "../sdk/driver-options.ts";
import { configDirectory, scratchDirectory } from "../sdk/environment.ts";
import type { HookCallback, Sdk, SdkOptions } from "../sdk/sdk.ts";
import type { TranscriptMirror } from "../sdk/transcript-mirror.ts";
import { compactionTrigger, durationOf, hasRun, hookedCall, toolNote } from "../translate/hook-frames.ts";
import { AgentProcess } from "./agent-process.ts";
import { Seat, type Sitter } from "./seat.ts";
import { type Place, placeOf, transcriptOf } from "./session-token.ts";
import { settingsFor } from "./settings.ts";
import { startFailure } from "./start-failure.ts";
import type { Started, WarmProcesses } from "./warm-processes.ts";

export type OpenFacts = {
  readonly input: ConnectInput;
  readonly ports: DriverPorts;
  readonly warm: WarmProcesses;
  readonly mirror: TranscriptMirror;
  sdk(): Promise<Sdk>;
};
type Settings = ReturnType<typeof settingsFor>;

export class ProcessFactory {
  readonly #facts: OpenFacts;
  readonly #options: DriverOptions;
  readonly #place: Place;

  /** Throws `invalid-option`, or `ResumeFailed` for a token that is none. */
  constructor(facts: OpenFacts) {
    const { input, ports } = facts;
    this.#facts = facts;
    this.#options = driverOptions(input.session.options);
    this.#place = input.resumeToken === null ? { session: ports.ids.uuid(), fork: null } : placeOf(input.resumeToken);
  }

  /** Resolves when the agent answered. Rejects with a coded error; nothing of the process is left then. */
  async start(target: SessionTarget, sitter: Sitter): Promise<AgentProcess> {
    const { input, warm } = this.#facts;
    const settings = await this.#settings(target, sitter.gate.parkedTool);
    const key = JSON.stringify(settings);
    const ahead = await warm.take(input.session.sessionId, key);
    const { process, seat, greeting } = ahead ?? (await this.#started(settings, key));
    tellCommands(greeting, sitter);
    seat.take(sitter);
    return process;
  }
  /** For whoever comes. Rejects like `start`. */
  async ahead(target: SessionTarget): Promise<Started> {
    const settings = await this.#settings(target, null);
    return this.#started(settings, JSON.stringify(settings));
  }

  async #settings(target: SessionTarget, takesUp: string | null): Promise<Settings> {
    const { input } = this.#facts;
    await checkWorkspace(input.workspace);
    await mkdir(scratchDirectory(input.home), { recursive: true, mode: 0o700 });
    const place = { ...this.#place, isKnown: await this.#isKnown() };
    return settingsFor({ input, target, options: this.#options, place, takesUp });
  }
  async #started(settings: Settings, key: string): Promise<Started> {
    const { input, ports } = this.#facts;
    const sdk = await this.#facts.sdk();
    const seat = new Seat();
    const options = { ...settings, ...callbacksOf(seat), ...(await this.#mirrored()) };
    const process = new AgentProcess({ sdk, options, session: input.session.sessionId }, ports, seat);
    return { process, seat, settings: key, greeting: await this.#greeted(process) };
  }
  async #greeted(process: AgentProcess): Promise<unknown> {
    const died = process.over.then((why): never => {
      throw startFailure(why ?? "it ended at once");
    });
    died.catch(() => {}); // later, the connection's own watch tells
    try {
      return await Promise.race([process.query.initializationResult(), died]);
    } catch (cause) {
      await process.end();
      if (MooringError.isInstance(cause)) throw cause;
      throw startFailure(cause instanceof Error ? cause.message : String(cause));
    }
  }

  /**
   * A conversation without a transcript is lost, unless something was said in it and nothing answered: then it ended
   * before the agent wrote anything down, and begins again under its name.
   */
  async #isKnown(): Promise<boolean> {
    const { input } = this.#facts;
    if (await this.#hasAny(this.#place.session)) return true;
    const { fork } = this.#place;
    if (fork !== null && (await this.#hasAny(fork.from))) return false;
    if (input.resumeToken === null || (fork === null && isUnanswered(await input.history()))) return false;
    throw new ResumeFailed("missing", "Claude Code has no transcript of this conversation any more.");
  }
  /** The agent's own transcript, or our copy. */
  async #hasAny(session: string): Promise<boolean> {
    if ((await this.#original(session)) !== null) return true;
    return this.#options.mirror && (await this.#facts.mirror.has(session));
  }
  #original(session: string): Promise<string | null> {
    return transcriptOf(configDirectory(this.#facts.input.home, this.#options), session);
  }
  async #mirrored(): Promise<Pick<SdkOptions, "sessionStore">> {
    if (!this.#options.mirror) return {};
    const { mirror, ports } = this.#facts;
    const { session } = this.#place;
    const original = await this.#original(session);
    if (original !== null)
      await mirror.catchUp(session, original).catch((cause: unknown) => {
        ports.log.warn("claude-code.mirror-failed", { message: messageOf(cause) });
      });
    return { sessionStore: mirror.store(async (id) => (await this.#original(id)) !== null) };
  }
}

function tellCommands(greeting: unknown, { events }: Sitter): void {
  const isTold = typeof greeting === "object" && greeting !== null && "commands" in greeting;
  if (isTold) events.push({ type: "supported-commands", commands: greeting.commands });
}

/** What the agent asks goes to whoever sits there. */
function callbacksOf(seat: Seat): Pick<SdkOptions, "canUseTool" | "hooks"> {
  const preTool: HookCallback = async (...asked) => (await seat.taken).gate.preTool(...asked);
  const toolTiming: HookCallback = async (input, toolUseId) => {
    const durationMs = durationOf(input);
    const { toolCallId } = hookedCall(input, toolUseId);
    const sitter = await seat.taken;
    if (durationMs !== null) sitter.events.push({ type: "tool-timing", toolCallId, durationMs });
    return hasRun(input) ? toolNote(sitter.toolRan(toolCallId)) : {};
  };
  const preCompact: HookCallback = async (input) => {
    if (await (await seat.taken).compactions.mayCompact(compactionTrigger(input))) return {};
    return { decision: "block", reason: "The host said no." };
  };
  const watch = [{ hooks: [toolTiming] }];
  return {
    canUseTool: async (...asked) => (await seat.taken).gate.canUseTool(...asked),
    hooks: {
      PreToolUse: [{ hooks: [preTool], timeout: limits.hookSeconds, onFailure: "block" }],
      PostToolUse: watch,
      PostToolUseFailure: watch,
      PreCompact: [{ hooks: [preCompact], timeout: limits.hookSeconds }],
    },
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
