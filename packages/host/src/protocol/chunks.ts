/**
 * The stream vocabulary of the AI SDK 7, declared here so that the host depends on no npm package for it.
 *
 * Invariants: every type is mutually assignable with its namesake in `ai` and has the same keys (`chunks.test.ts`
 * proves both), `chunkTypes` names every chunk type except the open `data-…` family, and nothing is imported.
 * Metadata, data, tool inputs and tool outputs are `unknown`: the host carries them and never reads them.
 */

export type JSONValue = null | string | number | boolean | Readonly<JSONObject> | readonly JSONValue[];
export type JSONObject = { [key: string]: JSONValue | undefined };

/** Provider name to whatever that provider wants carried along. */
export type ProviderMetadata = Record<string, JSONObject>;
/** Provider name to the provider's own file id. No key may be `type`, which would look like tagged file data. */
export type ProviderReference = Record<string, string> & { type?: never };

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "interrupted" | "other";
/** How the deltas of a tool input add up: to JSON text (the default), or to the plain string itself. */
export type InputEncoding = "json" | "text";

type MaybeProviderMetadata = { providerMetadata?: ProviderMetadata };

// ---------------------------------------------------------------------------------------------- message parts

type CitedSource = MaybeProviderMetadata & { type: "source"; id: string } & (
    | { sourceType: "url"; url: string; title?: string }
    | { sourceType: "document"; mediaType: string; title: string; filename?: string }
  );
export type Citation = { source: CitedSource; startIndex?: number; endIndex?: number; citedText?: string };

type Streamed = { text: string; state?: "streaming" | "done" };
export type TextUIPart = MaybeProviderMetadata & Streamed & { type: "text"; citations?: Citation[] };
export type ReasoningUIPart = MaybeProviderMetadata & Streamed & { type: "reasoning"; id?: string };

export type CustomContentUIPart = MaybeProviderMetadata & { type: "custom"; kind: `${string}.${string}` };
export type SourceUrlUIPart = MaybeProviderMetadata & {
  type: "source-url";
  sourceId: string;
  url: string;
  title?: string;
};
export type SourceDocumentUIPart = MaybeProviderMetadata & {
  type: "source-document";
  sourceId: string;
  mediaType: string;
  title: string;
  filename?: string;
};
export type FileUIPart = MaybeProviderMetadata & {
  type: "file";
  mediaType: string;
  url: string;
  filename?: string;
  providerReference?: ProviderReference;
};
export type ReasoningFileUIPart = MaybeProviderMetadata & { type: "reasoning-file"; mediaType: string; url: string };
/** What a person said while the assistant was answering, placed before the step that received it. */
export type SteeringMessageUIPart = { type: "steering-message"; id: string; parts: (TextUIPart | FileUIPart)[] };
export type StepStartUIPart = { type: "step-start" };
export type DataUIPart = { type: `data-${string}`; id?: string; data: unknown };

type ApprovalBase = {
  id: string;
  descriptor?: unknown;
  requestReason?: string;
  isAutomatic?: boolean;
  signature?: string;
  inputSchemaInput?: unknown;
};
type AskedApproval = ApprovalBase & { approved?: never; reason?: never };
type AnsweredApproval<Approved extends boolean> = ApprovalBase & { approved: Approved; reason?: string };

type Unfinished = { output?: never; errorText?: never; callProviderMetadata?: ProviderMetadata };
type Finished = {
  callProviderMetadata?: ProviderMetadata;
  resultProviderMetadata?: ProviderMetadata;
  approval?: AnsweredApproval<true>;
};
/** The states of a tool call. `ErrorExtra` is what only one of the two kinds of tool part has when it failed. */
type ToolCallStates<ErrorExtra> =
  | (Unfinished & {
      state: "input-streaming";
      input?: unknown;
      rawInput?: string;
      inputEncoding?: InputEncoding;
      approval?: never;
    })
  | (Unfinished & { state: "input-available"; input: unknown; approval?: never })
  | (Unfinished & { state: "approval-requested"; input: unknown; approval: AskedApproval })
  | (Unfinished & { state: "approval-responded"; input: unknown; approval: AnsweredApproval<boolean> })
  | (Finished & {
      state: "output-available";
      input: unknown;
      output: unknown;
      errorText?: never;
      preliminary?: boolean;
    })
  | (Finished & ErrorExtra & { state: "output-error"; input: unknown; output?: never; errorText: string })
  | (Unfinished & { state: "output-denied"; input: unknown; approval: AnsweredApproval<false> });
type ToolCallBase = { toolCallId: string; title?: string; toolMetadata?: JSONObject; providerExecuted?: boolean };

export type ToolUIPart = { type: `tool-${string}` } & ToolCallBase & ToolCallStates<{ rawInput?: unknown }>;
/** `dynamic: false` marks a part that began as a static tool whose schema is no longer known. */
export type DynamicToolUIPart = { type: "dynamic-tool"; dynamic?: false; toolName: string } & ToolCallBase &
  ToolCallStates<object>;
