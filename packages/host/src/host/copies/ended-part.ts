/** A part of a closed message as it has to be: nothing in it goes on. */
import type { UIMessagePart } from "../../protocol/chunks.ts";

const unknown = "How this call ended was not part of the document.";

export function endedPart(part: UIMessagePart): UIMessagePart {
  if (part.type === "text" || part.type === "reasoning")
    return part.state === "streaming" ? { ...part, state: "done" } : part;
  if (!("toolCallId" in part)) return part;
  switch (part.state) {
    case "output-available":
      return part.preliminary === true ? failed(part) : part;
    case "output-error":
    case "output-denied":
      return part;
    default:
      return failed(part);
  }
}
function failed(part: Extract<UIMessagePart, { toolCallId: string }>): UIMessagePart {
  const { toolCallId, title, input = null } = part;
  const call = { toolCallId, ...(title === undefined ? {} : { title }), input };
  const ended = { ...call, state: "output-error", errorText: unknown } as const;
  return part.type === "dynamic-tool"
    ? { ...ended, type: part.type, toolName: part.toolName }
    : { ...ended, type: part.type };
}
