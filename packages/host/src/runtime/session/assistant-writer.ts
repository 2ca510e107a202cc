/**
 * Follows the chunks of one stored assistant message and tells them as the runtime's events: one assistant message per
 * model answer, its tool calls, their results. Invariants: a message that started ends once; a tool execution that
 * started ends once, before the turn's end; events come in the order of the chunks.
 *
 * A tool may start before its message ended: the agent runs a call as soon as its input is whole, while the model may
 * go on.
 */
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import type { AssistantMessage, StopReason, ToolResultMessage } from "./agent-message.ts";
import type { AgentSessionEvent, AssistantMessageEvent } from "./session-event.ts";

type Block = { type: "text"; text: string } | { type: "thinking"; thinking: string } | CallBlock;
type CallBlock = { type: "toolCall"; id: string; name: string; arguments: unknown };
type Answer = {
  readonly content: Block[];
  /** Places of the parts that are being written, by their id. */
  readonly places: Map<string, number>;
  readonly results: ToolResultMessage[];
  readonly running: Set<string>;
  ended: AssistantMessage | null;
};
type WriterPorts = {
  readonly model: () => string;
  readonly now: () => number;
  readonly tell: (event: AgentSessionEvent) => void;
};

export class AssistantWriter {
  readonly #ports: WriterPorts;
  /** Calls by the question that was asked about them, and why they were denied. */
  readonly #asked = new Map<string, string>();
  readonly #denied = new Map<string, string>();
  #answer: Answer | null = null;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  take(chunk: UIMessageChunk, at: number): void {
    switch (chunk.type) {
      case "start-step":
        this.#endTurn("stop", at);
        return void this.#open(at);
      case "finish-step":
        return this.#endTurn("stop", at);
      case "reset-step":
        return this.#reset();
      case "text-start":
      case "reasoning-start":
        return this.#startText(chunk.id, chunk.type === "text-start" ? "text" : "thinking", at);
      case "text-delta":
      case "reasoning-delta":
        return this.#append(chunk.id, chunk.delta);
      case "text-end":
      case "reasoning-end":
        return this.#endText(chunk.id);
      default:
        return this.#takeTool(chunk, at);
    }
  }
  /** The stored message is closed. `why`: it did not come to its own end. */
  close(why: { readonly reason: "error" | "aborted"; readonly message: string } | null, at: number): void {
    if (why === null) return this.#endTurn("stop", at);
    if (this.#answer === null || this.#answer.ended) this.#endTurn("stop", at);
    this.#open(at);
    this.#endTurn(why.reason, at, why.reason === "error" ? why.message : undefined);
  }

  // --- one answer of the model ------------------------------------------------------------------------------------

  #open(at: number): Answer {
    if (this.#answer) return this.#answer;
    const answer: Answer = { content: [], places: new Map(), results: [], running: new Set(), ended: null };
    this.#answer = answer;
    this.#ports.tell({ type: "turn_start" });
    this.#ports.tell({ type: "message_start", message: this.#message(answer, "stop", at) });
    return answer;
  }
  /** What was said of this answer is taken back; the model answers again. */
  #reset(): void {
    const answer = this.#answer;
    if (!answer || answer.ended) return;
    answer.content.length = 0;
    answer.places.clear();
  }
  #message(answer: Answer, stopReason: StopReason, timestamp: number, errorMessage?: string): AssistantMessage {
    return {
      role: "assistant",
      content: answer.content.map((block) => ({ ...block })),
      model: this.#ports.model(),
      stopReason,
      ...(errorMessage === undefined ? {} : { errorMessage }),
      timestamp,
    };
  }
  #endMessage(answer: Answer, reason: StopReason, at: number, errorMessage?: string): AssistantMessage {
    if (answer.ended) return answer.ended;
    const calls = answer.content.some((block) => block.type === "toolCall");
    const message = this.#message(answer, reason === "stop" && calls ? "toolUse" : reason, at, errorMessage);
    answer.ended = message;
    this.#ports.tell({ type: "message_end", message });
    return message;
  }
  #endTurn(reason: StopReason, at: number, errorMessage?: string): void {
    const answer = this.#answer;
    if (!answer) return;
    for (const id of answer.running) this.#result(id, "The call has no known outcome.", true, at);
    const message = this.#endMessage(answer, reason, at, errorMessage);
    this.#answer = null;
    this.#ports.tell({ type: "turn_end", message, toolResults: answer.results });
  }
  #update(assistantMessageEvent: AssistantMessageEvent): void {
    this.#ports.tell({ type: "message_update", assistantMessageEvent });
  }

  // --- text -------------------------------------------------------------------------------------------------------

  #startText(id: string, kind: "text" | "thinking", at: number): void {
    const answer = this.#open(at);
    const contentIndex = answer.content.push(
      kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "" },
    );
    answer.places.set(id, contentIndex - 1);
    this.#update({ type: `${kind}_start`, contentIndex: contentIndex - 1 });
  }
  #block(id: string): { readonly block: Block; readonly contentIndex: number } | null {
    const contentIndex = this.#answer?.places.get(id);
    const block = contentIndex === undefined ? undefined : this.#answer?.content[contentIndex];
    return block === undefined || contentIndex === undefined ? null : { block, contentIndex };
  }
  #append(id: string, delta: string): void {
    const found = this.#block(id);
    if (found === null || found.block.type === "toolCall") return;
    const { block, contentIndex } = found;
    if (block.type === "text") block.text += delta;
    else block.thinking += delta;
    this.#update({ type: `${block.type}_delta`, contentIndex, delta });
  }
  #endText(id: string): void {
    const found = this.#block(id);
    if (found === null || found.block.type === "toolCall") return;
    const { block, contentIndex } = found;
    const content = block.type === "text" ? block.text : block.thinking;
    this.#update({ type: `${block.type}_end`, contentIndex, content });
  }

  // --- tool calls -------------------------------------------------------------------------------------------------

  #takeTool(chunk: UIMessageChunk, at: number): void {
    switch (chunk.type) {
      case "tool-input-start":
        return void this.#call(chunk.toolCallId, chunk.toolName, at);
      case "tool-input-delta": {
        const found = this.#block(chunk.toolCallId);
        if (found)
          this.#update({ type: "toolcall_delta", contentIndex: found.contentIndex, delta: chunk.inputTextDelta });
        return;
      }
      case "tool-input-available":
        return this.#begin(chunk, at);
      case "tool-input-error":
        this.#begin(chunk, at);
        return this.#result(chunk.toolCallId, chunk.errorText, true, at);
      case "tool-output-available":
        if (chunk.preliminary === true) return this.#progress(chunk.toolCallId, chunk.output);
        return this.#result(chunk.toolCallId, chunk.output, false, at, chunk.toolMetadata?.["details"]);
      case "tool-output-error":
        return this.#result(chunk.toolCallId, chunk.errorText, true, at, chunk.toolMetadata?.["details"]);
      case "tool-output-denied":
        return this.#result(chunk.toolCallId, this.#denied.get(chunk.toolCallId) ?? "Denied.", true, at);
      case "tool-approval-request":
        this.#asked.set(chunk.approvalId, chunk.toolCallId);
        return;
      case "tool-approval-response": {
        const call = this.#asked.get(chunk.approvalId);
        if (call !== undefined && !chunk.approved) this.#denied.set(call, chunk.reason ?? "Denied.");
      }
    }
  }
  #call(id: string, name: string, at: number): CallBlock {
    const answer = this.#open(at);
    const found = this.#block(id)?.block;
    if (found?.type === "toolCall") return found;
    const block: CallBlock = { type: "toolCall", id, name, arguments: {} };
    const contentIndex = answer.content.push(block) - 1;
    answer.places.set(id, contentIndex);
    this.#update({ type: "toolcall_start", contentIndex, id, toolName: name });
    return block;
  }
  #begin(chunk: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }, at: number): void {
    const { toolCallId, toolName, input } = chunk;
    const block = this.#call(toolCallId, toolName, at);
    block.arguments = input;
    const contentIndex = this.#answer?.places.get(toolCallId) ?? 0;
    this.#update({
      type: "toolcall_end",
      contentIndex,
      toolCall: { id: toolCallId, name: toolName, arguments: input },
    });
    if (this.#answer?.running.has(toolCallId)) return; // another input in its place
    this.#answer?.running.add(toolCallId);
    this.#ports.tell({ type: "tool_execution_start", toolCallId, toolName, args: input });
  }
  #progress(toolCallId: string, partialResult: unknown): void {
    const found = this.#block(toolCallId)?.block;
    if (found?.type !== "toolCall") return;
    this.#ports.tell({ type: "tool_execution_update", toolCallId, toolName: found.name, partialResult });
  }
  #result(toolCallId: string, result: unknown, isError: boolean, at: number, details?: unknown): void {
    const answer = this.#answer;
    const found = this.#block(toolCallId)?.block;
    if (!answer || found?.type !== "toolCall") return;
    if (!answer.running.delete(toolCallId)) return;
    this.#endMessage(answer, "stop", at);
    this.#ports.tell({ type: "tool_execution_end", toolCallId, toolName: found.name, result, isError });
    const message = toolResult(found, result, isError, at, details);
    answer.results.push(message);
    this.#ports.tell({ type: "message_start", message });
    this.#ports.tell({ type: "message_end", message });
  }
}

export function toolResult(
  call: { readonly id: string; readonly name: string },
  result: unknown,
  isError: boolean,
  timestamp: number,
  /** What the tool keeps for the program; absent: a result that is no text. */
  details: unknown = typeof result === "string" ? undefined : result,
): ToolResultMessage {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  const more = details === undefined ? {} : { details };
  const content = [{ type: "text", text }] as const;
  return { role: "toolResult", toolCallId: call.id, toolName: call.name, content, ...more, isError, timestamp };
}
