/** A conversation as text, for a native session that begins anew: what was said, not what tools did. */
import type { HistoryEntry } from "../../ports/driver.ts";
import type { UIMessage } from "../../protocol/chunks.ts";

/** Characters of a transcript that is told; the newest are kept. */
const maxTranscript = 60_000;

export function transcriptOf(history: readonly HistoryEntry[]): string {
  const text = history
    .map(entryText)
    .filter((entry) => entry !== "")
    .join("\n\n");
  return text.length <= maxTranscript ? text : `[…]\n${text.slice(-maxTranscript)}`;
}
function entryText(entry: HistoryEntry): string {
  if (entry.kind === "compaction") return entry.done.summary === null ? "" : `Summary: ${entry.done.summary}`;
  const text = messageText(entry.message);
  return text === "" ? "" : `${entry.message.role === "user" ? "User" : "Assistant"}: ${text}`;
}
const messageText = (message: UIMessage): string =>
  message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
