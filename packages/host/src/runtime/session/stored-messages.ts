/** A stored message as the messages the runtime speaks of: one per answer of the model, its results behind it. */
import type { Part } from "../../index.ts";
import type { ExportedMessage } from "../../protocol/export.ts";
import type { AgentMessage, AssistantMessage, StopReason, ToolResultMessage } from "./agent-message.ts";
import { toolResult } from "./assistant-writer.ts";
import { userMessages } from "./user-parts.ts";

type Stored = Pick<ExportedMessage, "role" | "parts" | "status" | "model" | "createdAt">;
type Block = AssistantMessage["content"][number];
type Answer = { readonly content: Block[]; readonly results: ToolResultMessage[] };

export function agentMessages(stored: Stored): readonly AgentMessage[] {
  if (stored.role !== "assistant") return userMessages(stored.parts, stored.createdAt);
  const answers = answersOf(stored.parts, stored.createdAt);
  return answers.flatMap(({ content, results }, index) => {
    const reason = stopReason(stored.status, content, index === answers.length - 1);
    const message = { role: "assistant", content, model: stored.model ?? "", stopReason: reason } as const;
    return [{ ...message, timestamp: stored.createdAt }, ...results];
  });
}
function stopReason(status: Stored["status"], content: readonly Block[], isLast: boolean): StopReason {
  if (isLast && status === "failed") return "error";
  if (isLast && (status === "stopped" || status === "interrupted")) return "aborted";
  return content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
}
function answersOf(parts: readonly Part[], at: number): readonly Answer[] {
  const answers: Answer[] = [{ content: [], results: [] }];
  for (const part of parts) {
    const last = answers.at(-1);
    if (part.type === "step-start" && last && last.content.length > 0) answers.push({ content: [], results: [] });
    const answer = answers.at(-1);
    if (answer) take(answer, part, at);
  }
  return answers;
}
function take({ content, results }: Answer, part: Part, at: number): void {
  if (part.type === "text") content.push({ type: "text", text: part.text });
  else if (part.type === "reasoning") content.push({ type: "thinking", thinking: part.text });
  else if ("toolCallId" in part) {
    const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
    content.push({ type: "toolCall", id: part.toolCallId, name, arguments: part.input ?? {} });
    const call = { id: part.toolCallId, name };
    const details = part.toolMetadata?.["details"];
    if (part.state === "output-available") results.push(toolResult(call, part.output, false, at, details));
    else results.push(toolResult(call, part.errorText ?? "Denied.", true, at, details));
  }
}
