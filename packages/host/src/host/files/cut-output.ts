/**
 * What a tool gave back, or a model gave a tool, can be longer than anyone reads and than a row should be. It is cut
 * where it enters; the whole of it is kept in a file that the rest names. Invariants: what stands in a row or an event
 * has at most `outputBytes` bytes as JSON, and never half a character; nothing here rejects. What a person is asked to
 * decide is never cut.
 */
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { HostLimits } from "../limits.ts";
import { fileUrl } from "./data-url.ts";
import type { Files } from "./files.ts";

type Limits = Pick<HostLimits, "outputBytes" | "fileBytes">;
/** What of a chunk may be long, and the chunk with something else in its place. */
type LongPart = { readonly value: unknown; put(value: unknown): UIMessageChunk };

/** Null when there is nothing to cut. */
export function cutEvent(files: Files, limits: Limits, event: AgentEvent): Promise<AgentEvent> | null {
  if (event.type !== "chunk" && event.type !== "flow-chunk") return null;
  const { chunk } = event;
  const part = longPartOf(chunk);
  if (part === null || !isLong(part.value, limits.outputBytes)) return null;
  const isKept = !("preliminary" in chunk && chunk.preliminary === true); // the last one is
  const cutting = isKept ? keep(files, limits, part.value) : Promise.resolve("more comes");
  return cutting.then((where) => ({ ...event, chunk: part.put(cutValue(part.value, limits.outputBytes, where)) }));
}
function longPartOf(chunk: UIMessageChunk): LongPart | null {
  switch (chunk.type) {
    case "tool-output-available":
      return { value: chunk.output, put: (output) => ({ ...chunk, output }) };
    case "tool-output-error":
    case "error":
      return { value: chunk.errorText, put: (text) => ({ ...chunk, errorText: String(text) }) };
    case "tool-input-available":
    case "tool-input-error":
      return { value: chunk.input, put: (input) => ({ ...chunk, input }) };
    default:
      return "data" in chunk ? { value: chunk.data, put: (data) => ({ ...chunk, data }) } : null;
  }
}

// --- how long it is -----------------------------------------------------------------------------------------------

function isLong(value: unknown, maxBytes: number): boolean {
  return roughly(value) > maxBytes && bytesOf(value) > maxBytes;
}
/** At least its bytes as JSON: six for a character, without writing it out. */
function roughly(value: unknown): number {
  if (typeof value === "string") return 6 * value.length + 2;
  if (typeof value !== "object" || value === null) return 24;
  let sum = 2;
  for (const [name, inner] of Object.entries(value)) sum += 6 * name.length + 4 + roughly(inner);
  return sum;
}
const jsonOf = (value: unknown): string => JSON.stringify(value) ?? "";
const bytesOf = (value: unknown): number => Buffer.byteLength(jsonOf(value));

// --- the whole of it ----------------------------------------------------------------------------------------------

/** Says where the whole is, or why it is nowhere. */
async function keep(files: Files, { fileBytes }: Limits, value: unknown): Promise<string> {
  const isText = typeof value === "string";
  const whole = Buffer.from(isText ? value : jsonOf(value));
  const bytes = whole.length > fileBytes ? Buffer.from(headOf(whole, fileBytes)) : whole;
  try {
    const mediaType = isText ? "text/plain; charset=utf-8" : "application/json";
    const { id } = await files.put({ name: isText ? "output.txt" : "output.json", mediaType, bytes });
    const what =
      bytes === whole ? `all ${whole.length} bytes are` : `the first ${bytes.length} of ${whole.length} bytes are`;
    return `${what} in the file ${fileUrl(id)}`;
  } catch (cause) {
    return `the rest is lost: ${messageOf(cause)}`;
  }
}

// --- what is left of it -------------------------------------------------------------------------------------------

/** Bytes of JSON beside the text: quotes and the words about the cut. */
const around = 1_000;
/** Shorter texts are left whole. */
const shortest = 1_024;

/** Long texts in it are cut, shorter and shorter until it fits; what does not fit even so becomes its JSON, cut. */
function cutValue(value: unknown, maxBytes: number, where: string): unknown {
  if (typeof value !== "string")
    for (let most = Math.floor(maxBytes / 4); most >= shortest; most = Math.floor(most / 4)) {
      const cut = withTexts(value, (text) => cutText(text, most, where));
      if (bytesOf(cut) <= maxBytes) return cut;
    }
  const text = typeof value === "string" ? value : jsonOf(value);
  for (let most = maxBytes - around; ; most = Math.floor(most / 2)) {
    const cut = cutText(text, most, where);
    if (bytesOf(cut) <= maxBytes || most < shortest) return cut;
  }
}
function cutText(text: string, maxBytes: number, where: string): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes ? text : `${headOf(bytes, maxBytes)}\n[cut here: ${where}]`;
}
/** The text of the first bytes, without a character that they cut in two. */
function headOf(bytes: Buffer, most: number): string {
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => withTexts(inner, change));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner, change)]));
}
