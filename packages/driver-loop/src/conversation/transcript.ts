/** A conversation as plain text, for a summary; and how long it is. Every piece and the whole are bounded. */
import type { ModelMessage } from "ai";
import { limits } from "../limits.ts";

type Piece = Exclude<ModelMessage["content"], string>[number];

/** At most `maxChars`; what is left out is the oldest. */
export function transcript(messages: readonly ModelMessage[], maxChars: number): string {
  const lines = messages.flatMap(linesOf);
  let chars = 0;
  let from = lines.length;
  for (let line = lines[from - 1]; line !== undefined && chars + line.length < maxChars; line = lines[from - 1]) {
    chars += line.length + 1;
    from--;
  }
  return [...(from > 0 ? ["[the oldest part is left out]"] : []), ...lines.slice(from)].join("\n");
}

/** About how many tokens the messages are, without images and files. */
export const estimatedTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + charsOf(message), 0) / limits.charsPerToken;

const charsOf = ({ content }: ModelMessage): number =>
  typeof content === "string" ? content.length : content.reduce((sum, piece) => sum + whole(piece).length, 0);

function linesOf({ role, content }: ModelMessage): string[] {
  const who = role === "user" ? "User" : role === "assistant" ? "Assistant" : "";
  const pieces = typeof content === "string" ? [content] : content.map(whole);
  return pieces.filter((piece) => piece !== "").map((piece) => `${who === "" ? "" : `${who}: `}${bounded(piece)}`);
}

function bounded(text: string): string {
  const half = limits.transcriptItemChars / 2;
  if (text.length <= limits.transcriptItemChars) return text;
  return `${text.slice(0, half)} [${text.length - 2 * half} characters left out] ${text.slice(-half)}`;
}

function whole(piece: Piece): string {
  switch (piece.type) {
    case "text":
      return piece.text;
    case "tool-call":
      return `calls ${piece.toolName} ${JSON.stringify(piece.input)}`;
    case "tool-result":
      return `Result of ${piece.toolName}: ${JSON.stringify("value" in piece.output ? piece.output.value : piece.output)}`;
    case "file":
    case "image":
      return `[${piece.type}]`;
    default:
      return ""; // reasoning and approvals say nothing that a summary needs
  }
}
