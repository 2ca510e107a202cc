/**
 * What a session's output on a terminal looks like so far: which line is open, which calls run, what inputs say. Pure
 * values. Invariants: every text put into a step was made safe (`plainText`, `oneLine`); a line left open is closed
 * before anything else is written; what is kept per call, question and input is dropped when it ends.
 */
import type { ApprovalId, InputId, MessageId, Part, SessionId, Snapshot } from "@mooring/host";
import type { Look } from "../text/look.ts";
import { oneLine } from "../text/plain-text.ts";
import { toolLabel } from "../text/tool-summary.ts";

/** Characters of an input that is mentioned. */
const wordsMax = 60;

export type ViewSettings = {
  readonly sessionId: SessionId;
  readonly look: Look;
  /** How the person starts `mooring`: `npm start --` in the repository. */
  readonly command: string;
};
/** The line that is not finished. */
type Open =
  | { readonly kind: "nothing" }
  | { readonly kind: "text" | "reasoning"; readonly atLineStart: boolean }
  | { readonly kind: "tool"; readonly id: string };

export type ShownCall = {
  /** Name and what it is about. */
  readonly label: string;
  /** In ms since the epoch; null: it began before this view. */
  readonly startedAt: number | null;
  readonly denial: string | null;
};
export type View = ViewSettings & {
  readonly open: Open;
  readonly calls: ReadonlyMap<string, ShownCall>;
  /** Tool call an approval is about. */
  readonly asked: ReadonlyMap<ApprovalId, string>;
  /** Messages of sub-agents: their text is not shown. */
  readonly flows: ReadonlySet<MessageId>;
  /** First words of the inputs that have not ended. */
  readonly inputs: ReadonlyMap<InputId, string>;
  /** Turns begun in this view. */
  readonly turns: number;
};
/** The view after an event, and the text to write. */
export type Step = readonly [View, string];

export function startView(settings: ViewSettings, snapshot: Snapshot): View {
  const blank = { ...settings, open: { kind: "nothing" }, flows: new Set<MessageId>(), turns: 0 } as const;
  return primed({ ...blank, calls: new Map(), asked: new Map(), inputs: new Map() }, snapshot);
}

/** What the snapshot tells of calls and inputs whose beginning this view has not seen. */
export function primed(view: View, { open, inputs, approvals }: Snapshot): View {
  const parts = open.flatMap((message) => message.parts);
  const calls = parts.flatMap((part) => {
    if (!("toolCallId" in part)) return [];
    const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
    return [[part.toolCallId, { label: toolLabel(name, part.input), startedAt: null, denial: null }] as const];
  });
  return {
    ...view,
    calls: new Map(calls),
    asked: new Map(approvals.map((row) => [row.id, row.toolCallId])),
    inputs: new Map(inputs.map((row) => [row.id, wordsOf(row.input.parts)])),
  };
}

export function wordsOf(parts: readonly Part[]): string {
  const texts = parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`));
  return oneLine(texts.join(" "), wordsMax);
}

const nothing: Open = { kind: "nothing" };
export const unchanged = (view: View): Step => [view, ""];

/** A whole line. `text` is safe and has no newline at its end. */
export const line = (view: View, text: string): Step => [{ ...view, open: nothing }, `${lineEnd(view)}${text}\n`];

/** Text that leaves its line open. */
export const opened = (view: View, open: Open, text: string): Step => [{ ...view, open }, `${lineEnd(view)}${text}`];

/** Ends the open line, if there is one. */
export const closed = (view: View): Step => [{ ...view, open: nothing }, lineEnd(view)];

function lineEnd({ open }: View): string {
  if (open.kind === "nothing") return "";
  return open.kind !== "tool" && open.atLineStart ? "" : "\n";
}

export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
