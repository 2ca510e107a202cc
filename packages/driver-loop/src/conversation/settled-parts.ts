/**
 * Tool parts as a model may see them again. Providers refuse a call without a result and an input that is no object;
 * stored messages have both, where a turn was cut short.
 */
import type { Part, WaitingApproval } from "@mooring/host/driver";

type ToolPart = Extract<Part, { toolCallId: string }>;
const isTool = (part: Part): part is ToolPart => "toolCallId" in part;

const interrupted = "The call was interrupted; its outcome is unknown.";

/** The part with a result; nothing for a call whose input was never complete. */
export function settledPart(part: Part): Part[] {
  if (!isTool(part)) return [part];
  switch (part.state) {
    case "input-streaming":
      return [];
    case "output-denied":
      return [{ ...part, input: objectInput(part.input) }];
    case "output-error":
      return [failedPart(part)];
    case "output-available":
      return [part.preliminary === true ? failed(part) : { ...part, input: objectInput(part.input) }];
    default:
      return [failed(part)];
  }
}

/** An input that never became JSON is kept as text beside the input; the AI SDK wants it in its place. */
function failedPart(part: ToolPart & { state: "output-error" }): Part {
  if (part.type === "dynamic-tool") return { ...part, input: objectInput(part.input) };
  const { rawInput, ...rest } = part;
  return { ...rest, input: objectInput(rest.input ?? rawInput) };
}

function failed(part: ToolPart): Part {
  const { toolCallId, input } = part;
  const call = { toolCallId, input: objectInput(input), state: "output-error", errorText: interrupted } as const;
  return part.type === "dynamic-tool"
    ? { ...call, type: part.type, toolName: part.toolName }
    : { ...call, type: part.type };
}

function objectInput(input: unknown): object {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  return input === undefined ? {} : { input };
}

/** The parts of a message that waits: the calls asked about are marked as answered, the others are settled. */
export function pendingParts(
  parts: readonly Part[],
  approvals: readonly WaitingApproval[],
  isKnown: (toolName: string) => boolean,
): Part[] {
  const asked = new Map(approvals.map((approval) => [approval.toolCallId, approval]));
  const present = parts.flatMap((part): Part[] => {
    const approval = isTool(part) ? asked.get(part.toolCallId) : undefined;
    if (approval === undefined) return settledPart(part);
    asked.delete(approval.toolCallId);
    return [pending(approval, isKnown)];
  });
  return [...present, ...[...asked.values()].map((approval) => pending(approval, isKnown))];
}

function pending(
  { approvalId, toolCallId, toolName, input }: WaitingApproval,
  isKnown: (name: string) => boolean,
): Part {
  const approval = isKnown(toolName)
    ? { id: approvalId, approved: true as const }
    : { id: approvalId, approved: false as const, reason: `There is no tool ${toolName} any more.` };
  return { type: `tool-${toolName}`, toolCallId, state: "approval-responded", input, approval };
}
