/**
 * How a stored file is sent. Whoever stored it chose its bytes and its type, so it is content of a stranger on our own
 * origin: a browser shows pictures, saves the rest, and runs none of it.
 */
import type { FileRow } from "../../protocol/rows.ts";

/** Types that are shown in a page. No text, no drawing that may carry a script. */
const shown = /^(image\/(png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

export function fileHeaders({ mediaType, name, id }: FileRow): Readonly<Record<string, string>> {
  const how = shown.test(mediaType) ? "inline" : "attachment";
  return {
    "content-type": mediaType,
    "content-disposition": `${how}; filename*=UTF-8''${encoded(name ?? id)}`,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  };
}
/** RFC 8187. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
