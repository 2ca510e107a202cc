/**
 * What a tool call gave, in the form people read: pictures as pictures, a terminal's two outputs as text, everything else
 * as it is. Pure. Agents answer in several forms: a picture is known by its own shape, wherever it is.
 */
import { plain } from "./readable.ts";

export type ReadableOutput = { readonly images: readonly string[]; readonly text: string };

type Fields = Readonly<Record<string, unknown>>;
/** Raster types alone: an SVG is a document that can hold more than a picture. */
const raster = /^image\/(png|jpeg|gif|webp|avif)$/;
const dataUrl = /^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]+$/;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

export function readableOutput(output: unknown): ReadableOutput {
  if (isFields(output) && !Array.isArray(output)) {
    const [out, err] = [text(output["stdout"]), text(output["stderr"])];
    if (out !== null || err !== null) return { images: [], text: [out, err].filter(Boolean).join("\n") };
  }
  const items = itemsOf(output);
  const images = items.map(imageOf);
  const rest = items.filter((_, place) => images[place] === null);
  return { images: images.filter((image) => image !== null), text: rest.map(textOf).join("\n") };
}

/** The pieces of an answer that is a list of them, by whatever name; else the whole of it. */
function itemsOf(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output.some((item) => imageOf(item) !== null) ? output : [output];
  if (!isFields(output) || imageOf(output) !== null) return [output];
  const list = output["content"] ?? output["value"];
  return Array.isArray(list) && list.length > 0 && list.every(isPiece) ? list : [output];
}
const isPiece = (item: unknown): boolean => isFields(item) && typeof item["type"] === "string";
const textOf = (item: unknown): string =>
  isFields(item) && item["type"] === "text" ? (text(item["text"]) ?? plain(item)) : plain(item);

function imageOf(item: unknown): string | null {
  if (typeof item === "string") return dataUrl.test(item) ? item : null;
  if (!isFields(item)) return null;
  const held = isFields(item["source"]) ? item["source"] : item;
  const type = text(held["mediaType"]) ?? text(held["mimeType"]) ?? text(held["media_type"]);
  const data = text(held["data"]);
  if (type === null || data === null || !raster.test(type)) return null;
  const url = data.startsWith("data:") ? data : `data:${type};base64,${data}`;
  return dataUrl.test(url) ? url : null;
}
