/**
 * Decides the next response from the conversation alone: a script's next step, the demonstration, or a summary.
 * Invariants: pure and total, so the same conversation gets the same plan in every process. The one thing the
 * conversation cannot tell, how often `#status` already failed, is left to the caller through `failures[].key`.
 */
import { createHash } from "node:crypto";
import { type Answer, answerOf, answerTo, outputOf, textBlock } from "./answer.ts";
import { type Conversation, type Message, type Prompt, promptsOf } from "./conversation.ts";
import { planDemo } from "./demo.ts";
import { doneStep, type Failure, parseScript, plainText, type Step } from "./script.ts";
import { quotedConversation, summaryOf } from "./summary.ts";

/** A failure to serve while its `key` was served fewer than `times` times. */
export interface KeyedFailure extends Failure {
  /** The same for every attempt at the same step of the same conversation. */
  readonly key: string;
}

export interface Plan {
  readonly source: "script" | "demo" | "summary";
  /** Responses already played from this source. */
  readonly index: number;
  /** The verb, demo job or `summary` that is played. */
  readonly kind: string;
  /** To serve in this order before the answer. */
  readonly failures: readonly KeyedFailure[];
  readonly answer: Answer;
}

interface Script {
  readonly steps: readonly Step[];
  /** Index of its message. */
  readonly at: number;
  /** Steps played. */
  readonly played: number;
  /** Later prompts without directives, each with the step that was next when it arrived. */
  readonly notes: readonly { readonly text: string; readonly next: number }[];
}

/** Walks the messages after the script to see how far it came. */
function followScript(messages: readonly Message[], prompts: readonly Prompt[], at: number, steps: Step[]): Script {
  const later = new Map(prompts.filter((prompt) => prompt.at > at).map((prompt) => [prompt.at, prompt.text]));
  const notes: { text: string; next: number }[] = [];
  let played = 0;
  for (let i = at + 1; i < messages.length; i++) {
    const note = later.get(i);
    if (messages[i]?.role === "assistant") played++;
    if (note === undefined) continue;
    // A hang never answers: who writes again has given up on it, and must not be caught by it once more.
    if (steps[played]?.action.verb === "hang") played++;
    notes.push({ text: plainText(note), next: played });
  }
  return { steps, at, played, notes };
}

function newestScript(messages: readonly Message[], prompts: readonly Prompt[]): Script | undefined {
  for (const prompt of prompts.toReversed()) {
    const steps = parseScript(prompt.text);
    if (steps.length > 0) return followScript(messages, prompts, prompt.at, steps);
  }
  return undefined;
}

/** Whether the script's turn is over: its lines are played and, after a tool call, the closing word was said. */
function isOver(script: Script, tools: Conversation["tools"]): boolean {
  const last = script.steps.at(-1) ?? doneStep;
  return script.played >= script.steps.length + (outputOf(last, tools).calls ? 1 : 0);
}

/** The notes no earlier text response has carried. */
function freshNotes(script: Script, tools: Conversation["tools"]): string[] {
  const spoke = (step: number): boolean => outputOf(script.steps[step] ?? doneStep, tools).text;
  return script.notes
    .filter(({ next }) => {
      for (let step = next; step < script.played; step++) if (spoke(step)) return false;
      return true;
    })
    .map(({ text }) => text);
}

function planScript(script: Script, { messages, tools }: Conversation): Plan {
  const step = script.steps[script.played] ?? doneStep;
  const prefix = JSON.stringify(messages.slice(0, script.at + 1));
  const keyOf = (nth: number): string =>
    createHash("sha256").update(`${prefix}#${script.played}.${nth}`).digest("base64url");
  return {
    source: "script",
    index: script.played,
    kind: step.action.verb,
    failures: step.failures.map((failure, nth) => ({ ...failure, key: keyOf(nth) })),
    answer: answerTo(step, tools, freshNotes(script, tools)),
  };
}

/** The next response. Never throws, whatever the text. */
export function plan(conversation: Conversation): Plan {
  const { messages, system, tools } = conversation;
  const prompts = promptsOf(messages);
  const quoted = quotedConversation(prompts.at(-1)?.text ?? "", system);
  if (quoted !== undefined) {
    const answer = answerOf(textBlock(summaryOf(quoted)));
    return { source: "summary", index: 0, kind: "summary", failures: [], answer };
  }
  const script = newestScript(messages, prompts);
  if (script !== undefined && (script.notes.length === 0 || !isOver(script, tools))) {
    return planScript(script, conversation);
  }
  return { source: "demo", failures: [], ...planDemo(messages, tools, script === undefined ? 0 : script.at + 1) };
}
