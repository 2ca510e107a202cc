/**
 * What a result means. The agent's word for success has three traps: a failed model request arrives as a success with
 * an error flag, a turn that was cut as a success with an aborted reason, and an empty answer as an error that was
 * completed. Invariant: `completed` needs all three signs.
 */
import { type Fields, type Frame, listOf, numberIn, textIn } from "./frames.ts";

export type Retry = "never" | "later" | "now";
export type Failure = { readonly code: string; readonly message: string; readonly retry: Retry };
export type Outcome =
  | { readonly kind: "completed" | "aborted" | "deferred" }
  | { readonly kind: "failed"; readonly failure: Failure };

export function outcomeOf(result: Frame): Outcome {
  const reason = textIn(result, "terminal_reason");
  if (reason === "tool_deferred") return { kind: "deferred" };
  if (reason?.startsWith("aborted")) return { kind: "aborted" };
  const isSuccess = result["subtype"] === "success" && result["is_error"] !== true;
  if (isSuccess && (reason === null || reason === "completed")) return { kind: "completed" };
  return { kind: "failed", failure: failureOf(result, reason) };
}

function failureOf(result: Frame, reason: string | null): Failure {
  const message = messageIn(result);
  if (isDamaged(message)) {
    const advice = "Its conversation is damaged and the model refuses it.";
    return { code: "resume-failed", message: `${advice} ${message}`, retry: "never" };
  }
  const status = numberIn(result, "api_error_status");
  const named = byReason[reason ?? ""] ?? bySubtype[textIn(result, "subtype") ?? ""];
  if (named !== undefined) return { code: named, message, retry: "never" };
  return { ...byStatus(status, message), message };
}

/** Two wordings of the provider, and Claude Code's own. */
const isDamaged = (message: string): boolean =>
  /duplicate tool_use ID|tool_use ids must be unique|tool_use_id.*found in.*tool_result/i.test(message);

const byReason: Readonly<Record<string, string>> = {
  prompt_too_long: "context-full",
  image_error: "input-refused",
  max_turns: "turn-limit",
  budget_exhausted: "budget-exhausted",
};
const bySubtype: Readonly<Record<string, string>> = {
  error_max_turns: "turn-limit",
  error_max_budget_usd: "budget-exhausted",
};

function byStatus(status: number | null, message: string): Pick<Failure, "code" | "retry"> {
  if (status === 401 || status === 403 || /not logged in|please run \/login|invalid api key/i.test(message))
    return { code: "no-credentials", retry: "never" };
  if (status === 429) return { code: "rate-limited", retry: "later" };
  if (status === 404) return { code: "model-unknown", retry: "never" };
  if (status !== null && status >= 500) return { code: "provider-unavailable", retry: "later" };
  if (status !== null) return { code: "request-refused", retry: "never" };
  return { code: "agent-failed", retry: "never" };
}

/** For people. Lines the agent writes for its own makers are left out. */
function messageIn(result: Fields): string {
  const errors = listOf(result["errors"]).filter((text) => typeof text === "string" && !text.startsWith("[ede_"));
  const text = textIn(result, "result") || errors.join(" ");
  return text === "" ? "Claude Code ended the turn with an error and gave no reason." : text;
}
