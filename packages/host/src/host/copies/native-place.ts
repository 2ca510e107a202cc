/** Where an agent with a history of its own has to fork it, so that it knows what the copied branch shows. */
import type { MessageRow } from "../../protocol/rows.ts";

export type NativePlace = { readonly token: string; readonly anchor: string };

/**
 * The newest assistant message with an anchor. Null when there is none, or when the agent would not know of something it
 * said or was asked after it; what failed, was stopped or interrupted behind it does not count.
 */
export function nativePlace(branch: readonly MessageRow[], newestToken: string | null): NativePlace | null {
  const spoken = branch.filter(({ kind }) => kind === "message");
  const at = spoken.findLastIndex(({ role, anchor }) => role === "assistant" && anchor !== null);
  const place = spoken[at];
  const token = place?.resumeToken ?? newestToken;
  if (place === undefined || place.anchor === null || token === null) return null;
  const unknown = spoken.slice(at + 1);
  const isKnown = unknown.at(-1)?.role !== "user" && unknown.every((row) => row.role === "user" || hasFailed(row));
  return isKnown ? { token, anchor: place.anchor } : null;
}
const hasFailed = ({ status, parts }: MessageRow): boolean => status !== "completed" || parts.length === 0;
