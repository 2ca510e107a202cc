/**
 * What one response says, before a protocol dresses it, and how a script step becomes one.
 * Invariants: pure; an answer has at least one block unless it hangs.
 */
import type { OfferedTool } from "./conversation.ts";
import type { Action, Step, TokenUsage } from "./script.ts";
import { malformedCall, type PlannedCall, readCall, shellCall, writeCall } from "./tool-calls.ts";

export type PlannedBlock =
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "text";
      readonly text: string;
      /** Milliseconds between words; the instance's default when absent. */
      readonly delayMs?: number;
    }
  | ({ readonly type: "call" } & PlannedCall);

/** `cut` breaks the connection after that many pieces of text or arguments; `hang` waits for an abort. */
export type Ending =
  | { readonly type: "finish" }
  | { readonly type: "hang" }
  | { readonly type: "cut"; readonly pieces: number };

export interface Answer {
  readonly blocks: readonly PlannedBlock[];
  readonly ending: Ending;
  /** Figures to report instead of the computed ones. */
  readonly usage?: TokenUsage;
}

export const textBlock = (text: string): PlannedBlock => ({ type: "text", text });

/** An answer of these blocks that ends well. */
export const answerOf = (...blocks: readonly PlannedBlock[]): Answer => ({ blocks, ending: { type: "finish" } });

const callOr = (call: PlannedCall | undefined, missing: string): PlannedBlock =>
  call === undefined ? textBlock(`I was offered no ${missing} tool.`) : { type: "call", ...call };

function blocksOf(action: Action, tools: readonly OfferedTool[]): PlannedBlock[] {
  switch (action.verb) {
    case "say":
    case "mistake":
      return [textBlock(action.text)];
    case "slow":
      return [{ type: "text", text: action.text, delayMs: action.delayMs }];
    case "done":
      return [textBlock("done")];
    case "bash":
      return [callOr(shellCall(tools, action.command), "shell")];
    case "read":
      return [callOr(readCall(tools, action.path), "read")];
    case "write":
      return [callOr(writeCall(tools, action.path, action.content), "write")];
    case "tools":
      return action.calls.map(({ name, input }) => ({ type: "call", name, input: JSON.stringify(input) }));
    case "malformed":
      return [{ type: "call", ...malformedCall(tools) }];
    case "hang":
      return [];
  }
}

/** Which kinds of output a step gives with these tools. */
export function outputOf(step: Step, tools: readonly OfferedTool[]): { text: boolean; calls: boolean } {
  const blocks = blocksOf(step.action, tools);
  return { text: blocks.some((block) => block.type === "text"), calls: blocks.some((block) => block.type === "call") };
}

function endingOf(step: Step): Ending {
  if (step.action.verb === "hang") return { type: "hang" };
  return step.cut === undefined ? { type: "finish" } : { type: "cut", pieces: step.cut };
}

/** The marks that show that messages without directives were seen. */
export const notedText = (notes: readonly string[]): string =>
  notes.map((note) => `(noted: ${note.replace(/\s+/g, " ")})`).join(" ");

function withNotes(block: PlannedBlock, notes: readonly string[]): PlannedBlock {
  if (block.type !== "text" || notes.length === 0) return block;
  return { ...block, text: [block.text, notedText(notes)].filter((text) => text !== "").join(" ") };
}

/** The answer a step gives. `notes` are added to its text, if it has text. */
export function answerTo(step: Step, tools: readonly OfferedTool[], notes: readonly string[]): Answer {
  const thoughts = step.thoughts.map((text): PlannedBlock => ({ type: "reasoning", text }));
  const blocks = [...thoughts, ...blocksOf(step.action, tools).map((block) => withNotes(block, notes))];
  return { blocks, ending: endingOf(step), ...(step.usage && { usage: step.usage }) };
}
