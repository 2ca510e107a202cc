/**
 * A copy of what is stored, taken while the host runs. Invariants: the directory appears under its name when it is whole;
 * nothing is overwritten; the store is copied first, so every file its rows name is among those copied after it; keys
 * are never part of it.
 */
import { constants } from "node:fs";
import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { codeOf, MooringError, messageOf } from "../../protocol/errors.ts";
import type { HostContext } from "../host-context.ts";

/** Rejects with `backup-exists` or `backup-failed`, and leaves nothing behind. */
export async function backUp({ store, files, ids }: HostContext, path: string): Promise<void> {
  const target = resolve(path);
  if (await exists(target)) throw alreadyThere(target);
  const part = `${target}.${ids.uuid()}.part`;
  try {
    await mkdir(part, { mode: 0o700 });
    await store.backup(part);
    await copyFiles(files.directory, join(part, "files"));
    await rename(part, target);
  } catch (cause) {
    await rm(part, { recursive: true, force: true });
    throw failed(target, cause);
  }
}
/** Whole ones only: a file that is being written has another name. Shares its blocks where the file system can. */
async function copyFiles(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  const whole = (source: string): boolean => !basename(source).includes(".");
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: whole });
}
const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
const alreadyThere = (path: string): MooringError =>
  new MooringError("backup-exists", `${path} exists already and was left as it is. Name a new directory.`, {
    detail: { path },
  });
function failed(path: string, cause: unknown): MooringError {
  const why = codeOf(cause, "") === "backup-failed" ? messageOf(cause) : `${path} was not written: ${messageOf(cause)}`;
  return new MooringError("backup-failed", why, { detail: { path }, cause });
}
