/**
 * Everything between a tool call of the model and the tool: is it enabled, is it contained, what does the policy say,
 * what does a person say.
 *
 * Why approvals are awaited inside `execute` and not by the AI SDK's own `user-approval` status: there, a step with a
 * question ends the run, and no call of it runs before every question is answered, because the continuation asks the
 * model at once. A call that was allowed would wait for an unrelated answer, and the turn would no longer count as
 * waiting for a person meanwhile. Awaited here, each allowed call runs at its own answer, and the AI SDK itself asks
 * the model when every call of the step has a result. Its approval chunks are used as they are, and so are its approval
 * messages, to continue a turn after a reconnect (`conversationWaiting`).
 *
 * Invariants: no tool runs without an `allow` of the policy or of a person, given for this very call; a call that a
 * person changed is decided again; a call is shown before it is decided and run; what cannot run (disabled, invalid, outside) is never asked about; the policy failing
 * is a denial; the questions of a step come in the order of its calls.
 */

import {
  type ApprovalDecision,
  type ApprovalId,
  type JSONValue,
  messageOf,
  type OwnToolResult,
  type PolicyDecision,
  type TurnId,
  type UIMessageChunk,
} from "@mooring/host/driver";
import { untilAborted } from "../abort.ts";
import { limits } from "../limits.ts";
import type { LoopTool, OpenCall } from "../tools/loop-tool.ts";
import { ToolFailure } from "../tools/tool-failure.ts";
import { Latches } from "./latches.ts";
import type { Questions } from "./questions.ts";
import type { RequestReports } from "./request-reports.ts";
import type { SessionContext } from "./session-context.ts";

type GateParts = { readonly questions: Questions; readonly reports: RequestReports };
type CallSite = { readonly toolCallId: string; readonly signal: AbortSignal };
type Circumstances = {
  readonly editedUnder?: ApprovalId;
  /** The host put another input in the call's place. */
  replace(call: OpenCall): void;
};
type Edited = { readonly decision: ApprovalDecision; readonly call: () => OpenCall };
type Decided = { readonly call: OpenCall; readonly question: ApprovalId | null };

export class ToolGate {
  readonly #context: SessionContext;
  readonly #turnId: TurnId;
  readonly #questions: Questions;
  readonly #reports: RequestReports;
  readonly #live = new Set<Promise<unknown>>();
  /** Settles when every call the model made so far is decided, or its question asked. */
  #earlier: Promise<unknown> = Promise.resolve();
  readonly #denials = new Map<string, readonly UIMessageChunk[]>();
  /** What results keep for the program, and the calls that asked for the end of the turn. */
  readonly #details = new Map<string, JSONValue>();
  readonly #ending = new Set<string>();
  readonly #shown = new Latches();
  /** Inputs that a person changed, by tool call. */
  readonly edits = new Map<string, unknown>();

  constructor(context: SessionContext, turnId: TurnId, parts: GateParts) {
    this.#context = context;
    this.#turnId = turnId;
    this.#questions = parts.questions;
    this.#reports = parts.reports;
  }

  /** The tool's text. Rejects with `ToolFailure`, or with the signal's reason after the tool ended what it started. */
  run(tool: LoopTool, input: unknown, site: CallSite): Promise<string> {
    const work = this.#run(tool, input, site);
    this.#live.add(work);
    const done = (): boolean => this.#live.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when no tool runs any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#live);
  }

  /** The chunks that end this call as denied instead of failed; null: it was not denied. */
  denial(toolCallId: string): readonly UIMessageChunk[] | null {
    return this.#denials.get(toolCallId) ?? null;
  }

  /** The call is part of the message: from now on more may be said about it. */
  shown(toolCallId: string): void {
    this.#shown.open(toolCallId);
  }

  /** What the call's result keeps, once. */
  takeDetails(toolCallId: string): JSONValue | undefined {
    const details = this.#details.get(toolCallId);
    this.#details.delete(toolCallId);
    return details;
  }

