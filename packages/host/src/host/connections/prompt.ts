/**
 * The one place where the host puts words into an agent's mouth or ears: the prompt of a connection, the wrapping of a
 * steer, the transcript a fresh native session is told, and the text that continues an interrupted turn.
 */
import type { ConnectInput, HistoryEntry } from "../../ports/driver.ts";
import type { UIMessage } from "../../protocol/chunks.ts";
import type { Part } from "../../protocol/input.ts";

type Prompt = ConnectInput["prompt"];
/** Characters of a transcript that is told; the newest are kept. */
const maxTranscript = 60_000;

export function materializePrompt(instructions: string | null, transcript: string | null): Prompt {
  const blocks = [instructions?.trim() ?? "", transcript === null ? "" : tellTranscript(transcript)];
  return { base: null, append: blocks.filter((block) => block !== "").join("\n\n") };
}
const tellTranscript = (transcript: string): string =>
  `This conversation began in an earlier session. Its transcript, oldest first:\n\n<transcript>\n${transcript}\n</transcript>`;

/** Tells the agent that a person said this while it was working, so that it does not take it for the end of its task. */
export function wrapSteer(parts: readonly Part[]): readonly Part[] {
  const note = "The user sent this message while you were working. Take it into account and go on with the task.";
  return [{ type: "text", text: `<system-reminder>${note}</system-reminder>` }, ...parts];
}
export const continueInterrupted: readonly Part[] = [
  {
    type: "text",
    text: "Your last turn was interrupted before it ended, and what its running tool calls did is unknown. Check the present state first, then continue.",
  },
];

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
