/** What the agent tells a hook, and what it may be answered. */
import type { ApprovalDecision } from "@mooring/host/driver";
import type { HookOutput } from "../sdk/sdk.ts";
import { fieldsOf, numberIn, textIn } from "./frames.ts";

export type HookedCall = { readonly toolCallId: string; readonly toolName: string; readonly toolInput: unknown };

export function hookedCall(input: unknown, toolUseId: string | undefined): HookedCall {
  const toolCallId = toolUseId ?? textIn(input, "tool_use_id") ?? "";
  return { toolCallId, toolName: textIn(input, "tool_name") ?? "", toolInput: fieldsOf(input)["tool_input"] ?? {} };
}

/** Milliseconds the tool itself worked; null: not said. */
export const durationOf = (input: unknown): number | null => numberIn(input, "duration_ms");
export const compactionTrigger = (input: unknown): "manual" | "auto" =>
  textIn(input, "trigger") === "manual" ? "manual" : "auto";

/** Its tool succeeded: then a hook may say something beside the result. */
export const hasRun = (input: unknown): boolean => textIn(input, "hook_event_name") === "PostToolUse";
export const toolNote = (text: string | null): HookOutput =>
  text === null ? {} : { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: text } };

/**
 * `ask`: the permission callback decides. `defer`: the agent ends its turn with the call open and may leave. `leave`:
 * nobody waits for this call, and the agent is to say nothing about it; the permission callback tells it.
 */
export type PreToolVerdict = ApprovalDecision | { readonly decision: "ask" | "defer" | "leave" };

export function preToolAnswer(verdict: PreToolVerdict): HookOutput {
  const { decision } = verdict;
  // Only the permission callback can end the agent's turn with a refusal.
  if (decision === "leave") return specific({ permissionDecision: "ask" });
  if (decision === "deny") return specific({ permissionDecision: "deny", permissionDecisionReason: verdict.reason });
  const updatedInput = decision === "allow" && isFields(verdict.input) ? { updatedInput: verdict.input } : {};
  return specific({ permissionDecision: decision, ...updatedInput });
}

const isFields = (value: unknown): boolean => typeof value === "object" && value !== null;
const specific = (output: HookOutput): HookOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...output },
});
