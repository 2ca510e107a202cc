/**
 * Text as a block of a Markdown document. Invariant: whatever the text is, the block ends where it ends: no code fence,
 * comment or other construct that was never closed (an answer may have been cut short) takes in what comes after it.
 */

/** Blanks and list markers a fence may stand behind, the fence, the rest of the line. */
const opener = /^((?: |[-*+] |\d{1,9}[.)] )*)(`{3,}|~{3,})(.*)$/;
const closer = /^( *)(`{3,}|~{3,})[ \t]*$/;
const beforeContent = /^(?:[\s>*+-]|\d{1,9}[.)])*/;
/** What may begin a block of HTML; an address in angle brackets does not. */
const htmlStart = /^((?:[\s>*+-]|\d{1,9}[.)])*)<(?=[!?/a-z])(?![a-z][a-z0-9+.-]{1,31}:)/i;

type Fence = { readonly indent: number; readonly mark: string };

/** The text as Markdown; as a code block when it is not certain where its own code blocks end. */
export function markdownText(text: string): string {
  const lines: string[] = [];
  let fence: Fence | null = null;
  for (const line of linesOf(text)) {
    if (fence === null) {
      const start = startOf(line, lines.at(-1) ?? "");
      if (start === "unclear") return fenced(text);
      fence = start;
      lines.push(line.replace(htmlStart, "$1\\<"));
      continue;
    }
    lines.push(line);
    const end = endOf(line, fence);
    if (end === "unclear") return fenced(text);
    if (end === "closed") fence = null;
  }
  if (fence !== null && fence.indent > 0) return fenced(text);
  const end = fence === null ? [] : [fence.mark]; // at the left margin it surely is one, and never was closed
  return [lines.join("\n").replace(emptyStart, "").trimEnd(), ...end].join("\n");
}
const emptyStart = /^(?:[ \t]*\n)+/;

/** Null: no fence. A tab puts it elsewhere than it seems, and a number in a paragraph begins no list. */
function startOf(line: string, previous: string): Fence | null | "unclear" {
  const [, before = "", mark, rest = ""] = opener.exec(line) ?? [];
  if (mark === undefined) return isTabbedFence(line) ? "unclear" : null;
  if (mark.startsWith("`") && rest.includes("`")) return null; // code inside a line
  return /\d/.test(before) && previous.trim() !== "" ? "unclear" : { indent: before.length, mark };
}
function isTabbedFence(line: string): boolean {
  const [before = ""] = beforeContent.exec(line) ?? [];
  return before.includes("\t") && /^(?:`{3}|~{3})/.test(line.slice(before.length));
}
/** A line that stands further left may end the list the fence is in, and the fence with it. */
function endOf(line: string, { indent, mark }: Fence): "open" | "closed" | "unclear" {
  if (line.trim() !== "" && indentOf(line) < indent) return "unclear";
  const [, before = "", end = ""] = closer.exec(line) ?? [];
  if (!end.startsWith(mark)) return "open";
  if (indent === 0) return before.length < 4 ? "closed" : "open";
  return before.length === indent ? "closed" : "unclear";
}
/** Columns, a tab to the next multiple of four. */
function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** As a code block, whatever is in it. */
export function fenced(text: string, language = ""): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const mark = "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return [`${mark}${language}`, ...linesOf(text), mark].join("\n");
}

export const quoted = (markdown: string): string =>
  linesOf(markdown)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** One line in which nothing is Markdown. */
export const literal = (text: string): string => oneLine(text).replace(/[\\`*_{}[\]<>#|~&!]/g, "\\$&");

/** One line as code. */
export const inlineCode = (text: string): string => `\`${oneLine(text).replaceAll("`", "'")}\``;

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
const linesOf = (text: string): readonly string[] => text.split(/\r\n?|\n/);
