/**
 * Files on their way into rows: the bytes go to the disk and the part names them by id, so that no row and no event ever
 * carries them. What a person sends and cannot be stored is refused; what an agent says is told in a notice instead.
 */

import type { AgentEvent } from "../../protocol/agent-events.ts";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { Part } from "../../protocol/input.ts";
import type { HostLimits } from "../limits.ts";
import { cutEvent } from "./cut-output.ts";
import { bytesOfDataUrl, fileIdOf, fileUrl, isDataUrl } from "./data-url.ts";
import type { Files } from "./files.ts";

/** A browser names no type for what it does not know. */
const unknownType = "application/octet-stream";
type FilePart = Extract<Part, { type: "file" }>;

/** Rejects with `bad-input`, `file-too-large` or `file-not-stored`. Parts without a file are left as they are. */
export async function storedParts(files: Files, parts: readonly Part[]): Promise<readonly Part[]> {
  if (!parts.some((part) => part.type === "file")) return parts;
  const stored: Part[] = [];
  for (const part of parts) stored.push(part.type === "file" ? await storedPart(files, part) : part);
  return stored;
}
async function storedPart(files: Files, part: FilePart): Promise<Part> {
  const id = fileIdOf(part.url);
  if (id !== null) return namedPart(files, part, id);
  if (!isDataUrl(part.url)) return part;
  const bytes = bytesOfDataUrl(part.url);
  if (bytes === null) throw bad(`The data URL of ${part.filename ?? "a file"} is malformed.`);
  const { mediaType, filename } = part;
  const name = filename === undefined ? {} : { name: filename };
  const row = await files.put({ mediaType: mediaType === "" ? unknownType : mediaType, bytes, ...name });
  return { ...part, mediaType: row.mediaType, url: fileUrl(row.id) };
}
/** The type is the one the file was stored with, whatever the client says of it now. */
async function namedPart(files: Files, part: FilePart, id: string): Promise<Part> {
  const row = await files.find(id);
  if (row === null) throw bad(`There is no file "${id}". Store it first.`);
  const filename = part.filename ?? row.name;
  return { ...part, mediaType: row.mediaType, ...(filename === null ? {} : { filename }) };
}
const bad = (message: string): MooringError => new MooringError("bad-input", message, { detail: { field: "parts" } });

/** Null when there is nothing to store in it and nothing to cut. Never rejects. */
export const storedEvent = (files: Files, limits: HostLimits, event: AgentEvent): Promise<AgentEvent> | null =>
  withFiles(files, event) ?? cutEvent(files, limits, event);
function withFiles(files: Files, event: AgentEvent): Promise<AgentEvent> | null {
  if (event.type !== "chunk" && event.type !== "flow-chunk") return null;
  const { chunk } = event;
  if (chunk.type !== "file" && chunk.type !== "reasoning-file") return null;
  if (typeof chunk.url !== "string" || !isDataUrl(chunk.url)) return null;
  const { mediaType, url } = chunk;
  return storedUrl(files, mediaType, url).then(
    (stored) => ({ ...event, chunk: { ...chunk, url: stored } }),
    (cause: unknown) => lost(event.connection, mediaType, messageOf(cause)),
  );
}
async function storedUrl(files: Files, mediaType: string, url: string): Promise<string> {
  const bytes = bytesOfDataUrl(url);
  if (bytes === null) throw new MooringError("bad-file", "Its data URL is malformed.");
  return fileUrl((await files.put({ mediaType, bytes })).id);
}
function lost(connection: number, mediaType: string, why: string): AgentEvent {
  const text = `A file of the agent (${String(mediaType).slice(0, 100)}) is lost. ${why}`;
  return { type: "note", connection, note: { kind: "notice", level: "warning", code: "file-lost", text } };
}
