/**
 * A closed message as chunks: what a client is told that asks for a message the journal need not be read for. Pure.
 * Invariant: folded, they are the message, but for what a client of version 6 does not know.
 */
import type { DynamicToolUIPart, ToolUIPart, UIMessage, UIMessageChunk, UIMessagePart } from "../../protocol/chunks.ts";
import { type FileUrl, shownUrl } from "./chat-files.ts";

type Chunks = readonly UIMessageChunk[];
type ToolPart = ToolUIPart | DynamicToolUIPart;

export const chunksOf = ({ parts }: Pick<UIMessage, "parts">, fileUrl: FileUrl): Chunks =>
  parts.flatMap((part, at) => partChunks(part, `stored-${at}`, fileUrl));

/** What a client lacks that has the first parts of the message, and calls of it that were not over. */
export const chunksBehind = ({ parts }: Pick<UIMessage, "parts">, has: number, fileUrl: FileUrl): Chunks =>
  parts.flatMap((part, at) => {
    if (at >= has) return partChunks(part, `stored-${at}`, fileUrl);
    return isTool(part) ? outcomeChunks(part) : [];
  });

const isTool = (part: UIMessagePart): part is ToolPart => part.type === "dynamic-tool" || part.type.startsWith("tool-");

function partChunks(part: UIMessagePart, id: string, fileUrl: FileUrl): Chunks {
  if (isTool(part)) return [...inputChunks(part), ...outcomeChunks(part)];
  switch (part.type) {
    case "text":
    case "reasoning":
      return textChunks(part, id);
    case "step-start":
      return [{ type: "start-step" }];
    case "file": {
      const { mediaType, url, providerMetadata } = part;
      return [{ type: "file", mediaType, url: shownUrl(url, fileUrl), ...metadataOf(providerMetadata) }];
    }
    case "source-url":
    case "source-document":
      return [part];
    default:
      return part.type.startsWith("data-") ? [part as Extract<UIMessageChunk, { type: `data-${string}` }>] : [];
  }
}
const metadataOf = <T>(providerMetadata: T | undefined) => (providerMetadata === undefined ? {} : { providerMetadata });

function textChunks(part: Extract<UIMessagePart, { type: "text" | "reasoning" }>, fallback: string): Chunks {
  const { type, text, providerMetadata } = part;
  const id = part.type === "reasoning" ? (part.id ?? fallback) : fallback;
  const metadata = metadataOf(providerMetadata);
  const citations = part.type === "text" && part.citations !== undefined ? { citations: part.citations } : {};
  return [
    { type: `${type}-start`, id, ...metadata },
    ...(text === "" ? [] : [{ type: `${type}-delta` as const, id, delta: text }]),
    { type: `${type}-end`, id, ...citations } as UIMessageChunk,
  ];
}

// --- tool calls ---------------------------------------------------------------------------------------------------

function inputChunks(part: ToolPart): Chunks {
  const { toolCallId, title, toolMetadata, providerExecuted, callProviderMetadata } = part;
  const call = {
    toolCallId,
    ...(part.type === "dynamic-tool" ? { toolName: part.toolName, dynamic: true } : { toolName: part.type.slice(5) }),
    ...(title === undefined ? {} : { title }),
    ...(toolMetadata === undefined ? {} : { toolMetadata }),
    ...(providerExecuted === undefined ? {} : { providerExecuted }),
    ...metadataOf(callProviderMetadata),
  };
  const input: UIMessageChunk = { type: "tool-input-available", ...call, input: part.input };
  const { approval } = part;
  if (approval === undefined) return [input];
  return [input, { type: "tool-approval-request", approvalId: approval.id, toolCallId }];
}
function outcomeChunks(part: ToolPart): Chunks {
  const { toolCallId } = part;
  switch (part.state) {
    case "output-available": {
      const { output, preliminary, resultProviderMetadata } = part;
      const early = preliminary === undefined ? {} : { preliminary };
      return [{ type: "tool-output-available", toolCallId, output, ...early, ...metadataOf(resultProviderMetadata) }];
    }
    case "output-error": {
      const { errorText, resultProviderMetadata } = part;
      return [{ type: "tool-output-error", toolCallId, errorText, ...metadataOf(resultProviderMetadata) }];
    }
    case "output-denied":
      return [{ type: "tool-output-denied", toolCallId }];
    default:
      return [];
  }
}
