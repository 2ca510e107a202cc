/** Frames nobody reads: those known to say nothing a session needs pass in silence, the others are named once each. */
import { limits } from "../limits.ts";
import { type Frame, textIn } from "./frames.ts";

const silent = new Set([
  "attachment",
  "auth_status",
  "conversation_reset",
  "prompt_suggestion",
  "rate_limit_event",
  "tool_progress",
  "tool_use_summary",
  "system/elicitation_complete",
  "system/files_persisted",
  "system/hook_progress",
  "system/hook_response",
  "system/hook_started",
  "system/local_command_output",
  "system/memory_recall",
  "system/permission_denied",
  "system/plugin_install",
  "system/thinking_tokens",
  "system/worker_shutting_down",
]);

export class UnknownFrames {
  readonly #tell: (name: string) => void;
  readonly #named = new Set<string>();

  constructor(tell: (name: string) => void) {
    this.#tell = tell;
  }

  note(frame: Frame): void {
    const subtype = textIn(frame, "subtype");
    const name = subtype === null ? frame.type : `${frame.type}/${subtype}`;
    if (silent.has(name) || this.#named.has(name) || this.#named.size >= limits.unknownFrames) return;
    this.#named.add(name);
    this.#tell(name.slice(0, 100));
  }
}
