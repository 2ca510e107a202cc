/** Data URLs, and the URLs by which parts name stored files. */
import type { FileId } from "../../protocol/ids.ts";

const fileScheme = "mooring:file/";
export const fileUrl = (id: FileId): string => `${fileScheme}${id}`;
/** Null when it names no stored file. */
export const fileIdOf = (url: string): FileId | null =>
  url.startsWith(fileScheme) ? url.slice(fileScheme.length) : null;

export const isDataUrl = (url: string): boolean => url.slice(0, 5).toLowerCase() === "data:";
export const dataUrl = (mediaType: string, bytes: Buffer): string =>
  `data:${mediaType};base64,${bytes.toString("base64")}`;

/** Null when it is malformed. */
export function bytesOfDataUrl(url: string): Buffer | null {
  const comma = url.indexOf(",");
  if (comma === -1) return null;
  const data = url.slice(comma + 1);
  return /;\s*base64$/i.test(url.slice(0, comma)) ? base64Bytes(data) : textBytes(data);
}
/** Node skips what is not base64: the length tells. */
function base64Bytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.length - padding;
  return digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4) ? bytes : null;
}
function textBytes(text: string): Buffer | null {
  try {
    return Buffer.from(decodeURIComponent(text));
  } catch {
    return null;
  }
}
