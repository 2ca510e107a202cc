/**
 * A session's events as text for a terminal: the one renderer. Pure: the same events give the same text, wherever it
 * goes. Questions are not part of it: who can answer is known to the one that asks (`follow/follower.ts`).
 */
import type { SessionEvent } from "@mooring/host";
import type { Delivered } from "../command-host.ts";
import { durationText } from "../text/amounts.ts";
import { errorSummary } from "../text/tool-summary.ts";
import { outcomeLine } from "./outcome-line.ts";
import { renderChunk } from "./render-chunk.ts";
import { closed, line, primed, type Step, unchanged, type View, without, wordsOf } from "./view.ts";

type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

export function render(view: View, delivered: Delivered): Step {
  const { event } = delivered;
  if (event.type === "snapshot") {
    return line(primed(view, event), view.look.dim("  (the output up to here is not kept any more)"));
  }
  return renderEvent(view, event, "at" in delivered ? delivered.at : 0);
}

function renderEvent(view: View, event: SessionEvent, at: number): Step {
  switch (event.type) {
    case "chunk":
      return renderChunk(view, event, at);
    case "input.accepted":
      return [withWords(view, event.inputId, wordsOf(event.parts)), ""];
    case "input.changed":
      return inputChanged(view, event);
    case "turn.started":
      return turnStarted(view, event);
    case "turn.settled":
      return turnSettled(view, event);
    case "message.opened":
      return event.flow === undefined ? unchanged(view) : [withFlow(view, event.messageId, true), ""];
    case "message.closed":
      return view.flows.has(event.messageId) ? [withFlow(view, event.messageId, false), ""] : closed(view);
    default:
      return remark(view, event);
  }
}

/** What is said beside the conversation. */
function remark(view: View, event: SessionEvent): Step {
  const { look } = view;
  switch (event.type) {
    case "approval.closed":
      return approvalClosed(view, event);
    case "compaction":
      return compaction(view, event);
    case "retry":
      return line(view, look.yellow(`  ${retryText(event)}`));
    case "notice":
      return line(view, noticeText(view, event));
    case "session.changed":
      return sessionChanged(view, event);
    default:
      return unchanged(view);
  }
}

function turnStarted(view: View, event: Of<"turn.started">): Step {
  const after = { ...view, turns: view.turns + 1 };
  if (event.origin === "agent") return line(after, view.look.dim("» the agent goes on by itself"));
  const words = event.inputId === undefined ? undefined : view.inputs.get(event.inputId);
  // Whoever started the first turn knows what they asked.
  return view.turns === 0 || words === undefined ? [after, ""] : line(after, `\n${view.look.bold(`» ${words}`)}`);
}

function turnSettled(view: View, event: Of<"turn.settled">): Step {
  const { look, command, sessionId } = view;
  const said = outcomeLine(event, look);
  if (event.error?.code !== "resume-failed") return line(view, said);
  return line(
    view,
    `${said}\n  ${look.dim(`${command} sessions resume ${sessionId} retry|fresh|fresh-with-transcript`)}`,
  );
}

function inputChanged(view: View, event: Of<"input.changed">): Step {
  const { inputId, state, reason, parts } = event;
  if (parts !== undefined) return [withWords(view, inputId, wordsOf(parts)), ""];
  const words = view.inputs.get(inputId) ?? inputId;
  const { look, command, sessionId } = view;
  switch (state) {
    case "taken":
      return line(view, `${look.cyan("↳ steer taken:")} ${words}`);
    case "queued":
      return line(view, look.dim(`↳ next in the queue: ${words}`));
    case "held":
      return line(
        view,
        `${look.yellow(`‖ held (${reason ?? "held"}): ${words}`)}\n  ${look.dim(`${command} queue release ${sessionId} ${inputId}`)}`,
      );
    case "cancelled":
      return line({ ...view, inputs: without(view.inputs, inputId) }, look.dim(`↳ cancelled: ${words}`));
    case "answered":
    case "unanswered":
      return [{ ...view, inputs: without(view.inputs, inputId) }, ""];
    default:
      return unchanged(view);
  }
}

function approvalClosed(view: View, { how, answer }: Of<"approval.closed">): Step {
  if (how === "allow") return line(view, view.look.dim(`  allowed by ${errorSummary(answer?.by ?? "someone")}`));
  if (how === "deny") return unchanged(view); // the line of the call says so, with the reason
  return line(view, view.look.dim("  the question is over: nothing can be decided any more"));
}

function compaction(view: View, { state, detail }: Of<"compaction">): Step {
  const { look } = view;
  if (state === "failed") return line(view, look.red(`  the history was not compacted: ${errorSummary(detail)}`));
  if (state === "stopped") return line(view, look.dim("  compacting the history was stopped"));
  return line(view, look.dim(state === "started" ? "  compacting the history …" : "  the history is compacted"));
}

function retryText({ attempt, maxAttempts, delayMs, status, message }: Of<"retry">): string {
  const why = [status === null ? "" : `${status} `, errorSummary(message)].join("");
  return `the model's request failed (${why}): attempt ${attempt} of ${maxAttempts}, again in ${durationText(delayMs)}`;
}

function noticeText({ look }: View, { level, text }: Of<"notice">): string {
  const said = `! ${errorSummary(text)}`;
  if (level === "error") return look.red(said);
  return level === "warning" ? look.yellow(said) : look.dim(said);
}

function sessionChanged(view: View, { change }: Of<"session.changed">): Step {
  const said = [
    change.model === undefined ? "" : `the model is now ${errorSummary(change.model)}`,
    change.permissionMode ? `the permission mode is now ${change.permissionMode}` : "",
    change.removedAt ? "the session was removed" : "",
  ].filter((text) => text !== "");
  return said.length === 0 ? unchanged(view) : line(view, view.look.dim(`  ${said.join("; ")}`));
}

const withWords = (view: View, id: string, words: string): View => ({
  ...view,
  inputs: new Map(view.inputs).set(id, words),
});

function withFlow(view: View, id: string, isOpen: boolean): View {
  const flows = new Set(view.flows);
  if (isOpen) flows.add(id);
  else flows.delete(id);
  return { ...view, flows };
}
