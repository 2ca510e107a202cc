/**
 * One conversation's frames (the main one's, or one sub-agent's) as parts of a message. Invariants: a part is begun
 * before it is continued and ended once; a call is shown with its input before its output; what a broken stream left
 * half-said is abandoned when the next answer begins; the message's own frame is the host's and never sent.
 */
import type { UIMessageChunk } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import { type Block, blocksOf, type Fields, type Frame, fieldsOf, joinedText, numberIn, textIn } from "./frames.ts";

export type Said =
  | { readonly kind: "chunk"; readonly chunk: UIMessageChunk }
  /** `part`: its id, or the id of its tool call. */
  | { readonly kind: "abandoned"; readonly part: string; readonly reason: string };

type OpenBlock = { readonly kind: "text" | "reasoning"; readonly id: string };
const cut = "The answer was cut off by the connection to the model and began again.";

export class MessageWriter {
  /** The answer that is being streamed, or was last. */
  #message: string | null = null;
  readonly #blocks = new Map<number, OpenBlock>();
  /** Calls without an outcome; `begun` ones have no complete input yet. */
  readonly #calls = new Map<string, "begun" | "called">();
  readonly #callsByIndex = new Map<number, string>();
  #isStepOpen = false;
  /** The answer whose frames came whole. */
  #wholeMessage: string | null = null;

  /** The id of the answer that is being streamed, or was last. */
  get streaming(): string | null {
    return this.#message;
  }

  /** A call that an earlier connection showed. */
  expect(toolCallId: string): void {
    this.#calls.set(toolCallId, "called");
  }

