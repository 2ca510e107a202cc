/**
 * What was decided about the calls of a session that are not over, and by whom: shown with a question, and stored with
 * the result of every call that ran. Invariants: the result of a call carries the last decision about it, or says that
 * nobody asked; memory is bounded, the oldest record goes first.
 */
import type { ToolCall } from "../../ports/driver.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { JSONObject, UIMessageChunk } from "../../protocol/chunks.ts";
import type { ApprovalId, TurnId } from "../../protocol/ids.ts";
import type { Answer } from "../../protocol/input.ts";
import type { Asked } from "../../protocol/permission.ts";
import type { Judgement } from "./judge-call.ts";
import { ruleFor } from "./subject.ts";
import type { Verdict } from "./verdict.ts";

/** Calls remembered; a session has far fewer that are not over. */
const calls = 1_000;

type Output = Extract<UIMessageChunk, { type: "tool-output-available" | "tool-output-error" }>;
type CallRecord = {
  readonly turnId: TurnId | null;
  readonly verdict: Verdict;
  readonly asked: Asked | null;
};

export class CallRecords {
  readonly #calls = new Map<string, CallRecord>();
  readonly #metadata = new Map<string, JSONObject>();
  readonly #questions = new Map<ApprovalId, string>();
  /** Questions that were answered with another input, with who did. */
  readonly #edited = new Map<ApprovalId, string>();

  decided({ toolCallId, turnId }: ToolCall, { verdict, call, place }: Judgement): void {
    const asked: Asked = {
      because: verdict.effect === "ask" ? verdict.because : `The agent asks by itself. (The host: ${verdict.because})`,
      category: call.category,
      paths: call.paths.flatMap(({ real }) => (real === null ? [] : [real])),
      rule: ruleFor(call, place),
      ...(call.needsPerson ? { needsPerson: true } : {}),
    };
    keep(this.#calls, toolCallId, { turnId, verdict, asked: verdict.effect === "deny" ? null : asked });
  }
  /** Why a call is asked about; null: the host was not asked first. */
  asked(toolCallId: string): Asked | null {
    return this.#calls.get(toolCallId)?.asked ?? null;
  }
  /** The agent is told what somebody decided. */
  released(approval: ApprovalId, { decision, by, reason, input, rule }: Answer): void {
    const toolCallId = this.#questions.get(approval);
    if (toolCallId === undefined) return;
    const done = decision === "allow" ? "Allowed" : "Denied";
    const because = by === "rule" && reason !== null ? reason : `${done} by ${by}.`;
    const verdict: Verdict = { effect: decision, by: "person", because, ...(rule ? { rules: [rule.id] } : {}) };
    const { turnId = null, asked = null } = this.#calls.get(toolCallId) ?? {};
    keep(this.#calls, toolCallId, { turnId, asked, verdict });
    if (decision === "allow" && input !== null) keep(this.#edited, approval, by);
  }
  /** Who allowed this call with another input; null: nobody did. */
  editedBy({ toolCallId, editedUnder }: Pick<ToolCall, "toolCallId" | "editedUnder">): string | null {
    if (editedUnder === undefined || this.#questions.get(editedUnder) !== toolCallId) return null;
    return this.#edited.get(editedUnder) ?? null;
  }
  turnOver(turnId: TurnId): void {
    for (const [id, record] of this.#calls) if (record.turnId === turnId) this.#calls.delete(id);
    if (this.#calls.size > 0) return;
    this.#metadata.clear();
    this.#questions.clear();
    this.#edited.clear();
  }

  /** What a connection says, with the decision on every result. */
  stamped(event: AgentEvent): AgentEvent {
    if (event.type === "chunk" || event.type === "flow-chunk") {
      const chunk = this.#chunk(event.chunk);
      return chunk === event.chunk ? event : { ...event, chunk };
    }
    if (event.type === "approval-request" || event.type === "loose-approval-request")
      keep(this.#questions, event.request.approval, event.request.toolCallId);
    return event;
  }
  #chunk(chunk: UIMessageChunk): UIMessageChunk {
    switch (chunk.type) {
      case "tool-input-start":
      case "tool-input-available":
        if (chunk.toolMetadata !== undefined) keep(this.#metadata, chunk.toolCallId, chunk.toolMetadata);
        return chunk;
      case "tool-output-available":
      case "tool-output-error":
        return this.#output(chunk);
      default:
        return chunk;
    }
  }
  #output(chunk: Output): UIMessageChunk {
    if (chunk.type === "tool-output-available" && chunk.preliminary === true) return chunk;
    const { toolCallId } = chunk;
    const verdict = this.#calls.get(toolCallId)?.verdict ?? notAsked(chunk);
    const { effect, by, because, rules } = verdict;
    const permission: JSONObject = { effect, by, because, ...(rules ? { rules } : {}) };
    const known = { ...this.#metadata.get(toolCallId), ...chunk.toolMetadata };
    return { ...chunk, toolMetadata: { ...known, mooring: { permission } } };
  }
}
const notAsked = ({ providerExecuted }: Output): Verdict => ({
  effect: "allow",
  by: "agent",
  because:
    providerExecuted === true ? "The model's provider ran it: no host is asked." : "The agent did not ask the host.",
});
/** As the newest. */
function keep<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > calls && oldest.done === false) map.delete(oldest.value);
}
