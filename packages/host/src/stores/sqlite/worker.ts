/**
 * The store's thread: owns the one connection that writes. Flushes and reads run on it one after the other and never
 * overlap; a backup copies pages beside them.
 */
import { renameSync, rmSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../protocol/errors.ts";
import type { StoreLimits } from "../limits.ts";
import { asRefused } from "./failure.ts";
import { Flusher } from "./flush.ts";
import type { Reply, Request } from "./jobs.ts";
import { refusalOf } from "./open-session.ts";
import { runRead } from "./reads.ts";
import { Sql } from "./sql.ts";

/**
 * Pages of WAL before a checkpoint (16 MB). Every session's newest index entries lie on a page of their own, so a page
 * is written again in flush after flush: the longer the WAL, the fewer of these writes reach the database file.
 */
const checkpointPages = 4_096;
/** Bytes the WAL file shrinks back to after a checkpoint that long readers held up. */
const walBytes = 64 * 1024 * 1024;

export type WorkerData = { readonly path: string; readonly limits: StoreLimits };

const { path, limits } = workerData as WorkerData;

function openConnection(): Sql {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA busy_timeout = ${limits.lockWaitMs};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA journal_size_limit = ${walBytes};`);
  const sql = new Sql(db, limits.preparedStatements);
  if (Number.isFinite(limits.databaseBytes)) {
    const page = sql.get<{ page_size: number }>("PRAGMA page_size")?.page_size ?? 4096;
    db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(limits.databaseBytes / page))}`);
  }
  return sql;
}

type Direct = Extract<Request, { do: "flush" | "read" }>;

function answer(sql: Sql, flusher: Flusher, request: Direct): Reply {
  const { id } = request;
  try {
    if (request.do === "flush") return { id, jobs: flusher.flush(request.jobs) };
    return { id, text: runRead(sql, request.name, request.args) };
  } catch (cause) {
    return { id, ...refusalOf(asRefused(cause)) };
  }
}

/**
 * The copy appears under its name when it is whole, and knows that it is a copy. All pages go in one step over a second
 * connection: that is one snapshot beside the writer, which neither waits for it nor makes it start over.
 */
async function copyTo(target: string): Promise<void> {
  const part = `${target}.part`;
  rmSync(part, { force: true });
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    await backup(source, part, { rate: allPages });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(part);
  copy.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('copy', '1')");
  copy.close();
  renameSync(part, target);
}
const allPages = 0x7fff_ffff;

const post = (...replies: readonly Reply[]): void => parentPort?.postMessage(replies);

class Service {
  readonly #sql: Sql;
  readonly #flusher: Flusher;
  readonly #copies = new Set<Promise<void>>();

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#flusher = new Flusher(sql, limits);
  }

  /** Answers what needs no wait together. */
  serve(requests: readonly Request[]): void {
    const replies: Reply[] = [];
    for (const request of requests) {
      if (request.do === "backup") this.#copy(request.id, request.path);
      else if (request.do === "close") void this.#close(request.id);
      else replies.push(answer(this.#sql, this.#flusher, request));
    }
    if (replies.length > 0) post(...replies);
  }

  #copy(id: number, target: string): void {
    const copy = copyTo(target).then(
      () => post({ id, done: true }),
      (cause) => post({ id, failed: "backup-failed", why: messageOf(cause) }),
    );
    this.#copies.add(copy);
    void copy.then(() => this.#copies.delete(copy));
  }

  async #close(id: number): Promise<void> {
    await Promise.all(this.#copies);
    this.#sql.db.close();
    post({ id, done: true });
    parentPort?.close();
  }
}

try {
  const service = new Service(openConnection());
  parentPort?.on("message", (requests: readonly Request[]) => service.serve(requests));
  post({ id: 0, done: true });
} catch (cause) {
  post({ id: 0, ...refusalOf(asRefused(cause)) });
}
