/**
 * What one flush stores of one session: its events, with adjacent deltas of one part merged into the first of them.
 * The writer's thread and the host apply the same rule to two forms of the same events, so both know every number
 * without telling each other.
 */
import type { SessionEvent } from "../protocol/events.ts";
import type { MessageId, TurnId } from "../protocol/ids.ts";
import { mergedDeltaChars } from "./limits.ts";

/** An event that only continues a part of a message. */
export type Delta = {
  readonly messageId: MessageId;
  readonly turnId: TurnId | null;
  readonly type: "text-delta" | "reasoning-delta" | "tool-input-delta";
  /** The part's `id`, or the tool call's. */
  readonly part: string;
  readonly text: string;
};
type ChunkEvent = Extract<SessionEvent, { readonly type: "chunk" }>;
type Chunk = ChunkEvent["chunk"];

/** Null for everything that must stay an event of its own: other chunks, and deltas that carry more than text. */
export function deltaOf(event: SessionEvent): Delta | null {
  if (event.type !== "chunk") return null;
  const { chunk, messageId, turnId = null } = event;
  if (chunk.type === "text-delta" || chunk.type === "reasoning-delta")
    return isBare(chunk) ? { messageId, turnId, type: chunk.type, part: chunk.id, text: chunk.delta } : null;
  if (chunk.type === "tool-input-delta" && isBare(chunk))
    return { messageId, turnId, type: chunk.type, part: chunk.toolCallId, text: chunk.inputTextDelta };
  return null;
}
const isBare = (chunk: Chunk): boolean => Object.keys(chunk).length === 3;

/** The chunk a delta stands for. */
export const chunkOf = ({ type, part, text }: Delta): Chunk =>
  type === "tool-input-delta" ? { type, toolCallId: part, inputTextDelta: text } : { type, id: part, delta: text };

function continues(last: Delta, next: Delta): boolean {
  return (
    last.messageId === next.messageId &&
    last.part === next.part &&
    last.type === next.type &&
    last.turnId === next.turnId &&
    last.text.length + next.text.length <= mergedDeltaChars
  );
}

/** The events of one session in one flush. `T` is the form they are kept in. */
export class MergedEvents<T> {
  readonly items: T[] = [];
  #last: Delta | null = null;

  /** Adds `item`; or, when `delta` continues the item before, puts `joined` in that one's place. */
  add(item: T, delta: Delta | null, joined: (before: T, whole: Delta) => T): void {
    const before = this.items.at(-1);
    if (delta && this.#last && before !== undefined && continues(this.#last, delta)) {
      this.#last = { ...this.#last, text: this.#last.text + delta.text };
      this.items[this.items.length - 1] = joined(before, this.#last);
    } else {
      this.items.push(item);
      this.#last = delta;
    }
  }
}
