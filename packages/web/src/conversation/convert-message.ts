/**
 * A stored message as assistant-ui shows one. Nothing is lost: what its parts cannot say stays reachable under
 * `metadata.custom.stored`.
 */
import type { ThreadMessageLike } from "@assistant-ui/react";
import type { StoredMessage } from "@mooring/host/protocol";

type Content = Exclude<ThreadMessageLike["content"], string>[number];
type StoredPart = StoredMessage["parts"][number];
type ToolPart = Extract<StoredPart, { toolCallId: string }>;

export const isTool = (part: StoredPart): part is ToolPart => "toolCallId" in part;
export const toolNameOf = (part: ToolPart): string =>
  part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);

export function convertMessage(message: StoredMessage): ThreadMessageLike {
  const { id, role, createdAt } = message;
  const content = message.parts.flatMap((part, index) => contentOf(part, index));
  const common = { id, createdAt: new Date(createdAt), content, metadata: { custom: { stored: message } } };
  return role === "assistant" ? { ...common, role, status: statusOf(message) } : { ...common, role };
}

function statusOf({ status }: StoredMessage): NonNullable<ThreadMessageLike["status"]> {
  if (status === "open") return { type: "running" };
  if (status === "completed") return { type: "complete", reason: "stop" };
  return { type: "incomplete", reason: status === "failed" ? "error" : "cancelled" };
}

/** Files and images are data here: both roles may have them, and the page shows them the same way. */
function contentOf(part: StoredPart, index: number): Content[] {
  if (isTool(part)) return [toolContent(part)];
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return part.text === "" ? [] : [{ type: "reasoning", text: part.text }];
    case "file":
      return [{ type: "data", name: "file", data: part }];
    case "source-url":
    case "source-document":
      return [{ type: "data", name: "source", data: part }];
    case "step-start":
      return [];
    default:
      return part.type.startsWith("data-") ? [{ type: "data", name: part.type, data: { ...part, index } }] : [];
  }
}
function toolContent(part: ToolPart): Content {
  const { toolCallId, input, state } = part;
  const isDone = state === "output-available" || state === "output-error" || state === "output-denied";
  const call = {
    type: "tool-call",
    toolCallId,
    toolName: toolNameOf(part),
    argsText: input === undefined ? "" : JSON.stringify(input),
    artifact: part,
  } as const;
  return isDone ? { ...call, result: state, isError: state !== "output-available" } : call;
}
