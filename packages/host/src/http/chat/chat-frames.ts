/**
 * Chunks as server-sent events: one line of data each, with the session's cursor as its id where there is one. What a
 * client of the AI SDK does not know of this (ids, comments) it passes over.
 */
import type { UIMessageChunk } from "../../protocol/chunks.ts";

/** `cursor`: of the event the chunk was made from; null: it came from stored messages. */
export type Frame = { readonly chunk: UIMessageChunk; readonly cursor: string | null };

/** What ends every response. */
export const doneText = "data: [DONE]\n\n";
/** A comment. */
export const heartbeatText = ": \n\n";

export const chatHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
} as const;

export const framesOf = (chunks: readonly UIMessageChunk[], cursor: string | null): readonly Frame[] =>
  chunks.map((chunk) => ({ chunk, cursor }));

/** Neighbouring deltas of one part become one. */
export function textOf(frames: readonly Frame[]): string {
  let text = "";
  let last: Frame | null = null;
  for (const frame of frames) {
    const joined: Frame | null = last && joinedTo(last, frame);
    if (last !== null && joined === null) text += frameText(last);
    last = joined ?? frame;
  }
  return last === null ? "" : text + frameText(last);
}
const frameText = ({ chunk, cursor }: Frame): string =>
  `${cursor === null ? "" : `id: ${cursor}\n`}data: ${JSON.stringify(chunk)}\n\n`;

function joinedTo(last: Frame, next: Frame): Frame | null {
  const [a, b] = [last.chunk, next.chunk];
  if ((a.type === "text-delta" || a.type === "reasoning-delta") && a.type === b.type && isPlain(a) && isPlain(b))
    return a.id === b.id ? { ...next, chunk: { ...b, delta: a.delta + b.delta } } : null;
  if (a.type === "tool-input-delta" && b.type === a.type && a.toolCallId === b.toolCallId)
    return { ...next, chunk: { ...b, inputTextDelta: a.inputTextDelta + b.inputTextDelta } };
  return null;
}
const isPlain = (chunk: { readonly providerMetadata?: unknown }): boolean => chunk.providerMetadata === undefined;
