/** What a person said, as the model gets it: text and images as they are, every other file named in words. */
import type { Part } from "@mooring/host/driver";
import { convertToModelMessages, type UserModelMessage } from "ai";

/** Null when nothing is left that a model can take. */
export async function userMessage(parts: readonly Part[]): Promise<UserModelMessage | null> {
  const [message] = await convertToModelMessages([{ role: "user", parts: visibleParts(parts) }]);
  return message?.role === "user" && message.content.length > 0 ? message : null;
}

/** Only what is given with its bytes: an address would be fetched by this host, or not exist for the provider. */
export const visibleParts = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part): Part[] => {
    if (part.type === "reasoning-file") return hasBytes(part.url) ? [part] : [];
    if (part.type !== "file" || (part.mediaType.startsWith("image/") && hasBytes(part.url))) return [part];
    return [{ type: "text", text: namedFile(part) }];
  });

const hasBytes = (url: string): boolean => url.startsWith("data:") && URL.canParse(url);

function namedFile({ filename, mediaType, url }: Part & { type: "file" }): string {
  const place = url.startsWith("data:") ? "" : ` at ${url}`;
  return `[Attached file: ${filename ?? "unnamed"} (${mediaType})${place}]`;
}
