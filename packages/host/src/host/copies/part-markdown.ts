/** One part of a message as blocks of Markdown. Long inputs and results are cut, and say by how much. */
import type { UIMessagePart } from "../../protocol/chunks.ts";
import { fenced, inlineCode, literal, markdownText, quoted } from "./markdown-text.ts";

type ToolPart = Extract<UIMessagePart, { toolCallId: string }>;
/** Characters shown of a tool's input and of its result. */
const inputChars = 500;
const resultChars = 1_500;

export function partMarkdown(part: UIMessagePart): readonly string[] {
  if ("toolCallId" in part) return toolMarkdown(part);
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [markdownText(part.text)];
    case "reasoning":
      return part.text.trim() === "" ? [] : [quoted(markdownText(part.text))];
    case "steering-message":
      return [quoted(["**Said meanwhile:**", ...part.parts.flatMap(partMarkdown)].join("\n\n"))];
    case "file":
      return [`**File:** ${literal(part.filename ?? "")} ${inlineCode(part.mediaType)}`.replace("  ", " ")];
    case "source-url":
      return [`**Source:** ${literal(part.title ?? "")} ${addressOf(part.url)}`.replace("  ", " ")];
    case "source-document":
      return [`**Source:** ${literal(part.title)}`];
    default:
      return [];
  }
}

const addressOf = (url: string): string => (/^https?:\/\/[^\s<>]+$/.test(url) ? `<${url}>` : literal(url));

function toolMarkdown(part: ToolPart): readonly string[] {
  const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
  const asked = part.input === undefined ? [] : [codeOf(part.input, inputChars)];
  const [end, result] = endOf(part);
  return [`**Tool** ${inlineCode(name)}: ${end}`, ...asked, ...(result === null ? [] : [codeOf(result, resultChars)])];
}

/** How the call ended, and what is shown of its result. */
function endOf(part: ToolPart): readonly [string, unknown] {
  switch (part.state) {
    case "output-available":
      return ["done", part.output ?? null];
    case "output-error":
      return ["failed", part.errorText];
    case "output-denied":
      return ["denied", part.approval.reason ?? null];
    case "approval-requested":
      return ["waits for an answer", null];
    default:
      return ["not finished", null];
  }
}

/** Text as it is, anything else as JSON. */
function codeOf(value: unknown, chars: number): string {
  const isText = typeof value === "string";
  const text = isText ? value : (JSON.stringify(value, null, 2) ?? "");
  const cut = text.length > chars ? `${text.slice(0, chars)}\n… ${text.length - chars} more characters` : text;
  return fenced(cut.trimEnd(), isText ? "text" : "json");
}
