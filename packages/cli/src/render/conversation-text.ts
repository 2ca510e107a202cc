/** Stored messages as text: what `sessions show` prints. The same words as the live output, without its motion. */
import type { StoredMessage } from "@mooring/host";
import type { Look } from "../text/look.ts";
import { oneLine, plainText } from "../text/plain-text.ts";
import { errorSummary, resultSummary, toolLabel } from "../text/tool-summary.ts";

type Part = StoredMessage["parts"][number];
type ToolPart = Extract<Part, { toolCallId: string }>;

/** `why`: of turns that did not complete, by the turn. */
export function conversationText(
  messages: readonly StoredMessage[],
  why: ReadonlyMap<string, string>,
  look: Look,
): string {
  return messages.map((message) => messageText(message, why.get(message.turnId ?? "") ?? null, look)).join("\n");
}

function messageText({ role, status, parts, createdAt }: StoredMessage, why: string | null, look: Look): string {
  const reason = why === null || role === "user" || status === "stopped" ? "" : `: ${errorSummary(why)}`;
  const note = status === "completed" ? "" : ` (${status}${reason})`;
  const when = new Date(createdAt).toISOString().slice(0, 16).replace("T", " ");
  const head = `${look.bold(role === "user" ? "» you" : role)}${look.yellow(note)} ${look.dim(`${when} UTC`)}`;
  return [head, ...parts.flatMap((part) => partText(part, look))].map((text) => `${text}\n`).join("");
}

function partText(part: Part, look: Look): readonly string[] {
  if ("toolCallId" in part) return [toolText(part, look)];
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [plainText(part.text).trimEnd()];
    case "reasoning":
      return plainText(part.text)
        .trim()
        .split("\n")
        .map((line) => look.dim(`│ ${line}`));
    case "file":
      return [look.dim(`  file: ${oneLine(part.filename ?? part.mediaType, 80)}`)];
    case "source-url":
      return [look.dim(`  source: ${oneLine(`${part.title ?? ""} ${part.url}`, 200)}`)];
    default:
      return [];
  }
}

function toolText(part: ToolPart, look: Look): string {
  const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
  return `${look.cyan("●")} ${toolLabel(name, part.input)}  ${endText(part, look)}`;
}

function endText(part: ToolPart, look: Look): string {
  switch (part.state) {
    case "output-available":
      return look.dim(resultSummary(part.output));
    case "output-error":
      return look.red(`✗ ${errorSummary(part.errorText)}`);
    case "output-denied":
      return look.red(`✗ denied${part.approval.reason ? `: ${errorSummary(part.approval.reason)}` : ""}`);
    case "approval-requested":
      return look.yellow("waits for an answer");
    default:
      return look.dim("…");
  }
}
