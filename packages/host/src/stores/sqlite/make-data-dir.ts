/**
 * Makes the data directory and what is missing above it, for its owner only. Not `mkdir` with `recursive`: on places that
 * refuse new entries with ENOENT (`/proc`) that never returns.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { MooringError, messageOf } from "../../protocol/errors.ts";

/** Throws `data-dir-unusable`. */
export function makeDataDir(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const directory of missing) makeOne(directory, path);
  if (!statSync(path).isDirectory()) throw unusable(path, `${path} is a file`);
}
function makeOne(directory: string, path: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (cause) {
    if (existsSync(directory)) return; // another process was first
    throw unusable(path, messageOf(cause), cause);
  }
}
const unusable = (path: string, why: string, cause?: unknown): MooringError =>
  new MooringError("data-dir-unusable", `The data directory ${path} cannot be made (${why}). Choose another.`, {
    cause,
    detail: { path },
  });
