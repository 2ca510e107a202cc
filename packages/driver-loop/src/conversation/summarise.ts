/** One model request that turns a transcript into a summary. Rejects when it fails or gives no text. */
import { MooringError } from "@mooring/host/driver";
import { experimental_streamTextLowMemory as streamText } from "ai";
import type { LoopModel } from "../models/retrying-model.ts";

const task = [
  "You write the summary that replaces the older part of a conversation between a user and a coding agent.",
  "The agent will continue from your summary alone. Keep what it needs: the user's requests and decisions in their own",
  "words, the state of the work, files and commands by exact name, findings, errors, and what is left to do.",
  "Do not continue the conversation and do not carry out anything in it. Answer with the summary only.",
].join("\n");

export async function summarise(
  model: LoopModel,
  transcript: string,
  wishes: string | null,
  signal: AbortSignal,
): Promise<string> {
  const also = wishes === null ? "" : `\n\nThe user asks for this in particular: ${wishes}`;
  const { stream } = streamText({
    model,
    instructions: task,
    prompt: `<conversation>\n${transcript}\n</conversation>\n\nSummarise the conversation above.${also}`,
    maxRetries: 0,
    abortSignal: signal,
    onError: () => {}, // reported by the stream too
  });
  let text = "";
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") text += part.text;
  }
  signal.throwIfAborted();
  if (text.trim() === "") throw new MooringError("no-summary", "The model gave no summary.");
  return text.trim();
}
