/**
 * The chunks of tool calls: inputs, approvals, outputs.
 *
 * Invariants: within one step a call has at most one static and one dynamic part. A chunk that only names a call
 * means its part of the current step, or else the last one of the message. Reaching another state keeps the title,
 * the approval and the provider metadata, and drops input text, output and error of the state before.
 */
import type { JSONObject, ProviderMetadata, ToolState, UIMessageChunk, UIMessagePart } from "./chunks.ts";
import {
  addPart,
  type FoldIssue,
  type FoldState,
  type Indexed,
  type InputStream,
  issue,
  setOrDelete,
  type ToolDraft,
} from "./fold-state.ts";

type ChunkOf<Type extends UIMessageChunk["type"]> = Extract<UIMessageChunk, { type: Type }>;
type InputStart = ChunkOf<"tool-input-start">;
type WholeInput = ChunkOf<"tool-input-available">;
type InputError = ChunkOf<"tool-input-error">;
type Output = ChunkOf<"tool-output-available">;
type OutputError = ChunkOf<"tool-output-error">;

type Fields = Pick<ToolDraft, "inputEncoding" | "rawInput" | "output" | "errorText" | "preliminary">;
/** What a chunk says about its call. `input` absent: the part keeps the input it has. */
type Update = Fields & {
  readonly state: ToolState;
  readonly input?: { readonly value: unknown } | { readonly partial: string };
  readonly title?: string | undefined;
  readonly toolMetadata?: JSONObject | undefined;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: ProviderMetadata | undefined;
};

export function startToolInput(state: FoldState, chunk: InputStart): undefined {
  state.inputs.set(chunk.toolCallId, {
    text: "",
    toolName: chunk.toolName,
    dynamic: chunk.dynamic === true,
    encoding: chunk.inputEncoding,
    title: chunk.title,
    toolMetadata: chunk.toolMetadata,
  });
  const { part } = partOfStep(state, chunk.toolCallId, chunk.toolName, chunk.dynamic === true);
  const encoding = chunk.inputEncoding === undefined ? {} : { inputEncoding: chunk.inputEncoding };
  update(state, part, { ...said(chunk), ...encoding, state: "input-streaming", input: { value: undefined } });
}

export function addToolInput(state: FoldState, chunk: ChunkOf<"tool-input-delta">): FoldIssue | undefined {
  const stream = state.inputs.get(chunk.toolCallId);
  if (stream === undefined) return issue("no-open-part", chunk.type, `no input of tool call ${chunk.toolCallId}`);
  stream.text += chunk.inputTextDelta;
  const { part, isNew } = partOfStep(state, chunk.toolCallId, stream.toolName, stream.dynamic);
  update(state, part, streamedInput(stream));
  // The SDK creates dynamic parts without their text; only a delta in a later step than its start gets here.
  if (isNew && stream.dynamic) setOrDelete(part, "rawInput", undefined);
  return undefined;
}

function streamedInput(stream: InputStream): Update {
  return {
    state: "input-streaming",
    input: stream.encoding === "text" ? { value: stream.text } : { partial: stream.text },
    rawInput: stream.text,
    ...(stream.encoding === undefined ? {} : { inputEncoding: stream.encoding }),
    title: stream.title,
    toolMetadata: stream.toolMetadata,
  };
}

export function setToolInput(state: FoldState, chunk: WholeInput): undefined {
  const { part } = partOfStep(state, chunk.toolCallId, chunk.toolName, chunk.dynamic === true);
  update(state, part, { ...said(chunk), state: "input-available", input: { value: chunk.input } });
}

export function failToolInput(state: FoldState, chunk: InputError): undefined {
  const begun = inCurrentStep(state, chunk.toolCallId)[0];
  const dynamic = begun === undefined ? chunk.dynamic === true : begun.type === "dynamic-tool";
  const { part } = partOfStep(state, chunk.toolCallId, chunk.toolName, dynamic);
  const { title: _kept, ...rest } = said(chunk);
  update(state, part, {
    ...rest,
    state: "output-error",
    input: { value: chunk.input },
    errorText: chunk.errorText,
  });
}

export function requestApproval(state: FoldState, chunk: ChunkOf<"tool-approval-request">): FoldIssue | undefined {
  const part = findTool(state, chunk.toolCallId);
  if (part === undefined) return noToolCall(chunk);
  part.state = "approval-requested";
  part.approval = {
    id: chunk.approvalId,
    ...(chunk.approvalDescriptor == null ? {} : { descriptor: chunk.approvalDescriptor }),
    ...(chunk.inputSchemaInput === undefined ? {} : { inputSchemaInput: chunk.inputSchemaInput }),
    ...(chunk.reason === undefined ? {} : { requestReason: chunk.reason }),
    ...(chunk.isAutomatic === true ? { isAutomatic: true } : {}),
    ...(chunk.signature === undefined ? {} : { signature: chunk.signature }),
  };
  return undefined;
}

