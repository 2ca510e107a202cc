/**
 * Answers requests to summarize a conversation (compaction). Invariant: quoted directives are text, never obeyed,
 * and the summary keeps them off the beginning of a line so that they stay text when it becomes part of a prompt.
 */

const quoted = /<conversation>([\s\S]*)<\/conversation>/;
const userLine = /^\s*\[?(?:user|human)\]?\s*:/i;
const maxQuote = 200;

/** The conversation quoted in any of the texts, or `undefined` when this is no request for a summary. */
export function quotedConversation(...texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const match = quoted.exec(text);
    if (match !== null) return match[1] ?? "";
  }
  return undefined;
}

/** `summary: N lines; last user line: …`, the line cut to 200 characters. */
export function summaryOf(conversation: string): string {
  const lines = conversation.split(/\r?\n/).filter((line) => line.trim() !== "");
  const last = lines.findLast((line) => userLine.test(line)) ?? lines.at(-1) ?? "";
  return `summary: ${lines.length} lines; last user line: ${last.trim().slice(0, maxQuote)}`.trimEnd();
}
