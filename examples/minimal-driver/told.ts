/** What the agent is told of a prompt and of the history: text; what it cannot be given is said in words. */
import type { HistoryEntry, Part } from "@mooring/host/driver";

export const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [`[a part of type ${part.type}]`])).join("\n");

export const told = (history: readonly HistoryEntry[]): readonly { readonly role: string; readonly text: string }[] =>
  history.map((entry) =>
    entry.kind === "message"
      ? { role: entry.message.role, text: textOf(entry.message.parts) }
      : { role: "summary", text: entry.done.summary ?? "" },
  );
