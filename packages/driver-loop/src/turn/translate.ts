/**
 * Turns the parts of an AI SDK stream into events of the driver contract. Invariants: chunks keep their order; the
 * message's own frame (`start`, `finish`, `abort`, `error`) is the host's and never sent; a boundary comes right before
 * the first chunk of the step that includes its steers, when no tool part is live; usage comes before the end of its
 * step; every call that was shown is closed by `closeCalls`, if not before.
 */

import type { InputId, TurnId, UIMessageChunk } from "@mooring/host/driver";
import { type TextStreamPart, type ToolSet, toUIMessageChunk } from "ai";
import type { RequestReports } from "./request-reports.ts";
import type { SessionContext } from "./session-context.ts";
import type { SteerInbox } from "./steer-inbox.ts";
import type { ToolGate } from "./tool-gate.ts";

type TranslatorParts = { readonly gate: ToolGate; readonly inbox: SteerInbox; readonly reports: RequestReports };
type StreamPart = TextStreamPart<ToolSet>;

export class Translator {
  readonly #context: SessionContext;
  readonly #turnId: TurnId;
  readonly #gate: ToolGate;
  readonly #inbox: SteerInbox;
  readonly #reports: RequestReports;
  /** Calls shown without an outcome. */
  readonly #openCalls = new Set<string>();

  constructor(context: SessionContext, turnId: TurnId, parts: TranslatorParts) {
    this.#context = context;
    this.#turnId = turnId;
    this.#gate = parts.gate;
    this.#inbox = parts.inbox;
    this.#reports = parts.reports;
  }

  /** Calls that an earlier connection showed. */
  expect(toolCallIds: readonly string[]): void {
    for (const id of toolCallIds) {
      this.#openCalls.add(id);
      this.#gate.shown(id);
    }
  }

  take(part: StreamPart, tools: ToolSet): void {
    switch (part.type) {
      case "start":
      case "finish":
      case "abort":
      case "error":
        return;
      case "custom":
        // Anthropic's note that a response began: nothing to show, and its tokens are reported with the step.
        if (part.kind === "anthropic.message_start") return;
        return this.#convert(part, tools);
      case "steering-message":
        return this.#inbox.sent(part.id);
      case "tool-error":
        return this.#failed(part, tools);
      case "start-step":
        this.#convert(part, tools);
        return this.#reports.stepBegan();
      case "finish-step":
        this.#reports.stepEnded();
        return this.#convert(part, tools);
      default:
        return this.#convert(part, tools);
    }
  }

  /** Gives every call without an outcome one. */
  closeCalls(errorText: string): void {
    for (const toolCallId of [...this.#openCalls]) this.#emit({ type: "tool-output-error", toolCallId, errorText });
  }

  #convert(part: StreamPart, tools: ToolSet): void {
    const chunk = toUIMessageChunk(part, { tools });
    if (chunk === undefined) return;
    this.#boundary();
    this.#emit(chunk);
  }

  #failed(part: StreamPart & { type: "tool-error" }, tools: ToolSet): void {
    const denial = this.#gate.denial(part.toolCallId);
    if (denial !== null) for (const chunk of denial) this.#emit(chunk);
    // A call whose input was no good is shown as failed already.
    else if (this.#openCalls.has(part.toolCallId)) this.#convert(part, tools);
  }

  #boundary(): void {
    const taken: readonly InputId[] = this.#inbox.take();
    if (taken.length > 0) this.#context.events.push({ type: "steer-boundary", turnId: this.#turnId, taken });
  }

  #emit(chunk: UIMessageChunk): void {
    this.#track(chunk);
    this.#context.events.push({ type: "chunk", turnId: this.#turnId, chunk: this.#detailed(chunk) });
    if (chunk.type === "tool-input-available") this.#gate.shown(chunk.toolCallId);
  }

  /** With what the tool keeps for the program. */
  #detailed(chunk: UIMessageChunk): UIMessageChunk {
    if (chunk.type !== "tool-output-available" && chunk.type !== "tool-output-error") return chunk;
    const details = this.#gate.takeDetails(chunk.toolCallId);
    return details === undefined ? chunk : { ...chunk, toolMetadata: { ...chunk.toolMetadata, details } };
  }

  #track(chunk: UIMessageChunk): void {
    switch (chunk.type) {
      case "tool-input-start":
      case "tool-input-available":
        this.#openCalls.add(chunk.toolCallId);
        return;
      case "tool-output-available":
        if (chunk.preliminary === true) return;
        this.#openCalls.delete(chunk.toolCallId);
        return;
      case "tool-input-error":
      case "tool-output-error":
      case "tool-output-denied":
        this.#openCalls.delete(chunk.toolCallId);
    }
  }
}
