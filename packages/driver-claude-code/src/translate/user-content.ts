/** What a person said as content blocks of the Messages API. */
import type { Part } from "@mooring/host/driver";

const dataUrl = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/s;

export function contentOf(parts: readonly Part[]): readonly unknown[] {
  const blocks = parts.flatMap(blockOf);
  return blocks.length === 0 ? [{ type: "text", text: "[a message without text]" }] : blocks;
}

function blockOf(part: Part): readonly unknown[] {
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  if (part.type !== "file") return [];
  const [, mediaType, data] = dataUrl.exec(part.url) ?? [];
  if (mediaType === undefined || data === undefined) return [{ type: "text", text: `[a file: ${part.url}]` }];
  const source = { type: "base64", media_type: mediaType, data };
  if (mediaType.startsWith("image/")) return [{ type: "image", source }];
  if (mediaType === "application/pdf") return [{ type: "document", source }];
  return [{ type: "text", text: `[a file of type ${mediaType} that cannot be shown]` }];
}
