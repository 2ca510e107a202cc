/**
 * Everything between a tool call of the agent and the tool. The pre-tool hook is asked about every call, because the
 * agent runs some without asking; the permission callback answers what the hook left to a person. Invariants: no tool
 * runs without an `allow` of the host's policy or of a person, given for this very call; a policy that fails is a
 * denial; a disabled tool is denied even after a person said yes.
 */

import type { ApprovalId, TurnId } from "@mooring/host/driver";
import {
  type AgentRuntimeEvent,
  type ApprovalDecision,
  type ConnectInput,
  type DriverPorts,
  type EventQueue,
  MooringError,
  messageOf,
  type PolicyDecision,
  type WaitingApproval,
} from "@mooring/host/driver";
import { limits } from "../limits.ts";
import type { CanUseTool, HookCallback, PermissionResult } from "../sdk/sdk.ts";
import { hookedCall, type PreToolVerdict, preToolAnswer } from "../translate/hook-frames.ts";
import { categoryOf, isQuestion, pathsOf } from "../translate/tool-table.ts";
import type { Translator } from "../translate/translator.ts";
import { bounded } from "./bounded.ts";
import { type Question, Questions } from "./questions.ts";

type Call = { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
type Verdict = PreToolVerdict;
type Edit = Extract<ApprovalDecision, { decision: "allow" }>;
type GateParts = {
  readonly input: ConnectInput;
  readonly ports: DriverPorts;
  readonly events: EventQueue<AgentRuntimeEvent>;
  readonly translator: Translator;
  isDisabled(toolName: string): boolean;
};
const gone = { decision: "deny", reason: "The turn that asked is over." } as const;

export class ToolGate {
  readonly questions: Questions;
  readonly #parts: GateParts;
  readonly #verdicts = new Map<string, Verdict>();
  /** A call the agent was told to put aside, and has not yet: nobody is asked about it before. */
  #deferred: Call | null = null;
  /** A call that rests in the agent until a person answers; its process may be gone. */
  #parked: { readonly call: Call; readonly approvalId: ApprovalId } | null = null;
  /** Told when the agent asks about a call that a person decided. */
  readonly #takenUp = new Map<string, () => void>();

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.questions = new Questions((events) => parts.events.push(...events));
  }

  get parkedCall(): string | null {
    return this.#parked?.call.toolCallId ?? null;
  }
  get parkedTool(): string | null {
    return this.#parked?.call.toolName ?? null;
  }
  /** A person decided about the call that rests. */
  get isParkedDecided(): boolean {
    const verdict = this.#parked === null ? undefined : this.#verdicts.get(this.#parked.call.toolCallId);
    return verdict !== undefined && verdict.decision !== "ask";
  }

  readonly preTool: HookCallback = async (input, toolUseId) => {
    const { toolCallId, toolName, toolInput } = hookedCall(input, toolUseId);
    const call: Call = { toolCallId, toolName, input: toolInput };
    const known = this.#verdicts.get(toolCallId);
    this.#takenUp.get(toolCallId)?.();
    return preToolAnswer(known ?? (await this.#meet(call)));
  };

  /** A call that was not met before. */
  async #meet(call: Call): Promise<Verdict> {
    const { toolCallId } = call;
    if (!(await this.#isShown(toolCallId))) return this.#leave(toolCallId);
    const verdict = await this.#judge(call);
    if (!this.#isWanted(toolCallId)) return gone;
    this.#verdicts.set(toolCallId, verdict);
    if (verdict.decision === "deny") this.#showDenial(toolCallId, verdict.reason);
    if (verdict.decision !== "ask" || !(await this.#canRest(toolCallId))) return verdict;
    if (!this.#isWanted(toolCallId)) return gone;
    this.#deferred = call;
    return { decision: "defer" };
  }

  /** False: an earlier connection left the call in the agent, and nobody waits for it any more. */
  async #isShown(toolCallId: string): Promise<boolean> {
    const { translator, ports } = this.#parts;
    if (translator.isLeftover) return false;
    const shown = translator.calls.shown(toolCallId).then(() => true);
    return bounded(ports.clock, limits.callSeenMs, shown, false);
  }

  #leave(toolCallId: string): Verdict {
    this.#parts.translator.beginLeftover();
    this.#verdicts.set(toolCallId, { decision: "leave" });
    return { decision: "leave" };
  }

  async #judge(call: Call, editedUnder?: ApprovalId): Promise<Verdict> {
    const decision = await this.#policy(call, editedUnder).catch((cause: unknown) => ({ deny: messageOf(cause) }));
    if (typeof decision === "object") return { decision: "deny", reason: decision.deny };
    if (this.#parts.isDisabled(call.toolName)) return disabled(call.toolName);
    return { decision: isQuestion(call.toolName) ? "ask" : decision };
  }
  async #policy({ toolCallId, toolName, input }: Call, editedUnder?: ApprovalId): Promise<PolicyDecision> {
    const { policy, workspace } = this.#parts.input;
    return policy.decide({
      toolCallId,
      toolName,
      input,
      category: categoryOf(toolName),
      paths: pathsOf(toolName, input, workspace),
      turnId: this.#parts.translator.turnOf(toolCallId),
      ...(isQuestion(toolName) ? { needsPerson: true } : {}),
      ...(editedUnder === undefined ? {} : { editedUnder }),
    });
  }

  /** The turn may have been stopped while somebody thought. */
  #isWanted(toolCallId: string): boolean {
    const { translator } = this.#parts;
    const isStopped = translator.running?.turnId === translator.turnOf(toolCallId) && translator.running?.isStopping;
    return !isStopped;
  }

  /** Two calls of one answer cannot both rest: the agent forgets one of them. */
  async #canRest(toolCallId: string): Promise<boolean> {
    const { translator } = this.#parts;
    if (translator.isOfSubAgent(toolCallId) || translator.hasBackgroundWork) return false;
    return translator.calls.isAlone(toolCallId);
  }

  /** The agent put the call aside, durably: now a person is asked. */
  park(): void {
    const call = this.#deferred;
    this.#deferred = null;
    if (call === null) return;
    const approvalId = this.#parts.ports.ids.make("apr");
    this.#parked = { call, approvalId };
    this.#parts.events.push(...this.#parts.translator.asked(call.toolCallId, approvalId));
    this.#wait(call, approvalId);
  }
  #wait(call: Call, approvalId: ApprovalId): void {
    const { translator } = this.#parts;
    const turnId: TurnId | null = translator.running?.turnId ?? null;
    const asked = this.questions.ask({ approvalId, ...call, turnId, durable: true });
    // The decision is kept by `answer`: who waits is the process that comes.
    asked.catch(() => {});
  }

  /** Asks again what an earlier connection asked. */
  expect({ approvalId, ...call }: WaitingApproval): void {
    this.#parked = { call, approvalId };
    this.#wait(call, approvalId);
  }

  readonly canUseTool: CanUseTool = async (toolName, input, { signal, toolUseID }) => {
    const call: Call = { toolCallId: toolUseID, toolName, input };
    this.#takenUp.get(toolUseID)?.();
    const isLeft = this.#parts.translator.isLeftover && !this.#verdicts.has(toolUseID);
    if (isLeft) this.#leave(toolUseID);
    const known = this.#verdicts.get(toolUseID) ?? (await this.#judge(call));
    const verdict = known.decision === "ask" ? await this.#ask(call, signal) : known;
    this.#verdicts.set(toolUseID, verdict);
    return permissionOf(this.#parts.isDisabled(toolName) ? disabled(toolName) : verdict);
  };

  async #ask(call: Call, signal: AbortSignal): Promise<ApprovalDecision> {
    const { translator, events, ports } = this.#parts;
    if (!this.#isWanted(call.toolCallId) || signal.aborted) return gone;
    const approvalId = ports.ids.make("apr");
    events.push(...translator.asked(call.toolCallId, approvalId));
    const turnId = translator.turnOf(call.toolCallId);
    const decided = this.questions.ask({ approvalId, ...call, turnId, durable: false });
    const stop = (): void => this.questions.withdraw(approvalId, "The call was given up.");
    signal.addEventListener("abort", stop, { once: true });
    return decided.finally(() => signal.removeEventListener("abort", stop));
  }

  /** Rejects with `approval-unknown`. True: the agent has to be woken for it. */
  async answer(id: ApprovalId, answer: ApprovalDecision): Promise<boolean> {
    const open = this.questions.take(id);
    if (open === null)
      throw new MooringError(
        "approval-unknown",
        "Claude Code asks no such question: it was answered or its turn ended.",
      );
    const { question } = open;
    const decision = isEdit(answer) ? await this.#judgeEdit(question, answer) : answer;
    open.answer(decision);
    const { toolCallId, toolName, turnId } = question;
    const { translator, events } = this.#parts;
    if (turnId !== null && translator.running?.turnId !== turnId) return false; // it ended while somebody thought
    events.push(
      ...(decision.decision === "allow"
        ? translator.allowed(question, id, decision.input)
        : translator.refused(toolCallId, id, decision.reason)),
    );
    if (this.parkedCall !== toolCallId) return false;
    this.#verdicts.set(toolCallId, this.#parts.isDisabled(toolName) ? disabled(toolName) : decision);
    return true;
  }
  /** A person allowed something else than was decided about: what is denied stays denied. */
  async #judgeEdit({ approvalId, toolCallId, toolName }: Question, edit: Edit): Promise<ApprovalDecision> {
    const verdict = await this.#judge({ toolCallId, toolName, input: edit.input }, approvalId);
    return verdict.decision === "deny" ? verdict : edit;
  }

  /** The turn was stopped: when the agent is next started, the call that rests in it is given up. */
  refuseParked(): void {
    const call = this.#parked?.call ?? this.#deferred;
    if (call !== null) this.#verdicts.set(call.toolCallId, { decision: "leave" });
    this.#parked = null;
    this.#deferred = null;
  }
  /** A process comes that is to take up the parked call: resolves when it asked about it. */
  async takenUp(): Promise<void> {
    const toolCallId = this.parkedCall;
    if (toolCallId === null) return;
    await new Promise<void>((resolve) => this.#takenUp.set(toolCallId, resolve));
    this.#takenUp.delete(toolCallId);
    this.#parked = null;
  }
  /** A call that was given up is asked about once more by the process that comes. */
  turnEnded(): void {
    if (this.#parked !== null) return;
    for (const [id, { decision }] of this.#verdicts) if (decision !== "leave") this.#verdicts.delete(id);
  }

  #showDenial(toolCallId: string, reason: string): void {
    const { translator, events, ports } = this.#parts;
    events.push(...translator.denied(toolCallId, ports.ids.make("apr"), reason));
  }
}

const isEdit = (answer: ApprovalDecision): answer is Edit => answer.decision === "allow" && answer.input !== undefined;
const disabled = (toolName: string): ApprovalDecision => {
  return { decision: "deny", reason: `The tool ${toolName} is disabled in this session.` };
};

function permissionOf(verdict: Verdict): PermissionResult {
  // Nobody waits for it: the agent is not to ask the model what to make of a refusal.
  if (verdict.decision === "leave") return { behavior: "deny", message: gone.reason, interrupt: true };
  if (verdict.decision !== "allow")
    return { behavior: "deny", message: verdict.decision === "deny" ? verdict.reason : gone.reason };
  const { input } = verdict;
  if (typeof input !== "object" || input === null) return { behavior: "allow" };
  return { behavior: "allow", updatedInput: { ...input } };
}
