/**
 * Files people and agents gave, by id. Invariants: the bytes are on the disk before a row names them; they lie under
 * their hash, once, whole or not at all, and never change; a row never changes either. A file that was asked for since
 * it was looked for is not removed; from then on it is not found.
 */
import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Store } from "../../ports/store.ts";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { FileId } from "../../protocol/ids.ts";
import type { FileRow } from "../../protocol/rows.ts";
import type { NewFile } from "../api.ts";

type FilePorts = {
  readonly store: Pick<Store, "change" | "query">;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly dataDir: string;
  /** Bytes of one file. */
  readonly maxBytes: number;
};
/** Characters of a name; the rest is cut off. */
const maxName = 255;
const mediaTypeForm = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(;.{0,255})?$/;

export class Files {
  readonly #ports: FilePorts;
  /** What was asked for while a search for unnamed files is on; null: none is. */
  #asked: Set<FileId> | null = null;
  readonly #going = new Set<FileId>();
  /** The last work on the bytes of a hash, while there is any. */
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor(ports: FilePorts) {
    this.#ports = ports;
  }

  /** Durable when it resolves. Rejects with `bad-file`, `file-too-large` or `file-not-stored`. */
  async put({ name, mediaType, bytes }: NewFile): Promise<FileRow> {
    const { store, ids, clock, maxBytes } = this.#ports;
    if (!mediaTypeForm.test(mediaType))
      throw new MooringError("bad-file", `"${mediaType.slice(0, 100)}" is no media type. Give one like image/png.`);
    if (bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const row: FileRow = {
      id: ids.make("fil"),
      hash,
      name: name?.slice(0, maxName) ?? null,
      mediaType: mediaType.toLowerCase(),
      size: bytes.length,
      createdAt: clock.now(),
    };
    await this.#alone(hash, async () => {
      await this.#keep(hash, bytes);
      await store.change([{ write: "file", row }]);
    });
    return row;
  }
  async find(id: FileId): Promise<FileRow | null> {
    this.#asked?.add(id);
    return this.#going.has(id) ? null : this.#ports.store.query.file(id);
  }
  /** What `work` removes and nobody asked for since it began is gone. One at a time. */
  async collecting<T>(work: (remove: (row: FileRow) => Promise<boolean>) => Promise<T>): Promise<T> {
    const asked = new Set<FileId>();
    this.#asked = asked;
    try {
      return await work((row) => this.#alone(row.hash, () => this.#remove(row, asked)));
    } finally {
      this.#asked = null;
      this.#going.clear();
    }
  }
  get directory(): string {
    return join(this.#ports.dataDir, "files");
  }
  /** Where its bytes lie. Read only. */
  pathOf({ hash }: Pick<FileRow, "hash">): string {
    return join(this.directory, hash.slice(0, 2), hash);
  }
  /** Null when they are not there any more, or not whole. */
  async bytes(row: FileRow): Promise<Buffer | null> {
    const bytes = await readFile(this.pathOf(row)).catch(() => null);
    return bytes?.length === row.size ? bytes : null;
  }
  /** A copy for an agent: what it does to it stays its own. False when there is nothing to copy, or no room. */
  async copy(row: FileRow, path: string): Promise<boolean> {
    if ((await sizeOf(path)) === row.size) return true;
    const bytes = await this.bytes(row);
    if (bytes === null) return false;
    return writeWhole(path, this.#fresh(path), bytes).then(
      () => true,
      () => false,
    );
  }

  /** The bytes go first: a row without them that nobody names harms nobody, and the next search removes it. */
  async #remove(row: FileRow, asked: ReadonlySet<FileId>): Promise<boolean> {
    if (asked.has(row.id)) return false;
    this.#going.add(row.id);
    const { store } = this.#ports;
    if ((await store.query.sameBytes(row)) === null) await rm(this.pathOf(row), { force: true });
    await store.change([{ write: "file-remove", id: row.id }]);
    return true;
  }
  /** Work on the bytes of one hash, one after the other. */
  async #alone<T>(hash: string, work: () => Promise<T>): Promise<T> {
    const before = this.#busy.get(hash) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#busy.set(hash, done);
    try {
      return await done;
    } finally {
      if (this.#busy.get(hash) === done) this.#busy.delete(hash);
    }
  }
  #fresh(path: string): string {
    return `${path}.${this.#ports.ids.uuid()}`;
  }
  async #keep(hash: string, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf({ hash });
    if ((await sizeOf(path)) === bytes.length) return;
    try {
      await writeWhole(path, this.#fresh(path), bytes);
    } catch (cause) {
      throw new MooringError("file-not-stored", `The file could not be written: ${messageOf(cause)}`, {
        retry: "later",
        cause,
      });
    }
  }
}
/** Flushed under another name, then renamed; directories are flushed too, so that the name outlives a power cut. */
async function writeWhole(path: string, fresh: string, bytes: Uint8Array): Promise<void> {
  const shard = dirname(path);
  const made = await mkdir(shard, { recursive: true, mode: 0o700 });
  try {
    const file = await open(fresh, "w", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (cause) {
    await rm(fresh, { force: true });
    throw cause;
  }
  await syncDirectory(shard);
  for (const parent of made === undefined ? [] : [dirname(shard), dirname(made)]) await syncDirectory(parent);
}
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );
const tooLarge = (bytes: number, maxBytes: number): MooringError =>
  new MooringError("file-too-large", `The file has ${bytes} bytes; at most ${maxBytes} are taken.`, {
    detail: { bytes, maxBytes },
  });
export const noSuchFile = (id: FileId): MooringError =>
  new MooringError("no-such-file", `There is no file "${id}".`, { detail: { file: id } });
