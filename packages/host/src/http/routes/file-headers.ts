/**
 * How a stored file is sent. Whoever stored it chose its bytes and its type, so it is content of a stranger on our own
 * origin: a browser shows pictures, saves the rest, and runs none of it.
 */
import type { FileRow } from "../../protocol/rows.ts";

/** Types that are shown in a page. No text, no drawing that may carry a script. */
const shown = /^(image\/(png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

/** The bytes of a file never change, so their hash says all. */
const tagOf = ({ hash }: FileRow): string => `"${hash}"`;
/** RFC 9110, 13.1.2: whoever asks has these bytes already. */
export const isKnown = (row: FileRow, ifNoneMatch: string | undefined): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => ["*", tagOf(row)].includes(tag.trim().replace(/^W\//, "")));

export function fileHeaders(row: FileRow): Readonly<Record<string, string>> {
  const { mediaType, name, id } = row;
  const how = shown.test(mediaType) ? "inline" : "attachment";
  return {
    etag: tagOf(row),
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