  /** The calls of one answer: each of them asked that the model be not asked again. */
  endsTurn(toolCallIds: readonly string[]): boolean {
    return toolCallIds.length > 0 && toolCallIds.every((id) => this.#ending.has(id));
  }

  async #run(tool: LoopTool, input: unknown, site: CallSite): Promise<string> {
    await untilAborted(this.#shown.opened(site.toolCallId), site.signal);
    this.#ending.delete(site.toolCallId); // of an earlier answer: there are models that count anew in each
    const earlier = this.#questions.earlier(site.toolCallId);
    const call = await (earlier === null
      ? this.#decide(tool, input, site)
      : this.#ask(tool, () => tool.open(input), site, earlier));
    this.#refuseDisabled(tool); // it may have been disabled while a person thought
    return this.#execute(call, site);
  }

  async #decide(tool: LoopTool, input: unknown, site: CallSite): Promise<OpenCall> {
    const decided = this.#decided(tool, input, site, this.#earlier);
    this.#earlier = Promise.allSettled([this.#earlier, decided]);
    const { call, question } = await decided;
    return question === null ? call : this.#ask(tool, () => call, site, question);
  }

  /** Policies are asked at once, side by side; people are asked in the order of the calls. */
  async #decided(tool: LoopTool, input: unknown, site: CallSite, earlier: Promise<unknown>): Promise<Decided> {
    this.#refuseDisabled(tool);
    let call = tool.open(input);
    const replace = (other: OpenCall): void => {
      call = other;
    };
    const decision = await untilAborted(this.#policy(tool, call, site, { replace }), site.signal);
    if (decision === "allow") return { call, question: null };
    if (decision !== "ask") throw this.#denied(site.toolCallId, decision.deny);
    await untilAborted(earlier, site.signal);
    const { toolCallId } = site;
    return { call, question: this.#questions.ask({ toolCallId, toolName: tool.name, input: call.input }) };
  }

  async #policy(
    tool: LoopTool,
    call: OpenCall,
    { toolCallId }: CallSite,
    { replace, ...edited }: Circumstances,
  ): Promise<PolicyDecision> {
    const { input, outputs } = this.#context;
    const place = { workspace: input.workspace, outputs };
    const paths = await call.paths(place);
    const { name: toolName, category } = tool;
    const replaceInput = async (given: unknown): Promise<readonly string[]> => {
      const other = tool.openAsGiven(given);
      const touched = await other.paths(place);
      this.#showEdit(tool, toolCallId, given);
      replace(other);
      return touched;
    };
    const asked = {
      ...{ toolCallId, toolName, input: call.input, category, paths, turnId: this.#turnId, ...edited },
      replaceInput,
    };
    return input.policy.decide(asked).catch((cause: unknown) => ({ deny: messageOf(cause) }));
  }

  async #ask(tool: LoopTool, asked: () => OpenCall, site: CallSite, id: ApprovalId): Promise<OpenCall> {
    this.#reports.flush();
    const said = await this.#questions.decision(id, site.signal);
    const edited = editOf(said);
    if (edited !== undefined) this.#showEdit(tool, site.toolCallId, edited);
    const { decision, call } =
      edited === undefined ? { decision: said, call: asked } : await this.#decideEdit(tool, edited, site, id);
    this.#questions.close(id, decision);
    if (decision.decision === "allow") return call();
    this.#denials.set(site.toolCallId, [{ type: "tool-output-denied", toolCallId: site.toolCallId }]);
    throw new ToolFailure(decision.reason);
  }

  /** A person allowed something else than was decided about: what is denied stays denied. */
  async #decideEdit(tool: LoopTool, input: unknown, site: CallSite, id: ApprovalId): Promise<Edited> {
    const allow: ApprovalDecision = { decision: "allow" };
    if (!isValid(tool, input)) return { decision: allow, call: () => tool.open(input) }; // it fails when it is to run
    let call = tool.open(input);
    const replace = (other: OpenCall): void => {
      call = other;
    };
    const policy = this.#policy(tool, call, site, { editedUnder: id, replace }).catch(outsideOf);
    const decision = await untilAborted(policy, site.signal);
    const denied = typeof decision === "object" ? ({ decision: "deny", reason: decision.deny } as const) : null;
    return { decision: denied ?? allow, call: () => call };
  }

  /** The message, and the model in later steps, show what really runs. */
  #showEdit(tool: LoopTool, toolCallId: string, input: unknown): void {
    this.edits.set(toolCallId, input);
    this.#chunk({ type: "tool-input-available", toolCallId, toolName: tool.name, input });
  }

  /** The same chunks as the AI SDK gives for a call its own configuration denies. */
  #denied(toolCallId: string, reason: string): ToolFailure {
    const approvalId = this.#context.ports.ids.make("apr");
    this.#denials.set(toolCallId, [
      { type: "tool-approval-request", approvalId, toolCallId, isAutomatic: true },
      { type: "tool-approval-response", approvalId, approved: false, reason },
      { type: "tool-output-denied", toolCallId },
    ]);
    return new ToolFailure(reason);
  }

  #refuseDisabled({ name }: LoopTool): void {
    if (this.#context.isDisabled(name)) throw new ToolFailure(`The tool ${name} is disabled in this session.`);
  }

  async #execute(call: OpenCall, { toolCallId, signal }: CallSite): Promise<string> {
    const { input, ports, outputs, events } = this.#context;
    const { clock, processes } = ports;
    const { workspace, env, session } = input;
    signal.throwIfAborted();
    this.#reports.flush();
    const startedAt = clock.monotonic();
    const progress = this.#progressOf(toolCallId);
    try {
      const place = { workspace, outputs, env, sessionId: session.sessionId };
      const result = await call.run({ ...place, processes, clock, toolCallId, signal, progress: progress.tell });
      return this.#noted(toolCallId, result);
    } finally {
      progress.end();
      events.push({ type: "tool-timing", toolCallId, durationMs: clock.monotonic() - startedAt });
    }
  }

  #noted(toolCallId: string, { text, isError = false, details, terminate = false }: OwnToolResult): string {
    if (details !== undefined) this.#details.set(toolCallId, details);
    if (isError) throw new ToolFailure(text);
    if (terminate) this.#ending.add(toolCallId);
    return text;
  }

  /** Left out: what comes while the reader is behind, above `limits.toolUpdates`, or late. */
  #progressOf(toolCallId: string) {
    let left: number = limits.toolUpdates;
    const tell = (text: string): void => {
      if (left === 0 || this.#context.events.isFull) return;
      left--;
      const output = text.slice(0, limits.toolUpdateChars);
      this.#chunk({ type: "tool-output-available", toolCallId, output, preliminary: true });
    };
    const end = (): void => {
      left = 0;
    };
    return { tell, end };
  }

  #chunk(chunk: UIMessageChunk): void {
    this.#context.events.push({ type: "chunk", turnId: this.#turnId, chunk });
  }
}

/** A place that no policy needs to be asked about. */
const outsideOf = (cause: unknown): PolicyDecision => ({ deny: messageOf(cause) });
const editOf = (decision: ApprovalDecision): unknown => (decision.decision === "allow" ? decision.input : undefined);

function isValid(tool: LoopTool, input: unknown): boolean {
  try {
    tool.open(input);
    return true;
  } catch {
    return false;
  }
}