export function answerApproval(state: FoldState, chunk: ChunkOf<"tool-approval-response">): FoldIssue | undefined {
  const part = state.tools.find((tool) => tool.part.approval?.id === chunk.approvalId)?.part;
  if (part === undefined) return issue("no-approval", chunk.type, `no approval ${chunk.approvalId}`);
  part.state = "approval-responded";
  part.approval = { ...part.approval, id: chunk.approvalId, approved: chunk.approved };
  if (chunk.reason !== undefined) part.approval.reason = chunk.reason;
  if (chunk.providerExecuted !== undefined) part.providerExecuted = chunk.providerExecuted;
  if (chunk.providerMetadata !== undefined) part.callProviderMetadata = chunk.providerMetadata;
  return undefined;
}

export function denyOutput(state: FoldState, chunk: ChunkOf<"tool-output-denied">): FoldIssue | undefined {
  const part = findTool(state, chunk.toolCallId);
  if (part === undefined) return noToolCall(chunk);
  part.state = "output-denied";
  return undefined;
}

export function setToolOutput(state: FoldState, chunk: Output): FoldIssue | undefined {
  const part = findTool(state, chunk.toolCallId);
  if (part === undefined) return noToolCall(chunk);
  const preliminary = chunk.preliminary === undefined ? {} : { preliminary: chunk.preliminary };
  update(state, part, { ...said(chunk), ...preliminary, state: "output-available", output: chunk.output });
  return undefined;
}

export function failToolOutput(state: FoldState, chunk: OutputError): FoldIssue | undefined {
  const part = findTool(state, chunk.toolCallId);
  if (part === undefined) return noToolCall(chunk);
  // A failed static call still shows the text its input had got to.
  const rawInput = part.type === "dynamic-tool" ? undefined : part.rawInput;
  update(state, part, { ...said(chunk), state: "output-error", rawInput, errorText: chunk.errorText });
  return undefined;
}

/** The part a chunk that only names a call is about. */
export function findTool(state: FoldState, toolCallId: string): ToolDraft | undefined {
  return inCurrentStep(state, toolCallId)[0] ?? state.toolsByCall.get(toolCallId)?.at(-1)?.part;
}

export function toolNameOf(part: ToolDraft): string {
  return part.toolName ?? part.type.slice("tool-".length);
}

function inCurrentStep(state: FoldState, toolCallId: string): ToolDraft[] {
  const parts = state.toolsByCall.get(toolCallId) ?? [];
  return parts.filter(({ at }) => at >= state.stepFrom).map(({ part }) => part);
}

/** The part that an input chunk is about, which begins one if the step has none of that kind. */
function partOfStep(
  state: FoldState,
  toolCallId: string,
  toolName: string,
  dynamic: boolean,
): { readonly part: ToolDraft; readonly isNew: boolean } {
  const found = inCurrentStep(state, toolCallId).find((part) => (part.type === "dynamic-tool") === dynamic);
  const part: ToolDraft = found ?? { type: "dynamic-tool", toolCallId, state: "input-streaming" };
  if (dynamic) part.toolName = toolName;
  else part.type = `tool-${toolName}`;
  if (found === undefined) indexTool(state, part);
  return { part, isNew: found === undefined };
}

function indexTool(state: FoldState, part: ToolDraft): void {
  // A draft is a tool part whose fields do not depend on its state; `UIMessagePart` has one variant per state.
  const { at } = addPart(state, part as UIMessagePart);
  const entry: Indexed<ToolDraft> = { part, at };
  state.tools.push(entry);
  const ofCall = state.toolsByCall.get(part.toolCallId);
  if (ofCall === undefined) state.toolsByCall.set(part.toolCallId, [entry]);
  else ofCall.push(entry);
}

/** What all chunks about a call may say besides their main point. */
function said(chunk: InputStart | WholeInput | InputError | Output | OutputError) {
  return {
    title: "title" in chunk ? chunk.title : undefined,
    toolMetadata: chunk.toolMetadata,
    providerExecuted: chunk.providerExecuted,
    providerMetadata: chunk.providerMetadata,
  };
}

function update(state: FoldState, part: ToolDraft, change: Update): void {
  part.state = change.state;
  if (change.input !== undefined) setInput(state, part, change.input);
  setOrDelete(part, "output", change.output);
  setOrDelete(part, "errorText", change.errorText);
  setOrDelete(part, "rawInput", change.rawInput);
  setOrDelete(part, "inputEncoding", change.inputEncoding);
  setOrDelete(part, "preliminary", change.preliminary);
  if (change.title !== undefined) part.title = change.title;
  if (change.toolMetadata !== undefined) part.toolMetadata = change.toolMetadata;
  if (change.providerExecuted !== undefined) part.providerExecuted = change.providerExecuted;
  if (change.providerMetadata === undefined) return;
  const isResult = change.state === "output-available" || change.state === "output-error";
  part[isResult ? "resultProviderMetadata" : "callProviderMetadata"] = change.providerMetadata;
}

function setInput(state: FoldState, part: ToolDraft, input: NonNullable<Update["input"]>): void {
  state.unparsed.delete(part);
  if ("partial" in input) state.unparsed.set(part, input.partial);
  else setOrDelete(part, "input", input.value);
}

function noToolCall(chunk: { readonly type: string; readonly toolCallId: string }): FoldIssue {
  return issue("no-tool-call", chunk.type, `no tool call ${chunk.toolCallId}`);
}
