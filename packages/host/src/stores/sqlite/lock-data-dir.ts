/**
 * One process per data directory. The lock is an exclusive transaction on `lock.db`, which the kernel ends with the
 * process, however it dies; `lock.json` only tells who holds it.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import { resultCode, resultCodes } from "./failure.ts";
import { makeDataDir } from "./make-data-dir.ts";

export type LockHolder = { readonly pid: number; readonly command: string };
export interface DataDirLock extends Disposable {
  readonly dataDir: string;
  /** Gives it back. Idempotent. */
  release(): void;
}

/**
 * Takes the directory for this process, making it if need be. `command`: what a second process is told runs here.
 * Throws `data-dir-in-use` at once when another process has it, `data-dir-unusable` when it cannot be locked.
 */
export function lockDataDir(dataDir: string, { command }: { readonly command: string }): DataDirLock {
  makeDataDir(dataDir);
  const holderFile = join(dataDir, "lock.json");
  const db = openLock(dataDir);
  try {
    db.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    writeHolder(holderFile, { pid: process.pid, command });
  } catch (cause) {
    db.close();
    throw resultCode(cause) === resultCodes.busy
      ? inUse(dataDir, readHolder(holderFile), cause)
      : broken(dataDir, cause);
  }
  held.add(db);
  const release = (): void => {
    if (!held.delete(db)) return;
    rmSync(holderFile, { force: true });
    db.close();
  };
  return { dataDir, release, [Symbol.dispose]: release };
}

function openLock(dataDir: string): DatabaseSync {
  try {
    return new DatabaseSync(join(dataDir, "lock.db"));
  } catch (cause) {
    throw broken(dataDir, cause);
  }
}

/** A connection that nobody refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>();

function inUse(dataDir: string, holder: LockHolder | null, cause: unknown): MooringError {
  const who = holder ? `pid ${holder.pid} (${holder.command})` : "another process";
  return new MooringError(
    "data-dir-in-use",
    `${dataDir} is in use by ${who}. Wait until it ends, or choose another directory.`,
    {
      retry: "later",
      detail: { dataDir, pid: holder?.pid ?? null, command: holder?.command ?? null },
      cause,
    },
  );
}

function broken(dataDir: string, cause: unknown): MooringError {
  const file = join(dataDir, "lock.db");
  const advice =
    resultCode(cause) === resultCodes.notADatabase
      ? `Something else wrote it; nothing is kept in it: remove ${file}.`
      : "Look whether you may write there and the disk has room, or choose another directory.";
  const message = `The data directory ${dataDir} cannot be locked (${messageOf(cause)}). ${advice}`;
  return new MooringError("data-dir-unusable", message, { cause, detail: { path: file } });
}

function writeHolder(file: string, holder: LockHolder): void {
  const next = `${file}.${holder.pid}`;
  writeFileSync(next, JSON.stringify(holder), { mode: 0o600 });
  renameSync(next, file);
}

/** Null while the holder has not written it yet. */
function readHolder(file: string): LockHolder | null {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isHolder(found) ? found : null;
  } catch {
    return null;
  }
}
const isHolder = (value: unknown): value is LockHolder =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  typeof value.pid === "number" &&
  "command" in value &&
  typeof value.command === "string";
