/**
 * Compactions of the agent's own history, manual or by itself. The agent says that it worked before it says what came
 * of it, and the summary last. Invariant: one start, one end.
 */
import type { AgentRuntimeEvent } from "@mooring/host/driver";
import { blocksOf, type Fields, type Frame, fieldsOf, joinedText, textIn } from "./frames.ts";

type State =
  | { readonly kind: "none" | "running" }
  /** `summary`: null until the agent says it. */
  | { readonly kind: "compacted"; readonly metadata: Fields; readonly summary: string | null };

export class CompactionWatch {
  #state: State = { kind: "none" };

  get isRunning(): boolean {
    return this.#state.kind !== "none";
  }

  /** `trigger`: who began it, as long as the agent has not said. */
  status(frame: Frame, trigger: "manual" | "auto"): AgentRuntimeEvent[] {
    if (frame["status"] === "compacting" && this.#state.kind === "none") {
      this.#state = { kind: "running" };
      return [{ type: "compaction-start", trigger }];
    }
    if (frame["compact_result"] !== "failed" || this.#state.kind === "none") return [];
    return this.fail(textIn(frame, "compact_error") ?? "Claude Code could not compact the conversation.");
  }

  boundary(frame: Frame): AgentRuntimeEvent[] {
    const metadata = fieldsOf(frame["compact_metadata"]);
    const wasRunning = this.#state.kind !== "none";
    this.#state = { kind: "compacted", metadata, summary: null };
    return wasRunning ? [] : [{ type: "compaction-start", trigger: textIn(metadata, "trigger") ?? "auto" }];
  }

  /**
   * The first message after the boundary is the summary. `wasAsked`: the compaction is all the agent does, and until it
   * says that it is done it takes nothing else: so is the end told then.
   */
  message(frame: Frame, wasAsked: boolean): AgentRuntimeEvent[] {
    const state = this.#state;
    if (state.kind !== "compacted" || state.summary !== null || frame["isReplay"] === true) return [];
    if (blocksOf(frame["message"]).some(({ type }) => type === "tool_result")) return [];
    const summary = joinedText(fieldsOf(frame["message"])["content"]);
    if (!wasAsked) return this.#complete(summary);
    this.#state = { ...state, summary };
    return [];
  }

  /** The turn it was part of ends: what is open ends too. */
  end(): AgentRuntimeEvent[] {
    if (this.#state.kind === "compacted") return this.#complete(this.#state.summary);
    return this.#state.kind === "none" ? [] : this.fail("The compaction was cut off.");
  }

  fail(message: string): AgentRuntimeEvent[] {
    this.#state = { kind: "none" };
    return [{ type: "compaction-error", message }];
  }

  #complete(summary: string | null): AgentRuntimeEvent[] {
    const metadata = this.#state.kind === "compacted" ? this.#state.metadata : {};
    this.#state = { kind: "none" };
    const data = {
      preTokens: metadata["pre_tokens"] ?? null,
      postTokens: metadata["post_tokens"] ?? null,
      durationMs: metadata["duration_ms"] ?? null,
    };
    const trigger = textIn(metadata, "trigger") ?? "auto";
    return [{ type: "compaction-complete", done: { trigger, summary, covers: null, data } }];
  }
}
