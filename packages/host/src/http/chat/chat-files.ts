/** Files in messages: the host's own names for them, and the addresses a chat client can read them at. */
import type { FileId } from "../../protocol/ids.ts";

const hostName = "mooring:file/";
/** As in the address of the file route, wherever the server is. */
const filePath = /(?:^|\/)v1\/files\/([^/?#]+)$/;

/** The address of a stored file. */
export type FileUrl = (id: FileId) => string;
export const defaultFileUrl: FileUrl = (id) => `/v1/files/${id}`;

/** As a chat client gets it. */
export const shownUrl = (url: string, fileUrl: FileUrl): string =>
  url.startsWith(hostName) ? fileUrl(url.slice(hostName.length)) : url;

/** A part as a client sent it, unchecked; a stored file named as the host does. */
export function namedPart(part: unknown): unknown {
  if (typeof part !== "object" || part === null || !("url" in part) || typeof part.url !== "string") return part;
  const [, id] = filePath.exec(part.url) ?? [];
  return id === undefined ? part : { ...part, url: `${hostName}${id}` };
}
