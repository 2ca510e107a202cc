/**
 * Agents stream text in pieces of their own length, and some cut between the halves of a surrogate pair. The first half
 * waits here for its other half, so that no piece has half a character. Invariant: at most `most` halves wait; one whose
 * part ends without the other half is dropped.
 */
import type { AgentRuntimeEvent } from "../../ports/driver.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";

/** Parts of one connection that may wait at once. */
const most = 1_000;

export class TextSeams {
  readonly #halves = new Map<string, string>();

  /** The event as it is to be heard. Only chunks of text are ever changed. */
  join(event: AgentRuntimeEvent): AgentRuntimeEvent {
    if (event.type !== "chunk" && event.type !== "background-flow-chunk") return event;
    const chunk: unknown = event.chunk;
    if (typeof chunk !== "object" || chunk === null) return event;
    const joined = this.#joined(event.type === "chunk" ? event.turnId : event.rootToolCallId, event.chunk);
    return joined === event.chunk ? event : { ...event, chunk: joined };
  }
  #joined(owner: string, chunk: UIMessageChunk): UIMessageChunk {
    switch (chunk.type) {
      case "text-delta":
      case "reasoning-delta":
        return this.#with(`${owner} ${chunk.type} ${chunk.id}`, chunk.delta, chunk, (delta) => ({ ...chunk, delta }));
      case "tool-input-delta": {
        const key = `${owner} tool ${chunk.toolCallId}`;
        return this.#with(key, chunk.inputTextDelta, chunk, (inputTextDelta) => ({ ...chunk, inputTextDelta }));
      }
      case "text-end":
      case "reasoning-end":
        this.#halves.delete(`${owner} ${chunk.type.replace("end", "delta")} ${chunk.id}`);
        return chunk;
      case "tool-input-available":
        this.#halves.delete(`${owner} tool ${chunk.toolCallId}`);
        return chunk;
      default:
        return chunk;
    }
  }
  #with(key: string, delta: unknown, chunk: UIMessageChunk, made: (delta: string) => UIMessageChunk): UIMessageChunk {
    if (typeof delta !== "string") return chunk;
    const before = this.#halves.get(key);
    const isCut = endsInHalf(delta);
    if (before === undefined && !isCut) return chunk;
    this.#halves.delete(key);
    const text = `${before ?? ""}${delta}`;
    if (!isCut || this.#halves.size >= most) return made(text);
    this.#halves.set(key, text.slice(-1));
    return made(text.slice(0, -1));
  }
}
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
