/** What a person wrote and attached, as the parts of an input. */
import type { AppendMessage } from "@assistant-ui/react";
import type { Part } from "@mooring/host/protocol";

type Given = AppendMessage["content"][number];

function partOf(content: Given): Part[] {
  if (content.type === "text") return content.text === "" ? [] : [{ type: "text", text: content.text }];
  if (content.type !== "file") return [];
  const { mimeType: mediaType, data: url, filename } = content;
  return [{ type: "file", mediaType, url, ...(filename === undefined ? {} : { filename }) }];
}
export const partsOf = ({ content, attachments = [] }: AppendMessage): Part[] =>
  [...content, ...attachments.flatMap((attachment) => attachment.content)].flatMap((one) => partOf(one as Given));
