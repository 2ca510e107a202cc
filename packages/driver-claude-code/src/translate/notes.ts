/** Frames that people are shown and that change nothing of a turn. */
import { type AgentRuntimeEvent, permissionModes } from "@mooring/host/driver";
import { type Frame, numberIn, textIn } from "./frames.ts";
import type { Failure } from "./outcome.ts";

type Notice = Extract<AgentRuntimeEvent, { type: "notice" }>;

/** `failure`: waiting for the next try is pointless. */
export function retryOf(frame: Frame): { readonly event: AgentRuntimeEvent; readonly failure: Failure | null } {
  const category = textIn(frame, "error") ?? "unknown";
  const status = numberIn(frame, "error_status");
  const event: AgentRuntimeEvent = {
    type: "api-retry",
    attempt: numberIn(frame, "attempt") ?? 1,
    maxAttempts: numberIn(frame, "max_retries") ?? 1,
    delayMs: numberIn(frame, "retry_delay_ms") ?? 0,
    status,
    message: `The model request failed (${category.replace(/_/g, " ")}).`,
  };
  if (category !== "authentication_failed") return { event, failure: null };
  const message = "The provider refused the API key. Set another one for this agent.";
  return { event, failure: { code: "no-credentials", message, retry: "never" } };
}

/** The agent moved to another permission mode, for example when its plan was accepted. */
export function modeChange(frame: Frame): AgentRuntimeEvent[] {
  const mode = permissionModes.find((known) => known === frame["permissionMode"]);
  return mode === undefined ? [] : [{ type: "config-changed", permissionMode: mode }];
}

export function noticeOf(frame: Frame, unknown: () => void): AgentRuntimeEvent[] {
  switch (frame["subtype"]) {
    case "informational":
      return frame["level"] === "warning" ? notice("warning", textIn(frame, "tag") ?? "agent", frame, "content") : [];
    case "notification":
      return notice("info", "agent", frame, "text");
    case "model_refusal_no_fallback":
      return notice("warning", "model-refused", frame, "content");
    case "model_refusal_fallback":
      return notice("warning", "model-fallback", frame, "content");
    case "mirror_error":
    case "session_writes_lost":
      return notice("error", "transcript-incomplete", frame, "error");
    default:
      unknown();
      return [];
  }
}

function notice(level: Notice["level"], code: string, frame: Frame, key: string): AgentRuntimeEvent[] {
  const text = textIn(frame, key);
  return text === null || text === "" ? [] : [{ type: "notice", level, code, text }];
}
