/** What an event changes in a view. Chunks are folded elsewhere (`session-viewer.ts`): this sees whole messages. Pure. */
import type { SessionEvent, StoredMessage } from "@mooring/host/protocol";
import { approvalRow } from "../approvals/approval-row.ts";
import { addToBranch, dropFromBranch } from "./branch.ts";
import { drop, type LiveInput, mostNotes, mostTurns, type Note, put, type SessionView } from "./view.ts";

type Of<Type extends SessionEvent["type"]> = Extract<SessionEvent, { readonly type: Type }>;
/** When it happened (ms since the epoch), and its cursor, which tells two notes apart. */
export type Place = { readonly at: number; readonly cursor: string };

/** Null: the branch is not known well enough; read its newest page. */
export function applyEvent(view: SessionView, event: SessionEvent, place: Place): SessionView | null {
  switch (event.type) {
    case "message.opened":
      return withMessage(view, openedMessage(event, place.at));
    case "message.closed":
      return event.message === null ? view : withMessage(view, event.message);
    case "message.dropped":
      return withoutMessage(view, event.messageId);
    case "chunk":
      return view;
    default:
      return applyFact(view, event, place);
  }
}

function applyFact(view: SessionView, event: SessionEvent, place: Place): SessionView {
  switch (event.type) {
    case "input.accepted":
    case "input.changed":
    case "queue.changed":
      return applyInput(view, event);
    case "turn.started":
      return { ...view, turn: { id: event.turnId, status: "open", startedAt: place.at } };
    case "turn.waiting":
    case "turn.resumed":
      return withTurn(view, event.turnId, event.type === "turn.waiting" ? "waiting" : "open");
    case "turn.settled":
      return settled(view, event);
    case "approval.requested":
      return { ...view, approvals: put(view.approvals, event.approvalId, approvalRow(event, place.at)) };
    case "approval.closed":
      return { ...view, approvals: drop(view.approvals, event.approvalId) };
    case "session.changed":
      return changed(view, event);
    case "context":
      return { ...view, context: contextOf(event.usage) ?? view.context };
    default:
      return noted(view, event, place);
  }
}

// --- messages -----------------------------------------------------------------------------------------------------

export function openedMessage(event: Of<"message.opened">, at: number): StoredMessage {
  const { messageId: id, parentId, turnId = null, flow } = event;
  const under = flow === undefined ? {} : { flow };
  return { id, role: "assistant", parts: [], parentId, status: "open", turnId, inputId: null, createdAt: at, ...under };
}
export function withMessage(view: SessionView, message: StoredMessage): SessionView | null {
  if (message.flow !== undefined) return withFlow(view, message.flow.toolCallId, message);
  const messages = addToBranch(view.messages, message, view.older !== null);
  return messages === null ? null : { ...view, messages };
}
function withFlow(view: SessionView, call: string, message: StoredMessage): SessionView {
  const flows = view.flows.get(call) ?? [];
  const known = flows.findIndex(({ id }) => id === message.id);
  return { ...view, flows: put(view.flows, call, known < 0 ? [...flows, message] : flows.with(known, message)) };
}
function withoutMessage(view: SessionView, id: string): SessionView {
  const flows = new Map([...view.flows].map(([call, messages]) => [call, messages.filter((m) => m.id !== id)]));
  return { ...view, messages: dropFromBranch(view.messages, id), flows };
}

// --- inputs -------------------------------------------------------------------------------------------------------

function applyInput(
  view: SessionView,
  event: Of<"input.accepted"> | Of<"input.changed"> | Of<"queue.changed">,
): SessionView {
  if (event.type === "queue.changed") return { ...view, order: event.order };
  const { inputId: id } = event;
  if (event.type === "input.accepted") {
    const { parts } = event;
    return { ...view, inputs: put(view.inputs, id, { id, parts, state: "queued", reason: null }) };
  }
  const known = view.inputs.get(id);
  if (known === undefined) return view;
  const next: LiveInput = {
    id,
    parts: event.parts ?? known.parts,
    state: event.state ?? known.state,
    reason: event.state === undefined ? known.reason : (event.reason ?? null),
  };
  return { ...view, inputs: isOver(next) ? drop(view.inputs, id) : put(view.inputs, id, next) };
}
const isOver = ({ state }: LiveInput): boolean =>
  state === "answered" || state === "unanswered" || state === "cancelled";

// --- turns --------------------------------------------------------------------------------------------------------

function withTurn(view: SessionView, id: string, status: "open" | "waiting"): SessionView {
  return view.turn?.id === id ? { ...view, turn: { ...view.turn, status } } : view;
}
function settled(view: SessionView, event: Of<"turn.settled">): SessionView {
  const { turnId, outcome, error = null, usage, durationMs } = event;
  const turns = put(view.turns, turnId, { outcome, error, usage, durationMs, cost: null }, mostTurns);
  return { ...view, turns, turn: view.turn?.id === turnId ? null : view.turn };
}

// --- beside the conversation --------------------------------------------------------------------------------------

function changed(view: SessionView, { change }: Of<"session.changed">): SessionView {
  if (view.session === null) return view;
  const { model: _, commands: __, ...set } = change;
  return { ...view, session: { ...view.session, ...set } };
}
function contextOf(usage: unknown): SessionView["context"] {
  if (typeof usage !== "object" || usage === null || !("used" in usage) || !("window" in usage)) return null;
  const { used, window } = usage;
  return typeof used === "number" && typeof window === "number" ? { used, window } : null;
}
function noted(view: SessionView, event: SessionEvent, { cursor: key }: Place): SessionView {
  const note = noteOf(event);
  if (note === null || view.notes.some((known) => known.key === key)) return view;
  const turnId = "turnId" in event ? (event.turnId ?? null) : null;
  return { ...view, notes: [...view.notes, { ...note, key, turnId }].slice(-mostNotes) };
}
function noteOf(event: SessionEvent): Omit<Note, "key" | "turnId"> | null {
  switch (event.type) {
    case "notice":
      return { kind: "notice", level: event.level, text: event.text };
    case "retry":
      return { kind: "retry", level: "warning", text: retryText(event) };
    case "compaction":
      return { kind: "compaction", level: event.state === "failed" ? "warning" : "info", text: compactionText(event) };
    default:
      return null;
  }
}
function retryText({ attempt, maxAttempts, delayMs, message }: Of<"retry">): string {
  return `The model did not answer (${message}). Attempt ${attempt} of ${maxAttempts} in ${Math.ceil(delayMs / 1_000)} s.`;
}
const compactions = {
  started: "The conversation is being summarized to make room.",
  completed: "Earlier messages were summarized to make room.",
  failed: "The conversation could not be summarized",
  stopped: "Summarizing the conversation was stopped.",
} as const;
const compactionText = ({ state, detail }: Of<"compaction">): string =>
  state === "failed" ? `${compactions.failed}: ${detail}` : compactions[state];