  stream(frame: Frame): Said[] {
    const event = fieldsOf(frame["event"]);
    switch (event["type"]) {
      case "message_start":
        return this.#begin(textIn(event["message"], "id"));
      case "content_block_start":
        return this.#open(event);
      case "content_block_delta":
        return this.#continue(event);
      case "content_block_stop":
        return this.#stop(numberIn(event, "index") ?? -1);
      case "message_stop":
        return [...this.#blocks.keys()].flatMap((index) => this.#stop(index));
      default:
        return [];
    }
  }

  /** A finished block, or a whole answer that was not streamed. */
  assistant(frame: Frame): Said[] {
    const message = fieldsOf(frame["message"]);
    const id = textIn(message, "id");
    const isStreamed = id !== null && id === this.#message;
    const said: Said[] = [];
    for (const [index, block] of blocksOf(message).entries()) {
      if (block.type === "tool_use") said.push(...this.#called(block, id));
      else if (!isStreamed) said.push(...this.#whole(block, `${id}:${textIn(frame, "uuid")}:${index}`, id));
    }
    return said;
  }

  /** `isStopping`: a person stopped the turn. `denied`: the call never ran, and its end is said already. */
  results(frame: Frame, facts: { readonly isStopping: boolean; isDenied(toolCallId: string): boolean }): Said[] {
    return blocksOf(frame["message"]).flatMap((block) => {
      const toolCallId = textIn(block, "tool_use_id");
      if (block.type !== "tool_result" || toolCallId === null || !this.#calls.delete(toolCallId)) return [];
      if (facts.isDenied(toolCallId)) return [chunkOf({ type: "tool-output-denied", toolCallId })];
      const text = joinedText(block["content"]);
      if (block["is_error"] !== true) return [chunkOf(outputChunk(toolCallId, text, frame["tool_use_result"]))];
      const errorText = facts.isStopping ? "Stopped while it ran: what it did until then is not known." : text;
      return [chunkOf({ type: "tool-output-error", toolCallId, errorText: errorText || "The tool failed." })];
    });
  }

  /** Ends what is open: `reason` is what an unfinished call is told. */
  end(reason: string): Said[] {
    const said = [...this.#blocks.keys()].flatMap((index) => this.#stop(index));
    for (const toolCallId of this.#calls.keys())
      said.push(chunkOf({ type: "tool-output-error", toolCallId, errorText: reason }));
    this.#calls.clear();
    return [...said, ...this.endStep()];
  }

  endStep(): Said[] {
    this.#message = null;
    if (!this.#isStepOpen) return [];
    this.#isStepOpen = false;
    return [chunkOf({ type: "finish-step" })];
  }

  #begin(id: string | null): Said[] {
    const left = [...this.#blocks.values()].map((block) => block.id);
    const begun = [...this.#calls].flatMap(([call, state]) => (state === "begun" ? [call] : []));
    for (const call of begun) this.#calls.delete(call);
    this.#blocks.clear();
    const abandoned = [...left, ...begun].map((part): Said => ({ kind: "abandoned", part, reason: cut }));
    const step = this.endStep();
    this.#message = id;
    this.#isStepOpen = true;
    return [...abandoned, ...step, chunkOf({ type: "start-step" })];
  }

  #open(event: Fields): Said[] {
    const index = numberIn(event, "index") ?? -1;
    const block = fieldsOf(event["content_block"]);
    const id = `${this.#message}:${index}`;
    switch (block["type"]) {
      case "text":
        this.#blocks.set(index, { kind: "text", id });
        return [chunkOf({ type: "text-start", id })];
      case "thinking":
        this.#blocks.set(index, { kind: "reasoning", id });
        return [chunkOf({ type: "reasoning-start", id })];
      case "tool_use":
        return this.#callBegun(textIn(block, "id"), textIn(block, "name"), index);
      default:
        return [];
    }
  }

  #callBegun(toolCallId: string | null, toolName: string | null, index: number): Said[] {
    if (toolCallId === null || toolName === null) return [];
    this.#calls.set(toolCallId, "begun");
    this.#callsByIndex.set(index, toolCallId);
    return [chunkOf({ type: "tool-input-start", toolCallId, toolName })];
  }

  #continue(event: Fields): Said[] {
    const index = numberIn(event, "index") ?? -1;
    const delta = fieldsOf(event["delta"]);
    const json = textIn(delta, "partial_json");
    if (json !== null) return this.#inputDelta(index, json);
    const block = this.#blocks.get(index);
    const text = textIn(delta, "text") ?? textIn(delta, "thinking");
    if (block === undefined || text === null || text === "") return [];
    return [chunkOf({ type: `${block.kind}-delta`, id: block.id, delta: text })];
  }

  #inputDelta(index: number, inputTextDelta: string): Said[] {
    const toolCallId = this.#callsByIndex.get(index);
    if (toolCallId === undefined || inputTextDelta === "" || this.#calls.get(toolCallId) !== "begun") return [];
    return [chunkOf({ type: "tool-input-delta", toolCallId, inputTextDelta })];
  }

  #stop(index: number): Said[] {
    const block = this.#blocks.get(index);
    if (block === undefined) return [];
    this.#blocks.delete(index);
    return [chunkOf({ type: `${block.kind}-end`, id: block.id })];
  }

  #called(block: Block, message: string | null): Said[] {
    const toolCallId = textIn(block, "id");
    const toolName = textIn(block, "name");
    if (toolCallId === null || toolName === null || this.#calls.get(toolCallId) === "called") return [];
    const step = this.#calls.has(toolCallId) || message === this.#message ? [] : this.#begin(message);
    this.#calls.set(toolCallId, "called");
    return [...step, chunkOf({ type: "tool-input-available", toolCallId, toolName, input: block["input"] ?? {} })];
  }

  #whole(block: Block, id: string, message: string | null): Said[] {
    const kind = block.type === "thinking" ? "reasoning" : "text";
    const text = textIn(block, kind === "text" ? "text" : "thinking");
    if (text === null || text === "") return [];
    // Several frames of one answer belong to one step.
    const step = this.#isStepOpen && this.#wholeMessage === message ? [] : this.#begin(null);
    this.#wholeMessage = message;
    return [
      ...step,
      chunkOf({ type: `${kind}-start`, id }),
      chunkOf({ type: `${kind}-delta`, id, delta: text }),
      chunkOf({ type: `${kind}-end`, id }),
    ];
  }
}

export const chunkOf = (chunk: UIMessageChunk): Said => ({ kind: "chunk", chunk });

/** The text the model saw, with the tool's own structured result beside it when that is not too large. */
function outputChunk(toolCallId: string, output: string, result: unknown): UIMessageChunk {
  const text = typeof result === "object" && result !== null ? JSON.stringify(result) : "";
  if (text === "" || text.length > limits.structuredChars) return { type: "tool-output-available", toolCallId, output };
  const providerMetadata = { "claude-code": { result: JSON.parse(text) } };
  return { type: "tool-output-available", toolCallId, output, providerMetadata };
}
