/**
 * Builds the assistant message out of its chunks, synchronously: the message every reader of the stream builds with
 * the AI SDK 7, after every chunk and wherever the stream is cut.
 *
 * Invariants: folding never throws. A chunk that does not fit changes nothing and is recorded as an issue. Merging
 * neighbouring deltas of one part gives the same message. A chunk costs time in proportion to its own size, not to
 * the message's. Chunks belong to the fold once folded: their values are shared and must not be changed.
 */
import type { FixedChunkType, UIMessage, UIMessageChunk, UIMessagePart } from "./chunks.ts";
import { isDataChunkType } from "./chunks.ts";
import * as parts from "./fold-parts.ts";
import { shapeIssue } from "./fold-shape.ts";
import { emptyState, type FoldIssue, type FoldState, settleInputs, type ToolDraft } from "./fold-state.ts";
import * as tools from "./fold-tools.ts";

export type { FoldIssue } from "./fold-state.ts";

const stateOf = Symbol("fold state");

export type Fold = {
  /** The message as it is now. It goes on changing: keep a `snapshot`, not this. */
  readonly message: UIMessage;
  /** The first issues of the stream. More are returned by `foldChunk` but not kept. */
  readonly issues: readonly FoldIssue[];
  readonly [stateOf]: FoldState;
};

export type LiveText = { id: string; kind: "text" | "reasoning" };
export type LiveTool = { toolCallId: string; toolName: string; state: string; approvalId?: string };

/** A stream of nothing but nonsense must not fill the memory. */
const maxIssues = 32;

export function startFold(id: string): Fold {
  const state = emptyState(id);
  return {
    get message() {
      settleInputs(state);
      return state.message;
    },
    issues: state.issues,
    [stateOf]: state,
  };
}

/** The issue, if the chunk was left out. */
export function foldChunk(fold: Fold, chunk: UIMessageChunk): FoldIssue | undefined {
  const state = fold[stateOf];
  const found = shapeIssue(chunk) ?? apply(state, chunk);
  if (found !== undefined && state.issues.length < maxIssues) state.issues.push(found);
  return found;
}

/** Later folding does not change the copy. Its inputs, outputs, data and metadata are shared with the fold. */
export function snapshot(fold: Fold): UIMessage {
  const { message } = fold;
  return { ...message, parts: message.parts.map((part): UIMessagePart => ({ ...part })) };
}

const isUnfinished = (part: ToolDraft): boolean =>
  awaitsOutput.has(part.state) || (part.state === "output-available" && part.preliminary === true);
/** What a later chunk could still finish, in message order: texts not ended, and tool calls without a final output. */
export function liveParts(fold: Fold): { texts: LiveText[]; tools: LiveTool[] } {
  const state = fold[stateOf];
  const texts = [
    ...[...state.openTexts].map(([id, { at }]) => ({ at, id, kind: "text" as const })),
    ...[...state.openReasonings].map(([id, { at }]) => ({ at, id, kind: "reasoning" as const })),
  ].sort((a, b) => a.at - b.at);
  const live = state.tools.filter(({ part }) => isUnfinished(part) && isReachable(state, part));
  return { texts: texts.map(({ id, kind }) => ({ id, kind })), tools: live.map(({ part }) => liveTool(part)) };
}

const awaitsOutput: ReadonlySet<string> = new Set([
  "input-streaming",
  "input-available",
  "approval-requested",
  "approval-responded",
]);

/** Chunks name a call, not a part: of two parts of one call, one is out of reach for good. */
function isReachable(state: FoldState, part: ToolDraft): boolean {
  return tools.findTool(state, part.toolCallId) === part;
}

function liveTool(part: ToolDraft): LiveTool {
  const live = { toolCallId: part.toolCallId, toolName: tools.toolNameOf(part), state: part.state };
  return part.approval === undefined ? live : { ...live, approvalId: part.approval.id };
}

type Handler<Chunk> = (state: FoldState, chunk: Chunk) => FoldIssue | undefined;
type Handlers = { readonly [Type in FixedChunkType]: Handler<Extract<UIMessageChunk, { type: Type }>> };

const nothing = (): undefined => undefined;

const handlers: Handlers = {
  "text-start": parts.startText,
  "text-delta": parts.continueText,
  "text-end": parts.continueText,
  "reasoning-start": parts.startReasoning,
  "reasoning-delta": parts.continueReasoning,
  "reasoning-end": parts.continueReasoning,
  "reasoning-file": parts.addWholePart,
  "tool-input-start": tools.startToolInput,
  "tool-input-delta": tools.addToolInput,
  "tool-input-available": tools.setToolInput,
  "tool-input-error": tools.failToolInput,
  "tool-approval-request": tools.requestApproval,
  "tool-approval-response": tools.answerApproval,
  "tool-output-available": tools.setToolOutput,
  "tool-output-error": tools.failToolOutput,
  "tool-output-denied": tools.denyOutput,
  custom: parts.addWholePart,
  "source-url": parts.addWholePart,
  "source-document": parts.addWholePart,
  file: parts.addWholePart,
  "steering-message": parts.addWholePart,
  start: parts.startMessage,
  "start-step": parts.startStep,
  "finish-step": nothing,
  "reset-step": parts.resetStep,
  "message-metadata": parts.addMetadata,
  finish: parts.addMetadata,
  abort: nothing,
  error: nothing,
};

function apply(state: FoldState, chunk: UIMessageChunk): FoldIssue | undefined {
  if (isDataChunkType(chunk.type)) return parts.setData(state, chunk as Parameters<typeof parts.setData>[1]);
  // The table pairs each type with a handler of just that type's chunks, which tsc cannot follow through the lookup.
  return (handlers[chunk.type as FixedChunkType] as Handler<UIMessageChunk>)(state, chunk);
}
