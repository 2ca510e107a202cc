/**
 * Session files in a directory of the program's own: found by what their first lines say, nothing else is read. They are
 * copies: a session that was opened from one is the store's, and its file stays as it is until it is exported again.
 */
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MooringError, messageOf } from "../../index.ts";
import { runtimeLimits } from "../limits.ts";
import { isMissing } from "../services/read-json.ts";
import { header as headerSchema, type SessionFileHeader } from "./session-file.schema.ts";

export type SessionFileInfo = {
  /** What `AgentSessionRuntime.switchSession` opens. */
  readonly path: string;
  readonly id: string;
  /** Undefined: the file does not say. */
  readonly cwd: string | undefined;
  readonly parentSession: string | undefined;
  /** Milliseconds since 1970: when the file was last written. */
  readonly modified: number;
};

/** Newest first. `cwd`: only sessions that work there; null: all. None where the directory is not there. */
export async function listSessionFiles(directory: string, cwd: string | null): Promise<readonly SessionFileInfo[]> {
  const found: SessionFileInfo[] = [];
  for (const name of await namesIn(directory)) {
    const info = await infoOf(join(directory, name));
    if (info !== null && (cwd === null || worksIn(info, cwd))) found.push(info);
  }
  return found.sort((a, b) => b.modified - a.modified);
}
/** The path of the one with exactly this id that works in `cwd`. */
export async function findSessionFile(directory: string, id: string, cwd: string): Promise<string | undefined> {
  const files = await listSessionFiles(directory, cwd);
  return files.find((file) => file.id === id)?.path;
}
const worksIn = (info: SessionFileInfo, cwd: string): boolean =>
  info.cwd !== undefined && resolve(info.cwd) === resolve(cwd);

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(directory)).filter((name) => name.endsWith(".jsonl"));
    if (names.length > runtimeLimits.directoryFiles)
      throw unreadable(directory, `it has ${names.length} session files, at most ${runtimeLimits.directoryFiles}`);
    return names;
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw MooringError.isInstance(cause) ? cause : unreadable(directory, messageOf(cause));
  }
}
const unreadable = (directory: string, why: string): MooringError =>
  new MooringError("bad-session-directory", `The session files in ${directory} cannot be listed: ${why}.`, {
    detail: { path: directory },
  });

/** Null: no session file, or one that went away meanwhile. */
async function infoOf(path: string): Promise<SessionFileInfo | null> {
  try {
    const header = await headerOf(path);
    if (header === null) return null;
    const { id, cwd, parentSession } = header;
    return { path, id, cwd, parentSession, modified: (await stat(path)).mtimeMs };
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, messageOf(cause));
  }
}
async function headerOf(path: string): Promise<SessionFileHeader | null> {
  const file = await open(path, "r");
  try {
    const parsed = headerSchema.safeParse(jsonOf(await firstLine(file)));
    return parsed.success ? parsed.data : null;
  } finally {
    await file.close();
  }
}
async function firstLine(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(runtimeLimits.headerBytes),
    0,
    runtimeLimits.headerBytes,
    0,
  );
  const text = buffer.toString("utf8", 0, bytesRead);
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
