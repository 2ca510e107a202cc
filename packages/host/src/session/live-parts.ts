/** Which parts of an open message are unfinished, and the chunks that finish them when the message must close. */
import type { UIMessageChunk } from "../protocol/chunks.ts";
import { nothingLive } from "./look.ts";
import type { LiveParts } from "./state.ts";

export const unknownOutcome = "The outcome of this call is unknown: it was running when its message ended.";

/** The parts after one chunk; the same object when nothing starts or ends. */
export function trackParts(live: LiveParts, chunk: UIMessageChunk): LiveParts {
  switch (chunk.type) {
    case "text-start":
      return { ...live, texts: [...live.texts, { id: chunk.id, kind: "text" }] };
    case "reasoning-start":
      return { ...live, texts: [...live.texts, { id: chunk.id, kind: "reasoning" }] };
    case "text-end":
    case "reasoning-end":
      return withoutText(live, chunk.id, chunk.type === "text-end" ? "text" : "reasoning");
    case "tool-input-start":
    case "tool-input-available":
      return live.tools.includes(chunk.toolCallId) ? live : { ...live, tools: [...live.tools, chunk.toolCallId] };
    case "tool-input-error":
    case "tool-output-error":
    case "tool-output-denied":
      return withoutTool(live, chunk.toolCallId);
    case "tool-output-available":
      return chunk.preliminary === true ? live : withoutTool(live, chunk.toolCallId);
    case "reset-step":
      return live.texts.length === 0 ? live : { ...live, texts: [] }; // what the step began is taken back; calls end by themselves
    default:
      return live;
  }
}
function withoutText(live: LiveParts, id: string, kind: "text" | "reasoning"): LiveParts {
  const texts = live.texts.filter((t) => t.id !== id || t.kind !== kind);
  return texts.length === live.texts.length ? live : { ...live, texts };
}
function withoutTool(live: LiveParts, id: string): LiveParts {
  return live.tools.includes(id) ? { ...live, tools: live.tools.filter((t) => t !== id) } : live;
}

/** What ends each unfinished part, in the order they began. */
export function closingChunks(live: LiveParts, reason: string): readonly UIMessageChunk[] {
  if (live === nothingLive) return [];
  return [
    ...live.texts.map((t): UIMessageChunk => ({ type: t.kind === "text" ? "text-end" : "reasoning-end", id: t.id })),
    ...live.tools.map((id): UIMessageChunk => ({ type: "tool-output-error", toolCallId: id, errorText: reason })),
  ];
}
/** Chunks that end one abandoned part, named by its tool call or its text id. */
export function abandonedChunks(live: LiveParts, part: string, reason: string): readonly UIMessageChunk[] {
  return closingChunks(
    { texts: live.texts.filter((t) => t.id === part), tools: live.tools.filter((id) => id === part) },
    reason,
  );
}
/** Chunks that show a person something; the rest only frames them. */
export function isContent(chunk: UIMessageChunk): boolean {
  switch (chunk.type) {
    case "start":
    case "start-step":
    case "finish-step":
    case "reset-step":
    case "finish":
    case "message-metadata":
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end":
      return false;
    case "text-delta":
    case "reasoning-delta":
      return chunk.delta.length > 0;
    default:
      return true;
  }
}
