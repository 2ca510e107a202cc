/** What a person or an extension says, as parts of an input and back as messages. */
import type { Part } from "../../index.ts";
import type { CustomMessageDraft } from "../extensions/types.ts";
import type { AgentMessage, CustomMessage, ImageContent, TextContent, UserContent } from "./agent-message.ts";

/** The metadata key under which a part says that an extension wrote it. */
const key = "mooring";

export const textPart = (text: string): Part => ({ type: "text", text });
const imagePart = ({ data, mimeType }: ImageContent): Part => ({
  type: "file",
  mediaType: mimeType,
  url: `data:${mimeType};base64,${data}`,
});
export function promptParts(text: string, images: readonly ImageContent[] = []): readonly Part[] {
  return [...(text === "" ? [] : [textPart(text)]), ...images.map(imagePart)];
}
export function contentParts(content: UserContent): readonly Part[] {
  if (typeof content === "string") return [textPart(content)];
  return content.map((block) => (block.type === "text" ? textPart(block.text) : imagePart(block)));
}
/** The agent reads its text as part of what it is told. */
export function customParts({ customType, content, display = true, details }: CustomMessageDraft): readonly Part[] {
  const text = typeof content === "string" ? content : textOfBlocks(content);
  // Through JSON, as everything that is stored: what is not JSON would not come back.
  const kept: unknown = details === undefined ? undefined : JSON.parse(JSON.stringify(details) ?? "null");
  const note = { customType, display, ...(kept === undefined ? {} : { details: kept as string }) };
  return [{ type: "text", text, providerMetadata: { [key]: note } }];
}
/** What is added to an input and is a message of its own all the same. */
export function ownMessage([first, ...rest]: readonly Part[]): readonly Part[] {
  if (first === undefined || (first.type !== "text" && first.type !== "file")) return first ? [first, ...rest] : rest;
  const note = { ...first.providerMetadata?.[key], begins: true };
  return [{ ...first, providerMetadata: { ...first.providerMetadata, [key]: note } }, ...rest];
}
/** One list for each message that was put into the input. */
export function messagesIn(parts: readonly Part[]): readonly (readonly Part[])[] {
  const messages: Part[][] = [];
  for (const part of parts) {
    const last = messages.at(-1);
    if (last === undefined || beginsMessage(part)) messages.push([part]);
    else last.push(part);
  }
  return messages;
}
const beginsMessage = (part: Part): boolean =>
  (part.type === "text" || part.type === "file") && part.providerMetadata?.[key]?.["begins"] === true;
const textOfBlocks = (content: readonly (TextContent | ImageContent)[]): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

export const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === "text" && customOf(part) === null ? [part.text] : [])).join("\n");

function customOf(part: Part): Omit<CustomMessage, "timestamp" | "role"> | null {
  if (part.type !== "text") return null;
  const note = part.providerMetadata?.[key];
  if (typeof note?.["customType"] !== "string") return null;
  const { customType, display, details } = note;
  const more = details === undefined ? {} : { details };
  return { customType, content: part.text, display: display !== false, ...more };
}
/** Of each message of the person: that first, then what extensions added, in order. */
export function userMessages(parts: readonly Part[], timestamp: number): readonly AgentMessage[] {
  if (parts.some(beginsMessage)) return messagesIn(parts).flatMap((some) => oneMessage(some, timestamp));
  return oneMessage(parts, timestamp);
}
function oneMessage(parts: readonly Part[], timestamp: number): readonly AgentMessage[] {
  const custom = parts.flatMap((part) => customOf(part) ?? []);
  const own = parts.filter((part) => customOf(part) === null).flatMap(blockOf);
  const said = own.length === 0 && custom.length > 0 ? [] : [{ role: "user", content: plain(own), timestamp } as const];
  return [...said, ...custom.map((message) => ({ role: "custom", ...message, timestamp }) as const)];
}
const plain = (blocks: readonly (TextContent | ImageContent)[]): UserContent => {
  const [only, more] = blocks;
  return only?.type === "text" && more === undefined ? only.text : blocks;
};
function blockOf(part: Part): readonly (TextContent | ImageContent)[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type !== "file") return [];
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(part.url) ?? [];
  if (mimeType !== undefined && data !== undefined) return [{ type: "image", data, mimeType }];
  return [{ type: "text", text: `[${part.filename ?? part.mediaType}]` }];
}
