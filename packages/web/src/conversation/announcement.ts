/** What somebody who does not see the page is told of a session, once each time it changes. Pure. */
import type { StoredMessage } from "@mooring/host/protocol";
import type { SessionView } from "../session/view.ts";
import { summaryOf } from "./readable.ts";

/** Characters of an answer that are read out: the rest is in the conversation. */
const most = 300;

export function announcementOf(view: SessionView): string {
  const [question] = view.approvals.values();
  if (question) return `${question.toolName} asks to run: ${summaryOf(question.input)}`;
  if (view.turn) return "The agent works.";
  const last = view.messages.at(-1);
  if (last?.role !== "assistant") return "";
  if (last.status === "failed") return `The turn failed. ${errorOf(view, last)}`.trim();
  if (last.status === "stopped" || last.status === "interrupted") return `The turn was ${last.status}.`;
  return `The agent said: ${textOf(last)}`;
}
const errorOf = ({ turns }: SessionView, { turnId }: StoredMessage): string =>
  (turnId && turns.get(turnId)?.error?.message) || "";
function textOf({ parts }: StoredMessage): string {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
