/**
 * Files on their way to an agent: a part that names a stored file becomes one with its bytes if the agent takes such,
 * else words that say what it is, and where it lies if the agent can read it there. Invariants: nothing here rejects,
 * so no file ever fails a turn; at most `maxBytes` are given at once; an image is given only as what its bytes are.
 */
import { join } from "node:path";
import type { HistoryEntry } from "../../ports/driver.ts";
import type { UIMessage } from "../../protocol/chunks.ts";
import type { Part } from "../../protocol/input.ts";
import type { FileRow, SessionRow } from "../../protocol/rows.ts";
import { attachmentsOf, homeOf } from "../connections/agent-home.ts";
import { driverOf } from "../connections/session-config.ts";
import type { HostContext } from "../host-context.ts";
import { dataUrl, fileIdOf } from "./data-url.ts";
import type { Files } from "./files.ts";
import { imageTypeOf } from "./image-type.ts";

export type Takes = {
  readonly images: boolean;
  /** Other media types it takes with their bytes; `text/*` is all of one kind. */
  readonly types: readonly string[];
  /** A directory it reads, for files it does not take; null: it reads none. */
  readonly directory: string | null;
  /** Bytes of one image. */
  readonly imageBytes: number;
  /** Bytes of all files of one turn, or of one history. */
  readonly maxBytes: number;
};
type FilePart = Extract<Part, { type: "file" | "reasoning-file" }>;

export function takesOf(context: HostContext, { driver, agentId }: SessionRow, images: boolean): Takes {
  const { fileTypes, filePaths } = driverOf(context, driver).capabilities;
  const { imageBytes, givenBytes } = context.limits;
  const home = homeOf(context.dataDir, agentId);
  const directory = filePaths === true ? attachmentsOf(home) : null;
  return { images, types: fileTypes ?? [], directory, imageBytes, maxBytes: givenBytes };
}

/** Null when they name no stored file. */
export const givenParts = (files: Files, takes: Takes, parts: readonly Part[]): Promise<readonly Part[]> | null =>
  parts.some(namesFile) ? new Giving(files, takes).parts(parts) : null;
/** The files of the newest messages are given first. */
export async function givenHistory(
  files: Files,
  takes: Takes,
  history: readonly HistoryEntry[],
): Promise<readonly HistoryEntry[]> {
  const giving = new Giving(files, takes);
  const given: HistoryEntry[] = [];
  for (const entry of history.toReversed())
    given.push(entry.kind === "message" ? { ...entry, message: await givenMessage(giving, entry.message) } : entry);
  return given.reverse();
}
async function givenMessage(giving: Giving, message: UIMessage): Promise<UIMessage> {
  if (!message.parts.some(namesFile)) return message;
  return { ...message, parts: [...(await giving.parts(message.parts))] };
}
const isFile = (part: Part): part is FilePart => part.type === "file" || part.type === "reasoning-file";
const namesFile = (part: Part): boolean => isFile(part) && fileIdOf(part.url) !== null;

class Giving {
  readonly #files: Files;
  readonly #takes: Takes;
  #left: number;

  constructor(files: Files, takes: Takes) {
    this.#files = files;
    this.#takes = takes;
    this.#left = takes.maxBytes;
  }

  /** One after the other: each may use up what is left. */
  async parts(parts: readonly Part[]): Promise<readonly Part[]> {
    const given: Part[] = [];
    for (const part of parts) given.push(isFile(part) ? await this.#part(part) : part);
    return given;
  }
  async #part(part: FilePart): Promise<Part> {
    const id = fileIdOf(part.url);
    if (id === null) return part;
    const row = await this.#files.find(id).catch(() => null);
    if (row === null) return told(part, null, "is not known to this host");
    const refusal = this.#refusal(part, row);
    if (refusal !== null) return this.#inWords(part, row, refusal);
    const bytes = await this.#files.bytes(row);
    if (bytes === null) return told(part, row, "is no longer on this host's disk");
    const mediaType = row.mediaType.startsWith("image/") ? imageTypeOf(bytes) : row.mediaType;
    if (mediaType === null) return this.#inWords(part, row, "is no image that agents can see");
    this.#left -= bytes.length;
    return { ...part, mediaType, url: dataUrl(mediaType, bytes) };
  }
  /** Why it is not given with its bytes; null: it is. */
  #refusal(part: FilePart, { mediaType, size }: FileRow): string | null {
    const { images, imageBytes, types } = this.#takes;
    if (size > this.#left) return "is too much beside the other files";
    if (part.type === "reasoning-file") return null; // the agent's own: it goes back as it came
    if (!mediaType.startsWith("image/"))
      return types.some((type) => matches(type, mediaType)) ? null : "is of a type this agent does not take";
    if (!images) return "cannot be shown: this agent sees no images";
    return size > imageBytes ? `cannot be shown: images have at most ${imageBytes} bytes` : null;
  }
  async #inWords(part: FilePart, row: FileRow, refusal: string): Promise<Part> {
    const { directory } = this.#takes;
    if (directory === null || part.type === "reasoning-file") return told(part, row, refusal);
    const path = join(directory, row.id, safeName(part.filename ?? row.name));
    const copied = await this.#files.copy(row, path);
    return told(part, row, copied ? `at ${path}` : "is no longer on this host's disk");
  }
}
function matches(wanted: string, mediaType: string): boolean {
  const [type = ""] = mediaType.split(";", 1);
  return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
function safeName(name: string | null): string {
  const safe = (name ?? "")
    .replace(/[^\p{L}\p{N}._ -]/gu, "_")
    .replace(/^\.+/, "_")
    .slice(-100);
  return safe === "" ? "file" : safe;
}
function told(part: FilePart, row: FileRow | null, what: string): Part {
  const name = ("filename" in part ? part.filename : undefined) ?? row?.name ?? "unnamed";
  const facts = row === null ? part.mediaType : `${row.mediaType}, ${row.size} bytes`;
  return { type: "text", text: `[Attached file: ${name.replace(/\p{C}/gu, " ")} (${facts}) ${what}]` };
}
