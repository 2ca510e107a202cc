/** What one chunk of a message adds to the screen: text as it comes, reasoning behind a gutter, a line per tool call. */
import type { SessionEvent } from "@mooring/host";
import { durationText } from "../text/amounts.ts";
import { oneLine, plainText } from "../text/plain-text.ts";
import { errorSummary, resultSummary, toolLabel } from "../text/tool-summary.ts";
import { closed, line, opened, type ShownCall, type Step, unchanged, type View, without } from "./view.ts";

type ChunkEvent = Extract<SessionEvent, { type: "chunk" }>;
type Chunk = ChunkEvent["chunk"];

/** A tool that took less, in ms, is not timed. */
const worthTiming = 1_000;
const gutter = "│ ";

export function renderChunk(view: View, { messageId, chunk }: ChunkEvent, at: number): Step {
  const isFlow = view.flows.has(messageId);
  switch (chunk.type) {
    case "text-delta":
      return isFlow ? unchanged(view) : text(view, chunk.delta);
    case "reasoning-delta":
      return isFlow ? unchanged(view) : reasoning(view, chunk.delta);
    case "text-end":
    case "reasoning-end":
      return isFlow || view.open.kind === "tool" ? unchanged(view) : closed(view);
    case "error":
      return line(view, view.look.red(`✗ ${errorSummary(chunk.errorText)}`));
    case "reset-step":
      return line(view, view.look.dim("  (that answer is taken back; here it comes again)"));
    case "source-url":
      return line(view, view.look.dim(`  source: ${oneLine(`${chunk.title ?? ""} ${chunk.url}`, 200)}`));
    case "file":
      return line(view, view.look.dim(`  file: ${oneLine(chunk.mediaType, 80)}`));
    default:
      return toolChunk(view, chunk, at);
  }
}

function text(view: View, delta: string): Step {
  const safe = plainText(delta);
  if (safe === "") return unchanged(view);
  const isOpen = view.open.kind === "text";
  const open = { kind: "text", atLineStart: safe.endsWith("\n") } as const;
  return isOpen ? [{ ...view, open }, safe] : opened(view, open, safe);
}

function reasoning(view: View, delta: string): Step {
  const safe = plainText(delta);
  if (safe === "") return unchanged(view);
  const { look } = view;
  const continues = view.open.kind === "reasoning" && !view.open.atLineStart;
  const atLineStart = safe.endsWith("\n");
  const body = atLineStart ? safe.slice(0, -1) : safe;
  const lines = body.split("\n").map((piece, index) => (index === 0 && continues ? piece : `${gutter}${piece}`));
  const shown = lines.map((piece) => look.dim(piece)).join("\n") + (atLineStart ? "\n" : "");
  const open = { kind: "reasoning", atLineStart } as const;
  return view.open.kind === "reasoning" ? [{ ...view, open }, shown] : opened(view, open, shown);
}

function toolChunk(view: View, chunk: Chunk, at: number): Step {
  switch (chunk.type) {
    case "tool-input-start":
      return begun(view, chunk.toolCallId, callOf(chunk.toolName, undefined, at));
    case "tool-input-available":
      return announced(view, chunk.toolCallId, callOf(chunk.toolName, chunk.input, at));
    case "tool-input-error":
      return failed(called(view, chunk.toolCallId, callOf(chunk.toolName, undefined, at)), chunk, at);
    case "tool-output-available":
      if (chunk.preliminary === true) return unchanged(view);
      return ended(view, chunk.toolCallId, view.look.dim(resultSummary(chunk.output)), at);
    case "tool-output-error":
      return failed(view, chunk, at);
    case "tool-output-denied":
      return ended(view, chunk.toolCallId, denialText(view, chunk.toolCallId), at);
    case "tool-approval-request":
      return [{ ...view, asked: new Map(view.asked).set(chunk.approvalId, chunk.toolCallId) }, ""];
    case "tool-approval-response":
      return [decided(view, chunk, at), ""];
    default:
      return unchanged(view);
  }
}

const callOf = (name: string, input: unknown, at: number): ShownCall => ({
  label: toolLabel(name, input),
  startedAt: at,
  denial: null,
});

const called = (view: View, id: string, call: ShownCall): View => ({
  ...view,
  calls: new Map(view.calls).set(id, call),
});

function begun(view: View, id: string, call: ShownCall): Step {
  return opened(called(view, id, call), { kind: "tool", id }, head(view, call.label));
}

/** The input is complete: what it is about is added to the line of the call, if that is still the open one. */
function announced(view: View, id: string, call: ShownCall): Step {
  const before = view.calls.get(id)?.label;
  if (before === call.label) return unchanged(view);
  const isOpen = view.open.kind === "tool" && view.open.id === id;
  if (isOpen && before !== undefined && call.label.startsWith(before)) {
    return [called(view, id, call), call.label.slice(before.length)];
  }
  return begun(view, id, call);
}

const head = (view: View, label: string): string => `${view.look.cyan("●")} ${label}`;

function failed(view: View, chunk: { readonly toolCallId: string; readonly errorText: string }, at: number): Step {
  return ended(view, chunk.toolCallId, view.look.red(`✗ ${errorSummary(chunk.errorText)}`), at);
}

/** The result stands on the line of its call, unless other output came between. */
function ended(view: View, id: string, result: string, at: number): Step {
  const call = view.calls.get(id);
  const after = { ...view, calls: without(view.calls, id) };
  const shown = `${result}${timeText(view, call, at)}`;
  if (view.open.kind === "tool" && view.open.id === id)
    return [{ ...after, open: { kind: "nothing" } }, `  ${shown}\n`];
  return line(after, `  └ ${call?.label ?? "tool"}  ${shown}`);
}

function timeText({ look }: View, call: ShownCall | undefined, at: number): string {
  const ms = call?.startedAt == null ? 0 : at - call.startedAt;
  return ms < worthTiming ? "" : look.dim(` · ${durationText(ms)}`);
}

function decided(view: View, chunk: Extract<Chunk, { type: "tool-approval-response" }>, at: number): View {
  const id = view.asked.get(chunk.approvalId);
  const call = id === undefined ? undefined : view.calls.get(id);
  const asked = without(view.asked, chunk.approvalId);
  if (id === undefined || call === undefined) return { ...view, asked };
  // The person's thinking is none of the tool's time.
  return { ...called(view, id, { ...call, startedAt: at, denial: chunk.reason ?? null }), asked };
}

function denialText(view: View, id: string): string {
  const reason = view.calls.get(id)?.denial;
  return view.look.red(reason ? `✗ denied: ${errorSummary(reason)}` : "✗ denied");
}
