/**
 * A copy of Claude Code's transcripts in the data directory, line by line as they are written: a conversation goes on
 * when the configuration directory it was in is gone. Invariants: the copy is used only where there is no original, and
 * made anew where it lacks the original's end; one that missed a line is never used; a line is given back once; files,
 * their bytes and the conversations kept are bounded.
 */
import { appendFile, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MooringError } from "@mooring/host/driver";
import { limits } from "../limits.ts";
import type { SessionStore, TranscriptEntry, TranscriptKey } from "./sdk.ts";

const main = "main";
const ending = ".jsonl";
/** Its presence says that lines are missing. */
const incomplete = "incomplete";
const privately = { mode: 0o600 } as const;

export class TranscriptMirror {
  readonly #root: string;
  /** Writes come one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.#root = join(dataDir, "transcripts", "claude-code");
  }

  /** Whether there is a whole copy. */
  async has(session: string): Promise<boolean> {
    return (await sizeOf(this.#file({ sessionId: session }))) > 0 && (await sizeOf(this.#mark(session))) === 0;
  }

  /** `hasOriginal`: whether the agent has its own transcript of a conversation. */
  store(hasOriginal: (session: string) => Promise<boolean>): SessionStore {
    return {
      append: (key, entries) => this.#append(key, entries),
      load: async (key) => ((await hasOriginal(key.sessionId)) ? null : this.load(key)),
      listSubkeys: (key) => this.#subkeys(key),
    };
  }

  /** Null: there is no whole copy. */
  async load(key: Key): Promise<TranscriptEntry[] | null> {
    if (!(await this.has(key.sessionId))) return null;
    const text = await readFile(this.#file(key), "utf8").catch(() => "");
    return text === "" ? null : entriesOf(text);
  }
  async #subkeys({ sessionId }: Key): Promise<string[]> {
    const names = await readdir(this.#folder(sessionId)).catch((): string[] => []);
    const files = names.filter((name) => name.endsWith(ending) && name !== main + ending);
    return files.map((name) => decodeURIComponent(name.slice(0, -ending.length)));
  }

  /** `original`: the agent's own file, which may have what a crash kept from the copy. */
  catchUp(session: string, original: string): Promise<void> {
    return this.#inLine(async () => {
      const key = { sessionId: session };
      if ((await sizeOf(original)) > limits.mirrorFileBytes) {
        await mkdir(this.#folder(session), { recursive: true, mode: 0o700 });
        return this.#giveUp(session);
      }
      const end = entriesOf(await readFile(original, "utf8")).findLast(({ uuid }) => uuid !== undefined)?.uuid;
      if ((await this.load(key))?.some(({ uuid }) => uuid === end)) return;
      await this.#makeRoom(session);
      await copyFile(original, this.#file(key));
      await rm(this.#mark(session), { force: true });
    });
  }

  #append(key: Key, entries: readonly TranscriptEntry[]): Promise<void> {
    return this.#inLine(() => this.#write(key, entries));
  }
  #inLine(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {}); // whoever asked for it hears of it
    return done;
  }
  /** Lines are missing from now on. */
  async #giveUp(session: string): Promise<never> {
    await writeFile(this.#mark(session), "Lines are missing.\n", privately);
    throw new MooringError("mirror-full", "The copy of this conversation's transcript grew above its limit.");
  }
  async #write(key: Key, entries: readonly TranscriptEntry[]): Promise<void> {
    const { sessionId } = key;
    const file = this.#file(key);
    await this.#makeRoom(sessionId);
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    const isNew = (await sizeOf(file)) === 0;
    const files = isNew ? (await this.#subkeys(key)).length : 0;
    const bytes = (await sizeOf(file)) + Buffer.byteLength(lines);
    const isOver = bytes > limits.mirrorFileBytes || files >= limits.mirrorFiles;
    if (isOver || (await sizeOf(this.#mark(sessionId))) > 0) await this.#giveUp(sessionId);
    await appendFile(file, lines, privately);
  }
  /** For a conversation that is new here: those that were not written to for the longest time go. */
  async #makeRoom(session: string): Promise<void> {
    const made = await mkdir(this.#folder(session), { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    const names = (await readdir(this.#root)).filter((name) => name !== session);
    if (names.length < limits.mirroredSessions) return;
    const ages = await Promise.all(names.map(async (name) => ({ name, at: await writtenAt(this.#folder(name)) })));
    ages.sort((a, b) => a.at - b.at);
    for (const { name } of ages.slice(0, names.length - limits.mirroredSessions + 1))
      await rm(this.#folder(name), { recursive: true, force: true });
  }

  #folder(session: string): string {
    return join(this.#root, encoded(session));
  }
  #file({ sessionId, subpath = main }: Key): string {
    return join(this.#folder(sessionId), encoded(subpath) + ending);
  }
  #mark(session: string): string {
    return join(this.#folder(session), incomplete);
  }
}
type Key = Pick<TranscriptKey, "sessionId" | "subpath">;

/** One name of a file, whatever it is: no path leads out of its folder. */
const encoded = (name: string): string => encodeURIComponent(name).replaceAll(".", "%2E");
const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0;
const writtenAt = async (folder: string): Promise<number> =>
  (await stat(join(folder, main + ending)).catch(() => null))?.mtimeMs ?? 0;

/** A line that was given twice is known by its id; one that was cut by a crash is left out. */
function entriesOf(text: string): TranscriptEntry[] {
  const known = new Set<string>();
  return text.split("\n").flatMap((line) => {
    const entry = parsed(line);
    if (entry === null || (entry.uuid !== undefined && known.has(entry.uuid))) return [];
    if (entry.uuid !== undefined) known.add(entry.uuid);
    return [entry];
  });
}
function parsed(line: string): TranscriptEntry | null {
  if (!line.endsWith("}")) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