export type ToolState = (ToolUIPart | DynamicToolUIPart)["state"];

export type UIMessagePart =
  | TextUIPart
  | ReasoningUIPart
  | CustomContentUIPart
  | ToolUIPart
  | DynamicToolUIPart
  | SourceUrlUIPart
  | SourceDocumentUIPart
  | FileUIPart
  | ReasoningFileUIPart
  | DataUIPart
  | SteeringMessageUIPart
  | StepStartUIPart;

export type UIMessage = {
  id: string;
  role: "system" | "user" | "assistant";
  metadata?: unknown;
  parts: UIMessagePart[];
};

// ----------------------------------------------------------------------------------------------------- chunks

type StreamedChunk<Kind extends "text" | "reasoning"> = MaybeProviderMetadata & { id: string } & (
    | { type: `${Kind}-start` }
    | { type: `${Kind}-delta`; delta: string }
  );
type ToolCallExtra = MaybeProviderMetadata & {
  providerExecuted?: boolean;
  toolMetadata?: JSONObject;
  dynamic?: boolean;
};
type ToolInputExtra = ToolCallExtra & { toolCallId: string; toolName: string; title?: string };
type ToolInputChunk =
  | (ToolInputExtra & { type: "tool-input-start"; inputEncoding?: InputEncoding })
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | (ToolInputExtra & { type: "tool-input-available"; input: unknown })
  | (ToolInputExtra & { type: "tool-input-error"; input: unknown; errorText: string });
type ToolOutputChunk =
  | (ToolCallExtra & { type: "tool-output-available"; toolCallId: string; output: unknown; preliminary?: boolean })
  | (ToolCallExtra & { type: "tool-output-error"; toolCallId: string; errorText: string })
  | { type: "tool-output-denied"; toolCallId: string };
type ToolApprovalChunk =
  | {
      type: "tool-approval-request";
      approvalId: string;
      toolCallId: string;
      approvalDescriptor?: unknown;
      inputSchemaInput?: unknown;
      reason?: string;
      isAutomatic?: boolean;
      signature?: string;
    }
  | (MaybeProviderMetadata & {
      type: "tool-approval-response";
      approvalId: string;
      approved: boolean;
      reason?: string;
      providerExecuted?: boolean;
    });
type WholePartChunk =
  | CustomContentUIPart
  | SourceUrlUIPart
  | SourceDocumentUIPart
  | (MaybeProviderMetadata & { type: "file"; url: string; mediaType: string })
  | ReasoningFileUIPart
  | SteeringMessageUIPart;
type MessageChunk =
  | { type: "start"; messageId?: string; messageMetadata?: unknown }
  | { type: "start-step" }
  | { type: "finish-step" }
  /** Takes back every part of the current step. */
  | { type: "reset-step" }
  | { type: "message-metadata"; messageMetadata: unknown }
  | { type: "finish"; finishReason?: FinishReason; messageMetadata?: unknown }
  | { type: "abort"; reason?: string }
  | { type: "error"; errorText: string };
/** `transient` data is shown when it passes and is never part of the message. */
export type DataUIMessageChunk = DataUIPart & { transient?: boolean };

export type UIMessageChunk =
  | StreamedChunk<"text">
  | (MaybeProviderMetadata & { type: "text-end"; id: string; citations?: Citation[] })
  | StreamedChunk<"reasoning">
  | (MaybeProviderMetadata & { type: "reasoning-end"; id: string })
  | ToolInputChunk
  | ToolOutputChunk
  | ToolApprovalChunk
  | WholePartChunk
  | DataUIMessageChunk
  | MessageChunk;

/** Every chunk type with a fixed name. The thirtieth is the family `data-…`, see `isDataChunkType`. */
export const chunkTypes = [
  "text-start",
  "text-delta",
  "text-end",
  "reasoning-start",
  "reasoning-delta",
  "reasoning-end",
  "reasoning-file",
  "tool-input-start",
  "tool-input-delta",
  "tool-input-available",
  "tool-input-error",
  "tool-approval-request",
  "tool-approval-response",
  "tool-output-available",
  "tool-output-error",
  "tool-output-denied",
  "custom",
  "source-url",
  "source-document",
  "file",
  "steering-message",
  "start",
  "start-step",
  "finish-step",
  "reset-step",
  "message-metadata",
  "finish",
  "abort",
  "error",
] as const;
export type FixedChunkType = (typeof chunkTypes)[number];

const fixedTypes: ReadonlySet<string> = new Set(chunkTypes);

export function isDataChunkType(type: string): type is `data-${string}` {
  return type.startsWith("data-");
}

export function isChunkType(type: string): type is UIMessageChunk["type"] {
  return fixedTypes.has(type) || isDataChunkType(type);
}
