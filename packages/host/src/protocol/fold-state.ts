/**
 * What a fold remembers: the message as far as it has been built, and where later chunks continue it.
 *
 * Invariants: values taken from chunks (inputs, outputs, data, metadata) are shared and never changed in place, so a
 * copy of the parts is a copy of the message. Every index here points at a part that is in the message. The `input`
 * of a tool part listed in `unparsed` is out of date until `settleInputs`. No part has a key that is `undefined`.
 */
import type {
  DataUIPart,
  InputEncoding,
  JSONObject,
  ProviderMetadata,
  ReasoningUIPart,
  TextUIPart,
  ToolState,
  UIMessagePart,
} from "./chunks.ts";
import { parsePartialJson } from "./fold-partial-json.ts";

/** Why a chunk was left out. Folding went on as if it had not been in the stream. */
export type FoldIssue = {
  readonly code:
    | "malformed-chunk"
    | "unknown-chunk-type"
    | "no-open-part"
    | "no-tool-call"
    | "no-approval"
    | "unmergeable-metadata";
  readonly chunkType: string;
  readonly detail: string;
};

export type Approval = {
  id: string;
  approved?: boolean;
  descriptor?: unknown;
  requestReason?: string;
  reason?: string;
  isAutomatic?: boolean;
  signature?: string;
  inputSchemaInput?: unknown;
};

/** A tool part while it changes from state to state, with the fields of all of them. */
export type ToolDraft = {
  type: string;
  toolCallId: string;
  toolName?: string;
  state: ToolState;
  title?: string;
  toolMetadata?: JSONObject;
  input?: unknown;
  inputEncoding?: InputEncoding;
  rawInput?: unknown;
  output?: unknown;
  errorText?: string;
  preliminary?: boolean;
  providerExecuted?: boolean;
  callProviderMetadata?: ProviderMetadata;
  resultProviderMetadata?: ProviderMetadata;
  approval?: Approval;
};

export type Indexed<Part> = { readonly part: Part; readonly at: number };

/** A tool input being streamed. It outlives the arrival of the whole input, as it does in the SDK. */
export type InputStream = {
  text: string;
  readonly toolName: string;
  readonly dynamic: boolean;
  readonly encoding: InputEncoding | undefined;
  readonly title: string | undefined;
  readonly toolMetadata: JSONObject | undefined;
};

export type FoldState = {
  /** The first issues of the stream. */
  readonly issues: FoldIssue[];
  readonly message: { id: string; role: "assistant"; metadata?: unknown; parts: UIMessagePart[] };
  /** Index of the first part of the current step. */
  stepFrom: number;
  readonly openTexts: Map<string, Indexed<TextUIPart>>;
  readonly openReasonings: Map<string, Indexed<ReasoningUIPart>>;
  readonly inputs: Map<string, InputStream>;
  /** All tool parts in message order, and the same by tool call: a call may have parts in several steps. */
  readonly tools: Indexed<ToolDraft>[];
  readonly toolsByCall: Map<string, Indexed<ToolDraft>[]>;
  readonly unparsed: Map<ToolDraft, string>;
  /** Data parts by type and then id. */
  readonly data: Map<string, Map<string, Indexed<DataUIPart>>>;
};

export function emptyState(id: string): FoldState {
  return {
    issues: [],
    message: { id, role: "assistant", parts: [] },
    stepFrom: 0,
    openTexts: new Map(),
    openReasonings: new Map(),
    inputs: new Map(),
    tools: [],
    toolsByCall: new Map(),
    unparsed: new Map(),
    data: new Map(),
  };
}

/** Forgets everything from part `from` on, and what was still being streamed wherever it is. */
export function truncate(state: FoldState, from: number): void {
  for (const index of [state.openTexts, state.openReasonings, state.inputs]) index.clear();
  state.message.parts.length = from;
  for (let last = state.tools.at(-1); last !== undefined && last.at >= from; last = state.tools.at(-1)) {
    state.tools.pop();
    state.unparsed.delete(last.part);
    const ofCall = state.toolsByCall.get(last.part.toolCallId);
    ofCall?.pop();
    if (ofCall?.length === 0) state.toolsByCall.delete(last.part.toolCallId);
  }
  for (const byId of state.data.values()) {
    for (const [id, { at }] of byId) if (at >= from) byId.delete(id);
  }
}

export function addPart<Part extends UIMessagePart>(state: FoldState, part: Part): Indexed<Part> {
  return { part, at: state.message.parts.push(part) - 1 };
}

/** Brings the inputs that are still being streamed up to date. Until somebody looks, nobody parses them. */
export function settleInputs(state: FoldState): void {
  for (const [part, text] of state.unparsed) setOrDelete(part, "input", parsePartialJson(text));
  state.unparsed.clear();
}

export function setOrDelete<Key extends keyof ToolDraft>(
  part: ToolDraft,
  key: Key,
  value: ToolDraft[Key] | undefined,
): void {
  if (value === undefined) Reflect.deleteProperty(part, key);
  else part[key] = value;
}

export function issue(code: FoldIssue["code"], chunkType: string, detail: string): FoldIssue {
  return { code, chunkType: chunkType.slice(0, maxQuoted), detail: detail.slice(0, maxQuoted) };
}

/** Issues quote the stream, which may say anything at any length. */
const maxQuoted = 200;
